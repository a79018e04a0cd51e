import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assert } from 'chai';
import manifest from '../../package.json';
import { builtFiles } from '../../.config/build';
import { packagesIn } from '../../.config/thirdPartyNotices';
import {
  marketplaceProblems,
  packagedFiles,
  packageOptions,
  packageProblems,
} from '../../.config/package';

const root = path.resolve(__dirname, '../..');

// `npm run package` refuses a package with problems; here is whether they are found.
describe('The package', () => {
  it('contains exactly the expected files', () => {
    assert.isEmpty(packageProblems(packagedFiles));
    assert.lengthOf(packageProblems([...packagedFiles.slice(1), '.env']), 2);
  });

  it('contains the built files, and the pictures that the code and the manifest name', () => {
    const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'));
    const texts = [...sources, JSON.stringify(manifest)].join('\n');
    const named = texts.match(/(?<=['"])media\/[\w./-]+\.\w+(?=['"])/g) ?? [];
    assert.isNotEmpty(named);
    assert.includeMembers(packagedFiles, [...named, ...builtFiles]);
  });

  it('is a pre-release if its minor version is odd, and a preview before 1.0', () => {
    const preReleases = ['0.1.0', '0.2.1', '1.10.1', '1.11.0'].map(
      (version) => packageOptions(version).preRelease,
    );
    assert.deepEqual(preReleases, [true, false, false, true]);
    assert.strictEqual(manifest.preview, manifest.version.startsWith('0.'));
  });

  it('has an icon and pages that the Marketplace shows, with links that work', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pages-'));
    mkdirSync(path.join(folder, 'media'));
    const icon = (width: number, height: number): string[] => {
      const png = Buffer.from('\x89PNG'.padEnd(24, '\0'), 'latin1');
      png.writeUInt32BE(width, 16);
      png.writeUInt32BE(height, 20);
      writeFileSync(path.join(folder, manifest.icon), png);
      return marketplaceProblems(folder);
    };
    writeFileSync(path.join(folder, 'README.md'), '# A b\n[a](#a-b) [b](CHANGELOG.md)');
    writeFileSync(path.join(folder, 'CHANGELOG.md'), '');
    assert.isEmpty(icon(128, 128));
    assert.lengthOf(icon(64, 64), 1);
    assert.lengthOf(icon(128, 256), 1);
    writeFileSync(path.join(folder, 'CHANGELOG.md'), '[a](no.md) ![b](http://a/b.png) [c](#c)');
    assert.lengthOf(icon(128, 128), 3);
    writeFileSync(path.join(folder, manifest.icon), '<svg/>'.padEnd(30));
    assert.lengthOf(marketplaceProblems(folder), 4);
    rmSync(folder, { recursive: true });
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
    const packages = ['node_modules/uplot', 'node_modules/a/node_modules/@b/c'];
    assert.deepEqual([...packagesIn({ 'a.js': { inputs } })], packages);
  });
});
