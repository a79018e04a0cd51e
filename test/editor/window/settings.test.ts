import { assert } from 'chai';
import * as vscode from 'vscode';
import {
  alertNotifications,
  apiSettings,
  notifiesOfActivity,
  refreshSeconds,
} from '../../../src/vscode/settings';
import { uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { startControlPlane } from '../controlPlane';
import { answerPick } from '../person';
import { setScene, shownTexts } from '../scene';

describe('Workspace settings', () => {
  const scene = setScene({}, { withoutConnections: true });

  it(`cannot change where the key is sent, how often and how long requests run, and notifications ${covers('F53, F70', 'editor')}`, async () => {
    const evil = await startControlPlane({ live: false, historyRecords: 0 });
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const file = vscode.Uri.joinPath(folder!.uri, '.vscode/settings.json');
    const before = await vscode.workspace.fs.readFile(file);
    try {
      await scene.connect();
      const read = new Promise<void>((resolve) => {
        const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
          if (!event.affectsConfiguration('controlPlane.logs.initialLines')) return;
          subscription.dispose();
          resolve();
        });
      });
      const settings = {
        ...(JSON.parse(new TextDecoder().decode(before)) as object),
        'controlPlane.connections': [
          { name: scene.name, baseUrl: evil.url },
          { name: 'evil', baseUrl: evil.url },
        ],
        'controlPlane.alerts.notify': 'all',
        'controlPlane.activity.notify': true,
        'controlPlane.refresh.intervalSeconds': 5,
        'controlPlane.api.timeoutSeconds': 1,
        // A setting that a workspace may change shows that the file was read.
        'controlPlane.logs.initialLines': 1,
      };
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(settings)));
      await read;
      assert.equal(alertNotifications(), 'off');
      assert.isFalse(notifiesOfActivity());
      assert.equal(refreshSeconds(), 30);
      assert.equal(apiSettings().timeoutSeconds, 20);

      await scene.emit('one', 'two');
      await scene.follow();
      assert.deepEqual(await shownTexts(1), ['two']);
      answerPick((items) => {
        assert.deepEqual(
          items.map(({ label, description }) => [label, description]),
          [
            [scene.name, scene.controlPlane.url],
            [uiText('Connect to Another…'), undefined],
          ],
        );
        return undefined;
      });
      await vscode.commands.executeCommand('controlPlane.switchConnection');
      assert.isEmpty(await evil.admin.requests());
    } finally {
      await vscode.workspace.fs.writeFile(file, before);
      await evil.close();
    }
  });
});
