import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'chai';
import { build } from 'esbuild';
import { filesOf, pages } from '../../.config/pages';
import { hosts, parts, splitting, textOf } from '../../.config/parts';

const ignored = readFileSync(path.resolve(__dirname, '../../.vscodeignore'), 'utf8').split('\n');

for (const host of hosts) {
  describe(`the parts of the extension in ${host.folder}`, function () {
    this.timeout(60_000);
    let split: Awaited<ReturnType<typeof splitInMemory>>;
    const splitInMemory = () => build(splitting(host, true));
    before(async () => {
      split = await splitInMemory();
    });

    it('hold each module once', () => {
      const inputs = Object.values(split.metafile.outputs).flatMap((output) =>
        Object.entries(output.inputs)
          .filter(([file, { bytesInOutput }]) => file.startsWith('src/') && bytesInOutput > 0)
          .map(([file]) => file),
      );
      assert.isAbove(inputs.length, 100);
      assert.equal(inputs.length, new Set(inputs).size);
    });

    it('require what was loaded before them, and nothing else of ours', async () => {
      const [first] = parts;
      for (const [index, part] of parts.entries()) {
        const text = await textOf(part, host, split, true);
        const required = [...text.matchAll(/\brequire\("(\.[^"]+|node:\w+)"\)/g)];
        // The Node host turns each `import()` of the first part into a `require`.
        const later = part === first && host.folder === 'dist' ? parts.slice(1) : [];
        const known = [...parts.slice(0, index), ...later].map((name) => `./${name}.js`);
        const names = [...new Set(required.map(([, name]) => name))];
        assert.sameMembers(names, known, part);
      }
    });

    it('are in the package', () => {
      for (const part of parts) assert.include(ignored, `!${host.folder}/${part}.js`);
    });
  });
}

describe('the pages of the panels', () => {
  it('are in the package, and their sources are not', () => {
    for (const file of pages.flatMap(filesOf)) assert.include(ignored, `!${file}`);
    assert.isEmpty(ignored.filter((line) => /^!(media\/.*\*\*|media\/\*$)/.test(line)));
  });
});
