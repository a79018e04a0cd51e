import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'chai';
import publishing from '../../.ci/publishing/package.json';
import manifest from '../../package.json';
import { deadLinks } from '../../.config/package';
import { settings } from '../../.config/settings';
import contract from '../../src/api/openapi.json';
import {
  attributeField,
  conditionSigns,
  queryFields,
  timeFields,
} from '../../src/logs/query/fields';

const root = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const code = ['src', 'media', 'test'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file.split(path.sep).join('/')}`,
  ),
);
const isThere = (file: string): boolean => existsSync(path.join(root, file));

const { commands, views } = manifest.contributes;
const ids = new Set([
  ...commands.map(({ command }) => command),
  ...Object.keys(settings),
  ...Object.values(views).flatMap((list) => list.map(({ id }) => id)),
]);

for (const document of [
  'README.md',
  'docs/reference.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  '.github/SECURITY.md',
]) {
  describe(document, () => {
    const text = read(document);
    const found = (pattern: RegExp): string[] =>
      [...text.matchAll(pattern)].map(([, one = '']) => one);

    it('links to files and headings that exist', () => {
      assert.isEmpty(deadLinks(document));
    });

    it('names files, scripts, commands and settings that exist', () => {
      const codes = found(/`([^`\n]+)`/g);
      const files = codes.filter((code) =>
        /^(?:src|test|media|\.config|\.ci|\.github)(?:\/[\w.-]+)*\/?$/.test(code),
      );
      // A short name belongs to the room of its paragraph.
      const short = codes.filter((one) => /^(?!src|test|media|\.)[\w/]+\.ts$/.test(one));
      const named = codes.filter((code) => /^controlPlane\.[\w.]+$/.test(code));
      assert.isEmpty([
        ...files.filter((file) => !isThere(file)),
        ...short.filter((end) => !code.some((file) => file.endsWith(`/${end}`))),
        ...named.filter((id) => !ids.has(id)),
        ...found(/\bnpm run ([\w:-]+)/g).filter((script) => !(script in manifest.scripts)),
      ]);
    });
  });
}

/** The first and the last cell of each row of the table with this first head. */
function rowsOf(document: string, head: string): [string, string][] {
  const table = new RegExp(`^\\| ${head} .*\\n.*\\n((?:\\|.*\\n)+)`, 'm').exec(read(document));
  return [...(table?.[1] ?? '').matchAll(/^\| *(.*?) *\|.*?([^|]*) *\|$/gm)].map(
    ([, first = '', last = '']) => [first, last.trim()],
  );
}

const codesOf = (text: string): string[] => text.match(/(?<=`)[\w@/-]+(?=`)/g) ?? [];

describe('CONTRIBUTING.md', () => {
  it('says why each dependency is used', () => {
    const all = { ...manifest.devDependencies, ...publishing.devDependencies };
    const used = Object.keys(all).filter((name) => !name.startsWith('@types/'));
    assert.sameMembers(
      rowsOf('CONTRIBUTING.md', 'dependency').flatMap(([one]) => codesOf(one)),
      used,
    );
  });
});

describe('The reference on queries', () => {
  const rows = (head: string): [string, string][] => rowsOf('docs/reference.md', head);

  it('names every field, and the fields for conditions', () => {
    const fields = [...queryFields].map(([name, { condition }]) => [name, condition ? 'yes' : '']);
    assert.deepEqual(
      rows('part').map(([first, last]) => [/\w+/.exec(first)?.[0], last]),
      [...fields, [attributeField, 'yes'], ...timeFields.map((name) => [name, ''])],
    );
  });

  it('names every operator of the contract', () => {
    const signs = [...conditionSigns.keys(), ':*', '-…:*'].map((sign) => `\`${sign}\``);
    assert.sameMembers(
      rows('operator').map(([first]) => first),
      signs,
    );
    assert.lengthOf(signs, contract.components.schemas.ConditionOperator.enum.length);
  });
});
