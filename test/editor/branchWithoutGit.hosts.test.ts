import { assert } from 'chai';
import * as vscode from 'vscode';
import { errorMessages, shownMessages } from './person';
import { setScene } from './scene';

describe('the branch in hand, without Git', () => {
  const scene = setScene(
    {},
    {
      shared: true,
      settings: ({ sources }) => ({
        sources: sources.map(({ id, name }) => ({ id, label: name })),
      }),
    },
  );

  it('is none: its commands do nothing, say nothing and ask for nothing', async () => {
    await scene.connect();
    for (const command of [
      'showDeployedCommit',
      'compareWithDeployedCommit',
      'followBranchLogs',
      'chooseSource',
    ]) {
      assert.isFalse(await vscode.commands.executeCommand(`controlPlane.${command}`), command);
    }
    await vscode.commands.executeCommand('controlPlane.branchMenu');
    assert.isEmpty(await shownMessages());
    assert.isEmpty(await errorMessages());
    assert.isEmpty(await scene.requests('/deployments'));
  });
});
