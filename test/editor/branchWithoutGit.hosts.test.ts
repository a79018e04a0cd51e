import { assert } from 'chai';
import * as vscode from 'vscode';
import { errorMessages, shownMessages } from './person';
import { setScene } from './scene';

describe('The checked-out branch, without Git', () => {
  const scene = setScene(
    {},
    {
      shared: true,
      settings: ({ sources }) => ({
        sources: sources.map(({ id, name }) => ({ id, label: name })),
      }),
    },
  );

  it('does not exist: its commands do nothing, show nothing and ask nothing', async () => {
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
