import { assert } from 'chai';
import * as vscode from 'vscode';
import type { AlertListing } from '../../../src/api/types';
import { uiPattern } from '../../host/texts';
import { covers } from '../../unit/covers';
import { clickInMessage, errorMessages, shownMessages, notification } from '../person';
import { setScene } from '../scene';
import { run, until } from '../wait';

const firesNow = uiPattern('{0} fires on {1}');

describe('Notifications of alert rules', () => {
  const scene = setScene(
    {},
    {
      settings: ({ servers }) => ({
        servers: servers.slice(0, 2).map(({ id }) => ({ id })),
        'alerts.notify': 'firing',
      }),
    },
  );

  const looks = () => scene.requests('/monitor-alerts');

  /** Loads both servers; returns the ids of the rules of the first one that do not fire. */
  async function begin(): Promise<readonly string[]> {
    // Also waits for earlier requests.
    await run('refreshServers');
    const { id: serverId } = scene.controlPlane.world.servers[0]!;
    const { rules = [] } = await scene.get<AlertListing>(`/servers/${serverId}/monitor-alerts`);
    assert.isTrue(
      rules.some(({ evaluationState }) => evaluationState === 'firing'),
      'a rule fires',
    );
    return rules.filter(({ evaluationState }) => evaluationState === 'ok').map(({ id = '' }) => id);
  }
  const change = (id: string, members: object): Promise<unknown> =>
    scene.controlPlane.admin.change(id, { ...members });

  it(`announce a firing rule with its text as plain text ${covers('F56', 'editor')}, and follow its logs`, async () => {
    await scene.connect();
    // Although their view is hidden; rules that fire already are not announced.
    await until('both servers are loaded', async () => (await looks()).length >= 2);
    const [id = ''] = await begin();
    const name = '[run](command:workbench.action.quit)\u202e';
    await change(id, { name, evaluationState: 'firing' });
    clickInMessage(firesNow, 'Follow Logs');
    await run('refreshServers');
    const text = await notification(firesNow);
    const shownName = '[run] (command:workbench.action.quit)\\u{202e}';
    assert.match(text, uiPattern('{0} fires on {1}', shownName));
    assert.lengthOf(await shownMessages(), 1);
    assert.isEmpty(await errorMessages());
    await scene.tailIs('live');
  });

  it('show a rule in its view', async () => {
    await scene.connect();
    const [id = ''] = await begin();
    await change(id, { evaluationState: 'firing' });
    clickInMessage(firesNow, 'Show');
    await run('refreshServers');
    await until('the rule is selected', async () => {
      await run('copyId');
      return (await vscode.env.clipboard.readText()) === id;
    });
  });

  it('are off by default, and one for several changes at once', async () => {
    await scene.set('alerts.notify', 'off');
    await scene.connect();
    const ids = await begin();
    assert.isAbove(ids.length, 1);
    const [first = ''] = ids;
    const before = (await looks()).length;
    await change(first, { name: 'not told', evaluationState: 'pending' });
    await run('refreshServers');
    assert.lengthOf(await looks(), before + 2, 'the requests of the refresh');
    await scene.set('alerts.notify', 'all');
    for (const id of ids) await change(id, { evaluationState: 'firing' });
    await run('refreshServers');
    const text = await notification(/./);
    assert.match(text, uiPattern('{0} alert rules fire: {1}', ids.length, /.+/));
    assert.lengthOf(await shownMessages(), 1);
  });
});
