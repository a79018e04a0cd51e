import { assert } from 'chai';
import * as vscode from 'vscode';
import { SourceFiles, lookBudget } from '../../../src/logs/record/ui/sourceFiles';
import { covers } from '../../unit/covers';
import { inWorkspace } from '../environment';

/** test/unit/logs/record/pathMapping.test.ts has the rules. */
describe('Files of stack frames', () => {
  const paths = [
    'services/shop/src/jobs/run.ts',
    'services/stock/src/jobs/run.ts',
    'services/shop/lib/only.ts',
    'services/shop/pages/[id].tsx',
    'services/shop/node_modules/pack/lib/packed.ts',
  ];
  let files: SourceFiles;

  before(async () => {
    for (const path of paths)
      await vscode.workspace.fs.writeFile(inWorkspace(path), new Uint8Array());
  });
  beforeEach(() => (files = new SourceFiles()));
  afterEach(() => files.dispose());
  after(() => vscode.workspace.fs.delete(inWorkspace('services'), { recursive: true }));

  async function found(path: string, workload?: string): Promise<string | undefined> {
    const place = await files.find({ path, line: 1 }, lookBudget(), workload);
    return place && vscode.workspace.asRelativePath(place.file);
  }

  it('are found by the longest end of the path that only one file has', async () => {
    assert.equal(await found('/code/lib/only.ts'), paths[2]);
    assert.equal(await found('/code/stock/src/jobs/run.ts'), paths[1]);
    assert.equal(await found('/code/pages/[id].tsx'), paths[3]);
    assert.isUndefined(await found('/code/src/jobs/run.ts'));
    assert.isUndefined(await found('/code/other/only.ts'));
    assert.isUndefined(await found('/code/lib/packed.ts'));
    assert.isUndefined(await found('/code/lib/*.ts'));
  });

  it('are in the folder of their workload if several fit, as soon as that is known', async () => {
    assert.isUndefined(await found('/code/src/jobs/run.ts', 'stock'));
    let changes = 0;
    files.onDidChange(() => changes++);
    files.useFolders((workload) => [`services/${workload}`]);
    assert.equal(changes, 1);
    assert.equal(await found('/code/src/jobs/run.ts', 'stock'), paths[1]);
    assert.equal(await found('/code/src/jobs/run.ts', 'shop'), paths[0]);
    assert.isUndefined(await found('/code/src/jobs/run.ts'));
  });

  it(`are not searched for beyond the budget, and are found by the next request ${covers('F76', 'editor')}`, async () => {
    const path = '/code/lib/only.ts';
    assert.isUndefined(await files.find({ path, line: 1 }, { left: 10 }));
    assert.equal(await found(path), paths[2]);
  });

  describe('in a generated file', () => {
    // What a bundler makes of a function whose line 4 throws.
    const code = 'export const run=()=>{throw new Error("lost")};\n';
    const map = JSON.stringify({
      version: 3,
      sources: ['../src/jobs/run.ts'],
      mappings: 'AAEO,aAAM,IAAM,IAAM,CACvB,MAAM,IAAI,MAAM,MAAM,CACxB',
      names: [],
    });
    const generated = inWorkspace('services/shop/dist/built.js');
    const write = (file: vscode.Uri, text: string): Thenable<void> =>
      vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));

    async function leadsToSource(): Promise<void> {
      const frame = { path: '/app/dist/built.js', line: 1, column: code.indexOf('throw') + 1 };
      const place = await files.find(frame, lookBudget());
      const source = inWorkspace('services/shop/src/jobs/run.ts').toString();
      assert.deepEqual([place?.file.toString(), place?.line, place?.column], [source, 4, 3]);
    }

    it('lead to its source by the map in it', async () => {
      const url = `data:application/json;base64,${btoa(map)}`;
      await write(generated, `${code}//# sourceMappingURL=${url}\n`);
      await leadsToSource();
    });

    it('lead to its source by the map beside it', async () => {
      await write(generated, code);
      await write(inWorkspace('services/shop/dist/built.js.map'), map);
      await leadsToSource();
    });
  });
});
