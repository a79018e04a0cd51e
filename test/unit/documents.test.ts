import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'chai';
import manifest from '../../package.json';

const root = path.resolve(__dirname, '../..');
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** What stands between backticks in a document. */
function codes(file: string): string[] {
  return [...read(file).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

describe('the documents', () => {
  it('name files and folders that are there', () => {
    let count = 0;
    for (const document of documents) {
      for (const code of codes(document)) {
        const [file] =
          /^(?:src|test|media|\.config|\.ci|\.github)(?:\/[\w.-]+)*\/?$/.exec(code) ?? [];
        if (file === undefined) continue;
        assert.isTrue(existsSync(path.join(root, file)), `${file} in ${document}`);
        count++;
      }
    }
    assert.isAbove(count, 30);
  });

  it('name no file that is nowhere', () => {
    const folders = ['src', 'test', 'media', '.config', '.github'];
    const files = folders.flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }),
    );
    const names = new Set([...files, ...readdirSync(root)].map((file) => path.basename(file)));
    const named = documents
      .flatMap(codes)
      .filter((code) => /^[\w.-]+\.(?:ts|js|json|css|yml|md|txt)$/.test(code));
    assert.isAbove(named.length, 20);
    assert.includeMembers([...names], named);
  });

  it('show every picture that is made for them', () => {
    const shown = [...read('README.md').matchAll(/!\[([^\]]*)\]\(media\/readme\/([^)]+)\)/g)];
    assert.sameMembers(
      shown.map(([, , file = '']) => file),
      readdirSync(path.join(root, 'media/readme')),
    );
    // What it shows, for whoever does not see it.
    for (const [, words = '', file = ''] of shown) assert.isAbove(words.length, 20, file);
  });

  it('link to files that are there', () => {
    for (const document of documents) {
      for (const [, link = ''] of read(document).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https:|#)/.test(link)) continue;
        assert.isTrue(existsSync(path.join(root, link)), `${link} in ${document}`);
      }
    }
  });

  it('link to headings that are there', () => {
    for (const document of documents) {
      const text = read(document);
      const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\p{L}\p{N} -]/gu, '')
          .replaceAll(' ', '-'),
      );
      for (const [, anchor = ''] of text.matchAll(/\]\(#([^)]+)\)/g)) {
        assert.include(anchors, anchor, document);
      }
    }
  });

  it('name commands and settings that are there', () => {
    const known = new Set([
      ...manifest.contributes.commands.map(({ command }) => command),
      ...Object.keys(manifest.contributes.configuration.properties),
      ...Object.values(manifest.contributes.views).flatMap((views) => views.map(({ id }) => id)),
    ]);
    for (const document of documents) {
      for (const code of codes(document)) {
        if (/^controlPlane\.[\w.]+$/.test(code))
          assert.isTrue(known.has(code), `${code} in ${document}`);
      }
    }
  });

  it('name scripts that are there', () => {
    const scripts = Object.keys(manifest.scripts);
    for (const document of documents) {
      for (const [, script = ''] of read(document).matchAll(/\bnpm run ([\w:-]+)/g)) {
        assert.include(scripts, script, document);
      }
    }
  });

  it('say of each dependency why it is one', () => {
    const named = codes('CONTRIBUTING.md');
    const dependencies = Object.keys(manifest.devDependencies).filter(
      (name) => !name.startsWith('@types/'),
    );
    assert.isAbove(dependencies.length, 20);
    assert.includeMembers(named, dependencies);
  });
});
