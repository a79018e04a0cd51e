import { assert } from 'chai';
import { build } from 'esbuild';
import { hosts, splitting } from '../../.config/parts';

describe('the parts of the extension', () => {
  for (const host of hosts) {
    it(`in ${host.folder} hold each module once`, async () => {
      const { metafile } = await build(splitting(host, true));
      const inputs = Object.values(metafile.outputs).flatMap((output) =>
        Object.entries(output.inputs)
          .filter(([file, { bytesInOutput }]) => file.startsWith('src/') && bytesInOutput > 0)
          .map(([file]) => file),
      );
      assert.isAbove(inputs.length, 100);
      assert.equal(inputs.length, new Set(inputs).size);
    });
  }
});
