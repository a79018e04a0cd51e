import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiPattern, uiText } from '../../host/texts';
import { clickInMessage, notification } from '../person';
import { agreeToCleanUp } from '../questions';
import { known, setScene } from '../scene';
import { until } from '../wait';

/** Stores, sends and watches a clean-up with the storage and the `fetch` of either host. */
describe('A clean-up, from the question to its end', () => {
  const scene = setScene({ operationSeconds: 0.5 }, { settings: known.fra });
  const sent = () => scene.requests('/cleanup-orphans');
  const cleanUp = (): Thenable<unknown> => {
    const plan = { serverId: scene.controlPlane.world.servers[0]?.id, items: ['old-api'] };
    return vscode.commands.executeCommand('controlPlane.cleanUpOrphans', plan);
  };

  beforeEach(async () => assert.isTrue(await scene.connect()));

  it('asks even if all arguments are given, and sends what was confirmed', async () => {
    agreeToCleanUp();
    clickInMessage(/succeeded/, 'Show Details');
    assert.isString(await cleanUp());
    await notification(uiPattern('Clean up {0} on {1}', 'old-api', 'fra: succeeded.'));
    const [request, ...others] = await sent();
    assert.isEmpty(others);
    assert.equal(request?.body, '{"items":[{"name":"old-api"}]}');
    assert.match(String(request?.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
    const shown = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';
    await until('the result', () => shown().includes('removed old-api'));
    assert.match(shown(), new RegExp(`^${uiText('Replayed')} +${uiText('no')}$`, 'm'));
  });

  it('stays with its connection, and continues when the connection is opened again', async () => {
    await scene.set('activity.notify', true);
    agreeToCleanUp();
    await cleanUp();
    await until('it is accepted', async () => (await sent()).length === 1);
    await scene.connect('demo-full', scene.newName());
    await scene.connect('demo-full');
    await notification(/succeeded/);
    assert.lengthOf(await sent(), 1);
  });
});
