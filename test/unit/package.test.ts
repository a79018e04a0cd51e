import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { assert } from 'chai';
import manifest from '../../package.json';
import { builtFiles } from '../../.config/build';
import { packagesIn } from '../../.config/thirdPartyNotices';
import { packagedFiles, packageProblems } from '../../.config/package';

const root = path.resolve(__dirname, '../..');

describe('The package', () => {
  it('contains exactly the expected files', async () => {
    const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
    // The build may be missing or older than the sources: packing checks it.
    const built = packagedFiles.filter((file) => file.startsWith('dist/'));
    const others = files.filter((file) => !file.startsWith('dist/'));
    assert.deepEqual(packageProblems([...others, ...built]), []);
    assert.lengthOf(packageProblems([...others, ...built.slice(1), '.env']), 2);
  });

  it('contains the built files, and the pictures that the code and the manifest name', () => {
    const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'))
      .join('\n');
    const texts = sources + JSON.stringify(manifest);
    const named = [...texts.matchAll(/(?<=['"])media\/[\w./-]+\.\w+(?=['"])/g)].map(
      ([file]) => file,
    );
    assert.isNotEmpty(named);
    assert.includeMembers(packagedFiles, [...named, ...builtFiles]);
  });

  // Only GitHub's Linux publishes.
  if (process.platform !== 'win32') {
    it('is released with a tag of its version, which the change log describes', () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
      const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-21\n\n### Added\n';
      writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
      const isReleased = (tag: string, version: string): boolean => {
        writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version }));
        const script = path.join(root, '.ci/release');
        return spawnSync('bash', [script, tag], { cwd: folder }).status === 0;
      };
      assert.isTrue(isReleased('v1.2.3', '1.2.3'));
      assert.isFalse(isReleased('v1.2.4', '1.2.3'));
      assert.isFalse(isReleased('v1x2x3', '1x2x3'));
      assert.isFalse(isReleased('v1.2.4', '1.2.4'));
      assert.isFalse(isReleased('', '1.2.3'));
      rmSync(folder, { recursive: true });
    });
  }

  it('contains the notices of all packages with code in a bundle', () => {
    const left = { bytesInOutput: 10 };
    const inputs = {
      'src/a.ts': left,
      'node_modules/uplot/dist/uplot.js': left,
      'node_modules/a/node_modules/@b/c/lib/index.js': left,
      'node_modules/shaken/index.js': { bytesInOutput: 0 },
    };
    assert.deepEqual(
      [...packagesIn({ 'a.js': { inputs } })],
      ['node_modules/uplot', 'node_modules/a/node_modules/@b/c'],
    );
  });
});
