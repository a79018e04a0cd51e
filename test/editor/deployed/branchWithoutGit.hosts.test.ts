import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiText } from '../../host/texts';
import { errorMessages, shownMessages, notification } from '../person';
import { known, setScene } from '../scene';

describe('The checked-out branch, without Git', () => {
  const scene = setScene({}, { shared: true, settings: known.sources });

  it('does not exist: its commands do nothing, show nothing and ask nothing', async () => {
    await scene.connect();
    for (const command of [
      'showDeployedCommit',
      'compareWithDeployedCommit',
      'followBranchLogs',
      'chooseSource',
      'openPreview',
    ]) {
      assert.isFalse(await vscode.commands.executeCommand(`controlPlane.${command}`), command);
    }
    await vscode.commands.executeCommand('controlPlane.branchMenu');
    assert.isEmpty(await shownMessages());
    assert.isEmpty(await errorMessages());
    assert.isEmpty(await scene.requests('/deployments'));
  });

  it('cannot say what changed, and says what is missing', async () => {
    await scene.connect();
    assert.isFalse(await vscode.commands.executeCommand('controlPlane.whatChanged'));
    await notification(new RegExp(uiText('Open the Git repository that is deployed.')));
  });
});
