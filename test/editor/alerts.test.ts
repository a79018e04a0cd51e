import { assert } from 'chai';
import * as vscode from 'vscode';
import type { AlertListing, AlertRule } from '../../src/api/types';
import { attendBoxes, clickInMessage, shownMessages } from './boxes';
import { errorMessages } from './person';
import { setScene, type Scene } from './scene';
import { until } from './wait';

function run(command: string, argument?: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand(`controlPlane.${command}`, argument);
}

/** What the control plane says of a server's alerts, asked as another client. */
async function rulesOf({ controlPlane }: Scene, serverId: string): Promise<AlertRule[]> {
  const { url, keys } = controlPlane;
  const response = await fetch(`${url}/v1/api/servers/${serverId}/monitor-alerts`, {
    headers: { authorization: `Bearer ${keys['demo-full'] ?? ''}` },
  });
  // The embedded control plane keeps to the contract.
  return ((await response.json()) as AlertListing).rules ?? [];
}

function message(text: RegExp): Promise<string> {
  return until(String(text), () => Promise.resolve(shownMessages().find((one) => text.test(one))));
}

describe('notifications of alert rules', () => {
  const scene = setScene();
  attendBoxes();

  /** Knows two servers, looks at them once, and gives the rules of the first. */
  async function begin(mode: string): Promise<readonly AlertRule[]> {
    const servers = scene.controlPlane.world.servers.slice(0, 2).map(({ id }) => ({ id }));
    await scene.set('servers', servers);
    await scene.set('alerts.notify', mode);
    await scene.connect();
    const looked = mode === 'off' ? run('refreshServers') : undefined;
    await until(
      'both servers were looked at',
      async () => servers.length <= (await scene.requests('/monitor-alerts')).length,
    );
    await looked;
    return rulesOf(scene, servers[0]?.id ?? '');
  }

  function ruleIn(rules: readonly AlertRule[], isRight: (rule: AlertRule) => boolean): string {
    const id = rules.find(isRight)?.id;
    if (id === undefined) throw new Error('The control plane has no such rule.');
    return id;
  }
  const isOk = ({ evaluationState }: AlertRule): boolean => evaluationState === 'ok';
  const fires = ({ evaluationState }: AlertRule): boolean => evaluationState === 'firing';

  it('looks at the servers although their view is hidden, and says nothing of what fires already', async () => {
    const rules = await begin('all');
    assert.isTrue(rules.some(fires), 'something fires');
    const id = ruleIn(rules, isOk);
    await scene.controlPlane.admin.change(id, { name: 'disk of web', evaluationState: 'pending' });
    await run('refreshServers');
    await message(/^disk of web on .+ is pending now, it was ok: pending · /);
    assert.lengthOf(shownMessages(), 1);
    assert.isEmpty(errorMessages());
  });

  it('tells that a rule begins to fire, with its text as text (F56), and follows its logs', async () => {
    const id = ruleIn(await begin('firing'), isOk);
    const name = '[run](command:workbench.action.quit)\u202e';
    await scene.controlPlane.admin.change(id, { name, evaluationState: 'firing' });
    clickInMessage(/fires on/, 'Follow Logs');
    await run('refreshServers');
    const text = await message(/fires on/);
    assert.include(text, '[run] (command:workbench.action.quit)\\u{202e} fires on ');
    await scene.tailIs('live');
  });

  it('shows the rule in its view', async () => {
    const id = ruleIn(await begin('firing'), isOk);
    await scene.controlPlane.admin.change(id, { evaluationState: 'firing' });
    clickInMessage(/fires on/, 'Show');
    await run('refreshServers');
    await until('the rule is selected', async () => {
      await run('copyId');
      return (await vscode.env.clipboard.readText()) === id;
    });
  });

  it('tells what changes together in one message', async () => {
    const rules = (await begin('firing')).filter(isOk);
    assert.isAbove(rules.length, 1);
    for (const { id } of rules) {
      await scene.controlPlane.admin.change(id ?? '', { evaluationState: 'firing' });
    }
    await run('refreshServers');
    const text = await message(/./);
    assert.match(text, new RegExp(`^${rules.length} alert rules fire: .+`));
    assert.lengthOf(shownMessages(), 1);
  });

  it('is silent and asks for nothing unless somebody wants it', async () => {
    const id = ruleIn(await begin('off'), isOk);
    const before = (await scene.requests('/monitor-alerts')).length;
    await scene.controlPlane.admin.change(id, { evaluationState: 'firing' });
    await run('refreshServers');
    assert.lengthOf(await scene.requests('/monitor-alerts'), before + 2, 'those of the refresh');
    await scene.set('alerts.notify', 'all');
    await scene.controlPlane.admin.change(id, { name: 'later', evaluationState: 'ok' });
    await run('refreshServers');
    await message(/^later on .+ is ok now, it was firing/);
    assert.lengthOf(shownMessages(), 1, 'nothing of what was before');
  });
});
