import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { assert } from 'chai';
import manifest from '../../package.json';
import { foldersOf, inputsOf } from '../../.config/notices';
import { packagedFiles, packageProblems } from '../../.config/packaged';

const root = path.resolve(__dirname, '../..');

describe('the package', () => {
  it('holds what it should and nothing else', async function () {
    this.timeout(30_000);
    const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
    // What is built may not be there yet, or be older than the sources: packing looks at that.
    const built = packagedFiles.filter((file) => file.startsWith('dist/'));
    const others = files.filter((file) => !file.startsWith('dist/'));
    assert.deepEqual(packageProblems([...others, ...built]), []);
  });

  it('has the pictures that the code names', () => {
    const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'))
      .join('\n');
    const named = [...sources.matchAll(/'(media\/[\w./-]+\.\w+)'/g)].map(([, file = '']) => file);
    assert.isNotEmpty(named);
    assert.includeMembers([...packagedFiles], named);
  });

  it('is refused where a file is missing or nobody knows it', () => {
    const [first = '', ...others] = packagedFiles;
    assert.deepEqual(packageProblems([...others, '.env', 'src/extension.ts']), [
      `${first} is missing in the package: make it, or name it in .vscodeignore.`,
      '.env does not belong into the package (.vscodeignore).',
      'src/extension.ts does not belong into the package (.vscodeignore).',
    ]);
  });

  it('has an icon that is large enough, and square', () => {
    const png = readFileSync(path.join(root, manifest.icon));
    assert.equal(png.toString('latin1', 1, 4), 'PNG');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.isAtLeast(width, 128);
    assert.equal(width, height);
  });

  it('says what the Marketplace shows', () => {
    assert.equal(manifest.pricing, 'Free');
    assert.match(manifest.galleryBanner.color, /^#[0-9a-f]{6}$/);
    assert.isAtMost(manifest.keywords.length, 30);
    const { homepage, repository, bugs, qna } = manifest;
    for (const url of [homepage, repository.url, bugs.url, qna]) {
      assert.match(url, /^https:\/\/github\.com\/control-plane\/deployment-control-plane\b/);
    }
  });
});

describe('third-party notices', () => {
  it('are of the packages of which something is left in a bundle', () => {
    const outputs = {
      'a.js': {
        inputs: {
          'src/a.ts': { bytesInOutput: 10 },
          'node_modules/uplot/dist/uplot.js': { bytesInOutput: 10 },
          'node_modules/shaken/index.js': { bytesInOutput: 0 },
        },
      },
      'a.css': { inputs: { 'node_modules/@scope/one/style.css': { bytesInOutput: 10 } } },
    };
    const files = inputsOf({ outputs });
    assert.deepEqual([...foldersOf(files)], ['node_modules/uplot', 'node_modules/@scope/one']);
  });

  it('know a package inside of another', () => {
    const files = ['node_modules/a/node_modules/@b/c/lib/index.js', 'node_modules/a/index.js'];
    assert.deepEqual([...foldersOf(files)], ['node_modules/a/node_modules/@b/c', 'node_modules/a']);
  });
});
