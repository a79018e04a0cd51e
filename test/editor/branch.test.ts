import { assert } from 'chai';
import * as vscode from 'vscode';
import { attendBoxes, shownMessages } from './boxes';
import { errorMessages } from './person';
import { setScene } from './scene';

describe('the branch in hand, without Git', () => {
  const scene = setScene({}, { shared: true });
  attendBoxes();

  it('is none: its commands do nothing, say nothing and ask for nothing', async () => {
    const { world } = scene.controlPlane;
    await scene.set(
      'sources',
      world.sources.map(({ id, name }) => ({ id, label: name })),
    );
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
    assert.isEmpty(shownMessages());
    assert.isEmpty(errorMessages());
    assert.isEmpty(await scene.requests('/deployments'));
  });
});
