import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiText } from '../../host/texts';
import { nextBox, type } from '../boxes';
import { setRepository } from '../gitExtension';
import { answerPick, errorMessages } from '../person';
import { inWindow } from '../rows';
import { known, setScene } from '../scene';
import { run } from '../wait';

describe('Where a commit is, with the Git extension', () => {
  const scene = setScene({}, { shared: true, settings: known.sources });
  const commits: string[] = [];
  let name: string;
  const deployed = new Date().toISOString();

  const git = setRepository(async ({ code }) => {
    for (const text of ['one', 'two', 'three']) {
      commits.push(await code.commit('page.ts', `${text}\n`, text));
    }
    await scene.connect();
    const app = scene.controlPlane.world.workloads.find(
      ({ source }) => source.name === 'shop-web',
    )!;
    name = app.name;
    const { deployments } = await scene.get<{ deployments: readonly { id: string }[] }>(
      `/resources/${app.id}/deployments`,
    );
    for (const [index, { id }] of deployments.entries()) {
      await scene.controlPlane.admin.change(id, {
        state: 'succeeded',
        commitSha: index === 0 ? commits[1] : 'f'.repeat(40),
        ...(index === 0 ? { finishedAt: deployed } : {}),
      });
    }
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  /** Answers the list by dismissing it. Resolves with what it says of the app. */
  function said(): Promise<string | undefined> {
    return new Promise((resolve) =>
      answerPick((items) => {
        resolve(items.find(({ label }) => label === name)?.description);
        return undefined;
      }),
    );
  }

  const isDeployed = (text = ''): void => {
    const start = uiText('deployed since {0} or earlier', '?').split('?')[0]!;
    assert.isTrue(text.startsWith(start), text);
  };

  it('says since when an app has it, also if a later commit runs', async () => {
    for (const sha of [commits[1], commits[0]!.slice(0, 7).toUpperCase()]) {
      const description = said();
      assert.isTrue(await run('whereIsCommit', { sha }));
      isDeployed(await description);
    }
  });

  it('says what runs instead of a newer one', async () => {
    const description = said();
    assert.isTrue(await run('whereIsCommit', { sha: commits[2] }));
    const short = commits[1]!.slice(0, 7);
    assert.equal(
      await description,
      uiText('not deployed: it runs {0}, which does not have it', short),
    );
  });

  it('uses the hash at the cursor, and asks for one if there is none', async () => {
    const document = await vscode.workspace.openTextDocument({ content: `see ${commits[0]!}` });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 10, 0, 10);
    let description = said();
    assert.isTrue(await run('whereIsCommit'));
    isDeployed(await description);

    editor.selection = new vscode.Selection(0, 0, 0, 0);
    description = said();
    const asking = run('whereIsCommit');
    const box = await nextBox();
    await type(box, commits[0]!);
    assert.isTrue(await asking);
    isDeployed(await description);
  });

  it('uses the commit of a line, as the menu of a line number passes it', async () => {
    const uri = vscode.Uri.joinPath(vscode.Uri.file(git.code.folder), 'page.ts');
    const description = said();
    await inWindow('controlPlane.whereIsCommit', { uri, lineNumber: 1 });
    assert.equal(
      await description,
      uiText('not deployed: it runs {0}, which does not have it', commits[1]!.slice(0, 7)),
    );
    assert.isEmpty(await errorMessages());
  });
});
