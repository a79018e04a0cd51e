import { assert } from 'chai';
import {
  alertChanges,
  gatherAlertsFor,
  AlertWatch,
  changeText,
  type AlertMode,
} from '../../../../src/trees/alerts/alertWatch';
import type { Storage } from '../../../../src/base/storedValue';
import { NotifiedStates } from '../../../../src/connection/perConnection';
import { rulePath } from '../../../../src/trees/alerts/ruleNodes';
import { serverNodes } from '../../../../src/trees/servers/serverNodes';
import { pathTo } from '../../../../src/trees/nodes';
import { uiText } from '../../../host/texts';
import { fakeClient } from '../../data/fakeClient';
import { gives, read, scene, uuid } from '../treeText';

const [near, far] = [uuid(1), uuid(2)];

/** Servers whose rules have these states, by the number of the rule. */
type World = Record<string, Record<number, string>>;

/** What windows share. */
function storageOf(): Storage {
  let stored: unknown;
  return { get: () => stored, update: (_, value) => Promise.resolve(void (stored = value)) };
}

const connection = { name: 'one', baseUrl: 'https://a.example', origin: 'https://a.example' };
const session = { state: { kind: 'signedIn', connection } } as const;

function watching(mode: AlertMode, world: World, known = [near, far], storage = storageOf()) {
  const news: string[][] = [];
  let chosen = mode;
  const servers = known.map((id) => ({ id }));
  const made = scene(
    {
      listAlertRules: ({ serverId }) =>
        Promise.resolve(
          read('AlertListing', {
            rules: Object.entries(world[serverId] ?? {}).map(([number, evaluationState]) => ({
              id: uuid(Number(number)),
              evaluationState,
            })),
          }),
        ),
    },
    { servers },
  );
  const watch = new AlertWatch(
    made.store,
    made.clock,
    () => servers,
    () => chosen,
    new NotifiedStates(session, storage, 'told'),
  );
  watch.onDidChange((changes) =>
    news.push(
      changes.map(({ rule, from, to }) => `${Number(rule.id?.slice(-4))}: ${from} to ${to}`),
    ),
  );
  return {
    ...made,
    watch,
    servers,
    setMode: (next: AlertMode) => (chosen = next),
    /** Loads servers, and waits for the notifications. */
    look: async (...ids: string[]): Promise<string[][]> => {
      await made.load(...ids.map((serverId) => ({ kind: 'alerts', id: serverId }) as const));
      await made.clock.advance(gatherAlertsFor);
      return news.splice(0);
    },
  };
}

describe('Alert notifications', () => {
  it('skip the first listing, then report each change once', async () => {
    const world: World = { [near]: { 7: 'firing', 8: 'ok' } };
    const { look, clock } = watching('all', world);
    assert.deepEqual(await look(near), []);
    world[near] = { 7: 'firing', 8: 'firing' };
    assert.deepEqual(await look(near), [['8: ok to firing']]);
    assert.deepEqual(await look(near), []);
    world[near] = { 7: 'ok', 8: 'firing' };
    assert.deepEqual(await look(near), [['7: firing to ok']]);
    assert.equal(clock.liveTimers, 0);
  });

  it('report a change in one window only, and again when it comes again', async () => {
    const world: World = { [near]: { 7: 'ok' } };
    const storage = storageOf();
    const first = watching('firing', world, [near], storage);
    const second = watching('firing', world, [near], storage);
    await first.look(near);
    await second.look(near);
    world[near] = { 7: 'firing' };
    assert.deepEqual(await first.look(near), [['7: ok to firing']]);
    assert.deepEqual(await second.look(near), []);
    world[near] = { 7: 'ok' };
    assert.deepEqual(await second.look(near), []);
    world[near] = { 7: 'firing' };
    assert.deepEqual(await second.look(near), [['7: ok to firing']]);
    assert.deepEqual(await first.look(near), []);
  });

  it('report simultaneous changes together, for all servers', async () => {
    const world: World = { [near]: { 7: 'ok', 8: 'ok' }, [far]: { 9: 'ok' } };
    const { look } = watching('firing', world);
    await look(near, far);
    world[near] = { 7: 'firing', 8: 'pending' };
    world[far] = { 9: 'firing' };
    assert.deepEqual(await look(near, far), [['7: ok to firing', '9: ok to firing']]);
  });

  it('report only new alerts if only these are enabled', async () => {
    const world: World = { [near]: { 7: 'ok', 8: 'firing' } };
    const { look, setMode } = watching('firing', world);
    await look(near);
    world[near] = { 7: 'pending', 8: 'ok' };
    assert.deepEqual(await look(near), []);
    world[near] = { 7: 'firing', 8: 'ok' };
    assert.deepEqual(await look(near), [['7: pending to firing']]);
    world[near] = { 7: 'critical', 8: 'ok' };
    assert.deepEqual(await look(near), [], 'from one firing state to another');
    setMode('all');
    world[near] = { 7: 'firing', 8: 'ok' };
    assert.deepEqual(await look(near), [['7: critical to firing']]);
  });

  it('skip a rule that has returned to its earlier state', async () => {
    const world: World = { [near]: { 7: 'ok' } };
    const { look, load } = watching('all', world);
    await look(near);
    world[near] = { 7: 'firing' };
    await load({ kind: 'alerts', id: near });
    world[near] = { 7: 'ok' };
    assert.deepEqual(await look(near), []);
  });

  it('skip everything while they are off, and report later changes', async () => {
    const world: World = { [near]: { 7: 'ok' } };
    const { look, setMode, clock } = watching('off', world);
    await look(near);
    world[near] = { 7: 'firing' };
    assert.deepEqual(await look(near), []);
    assert.equal(clock.liveTimers, 0);
    setMode('firing');
    assert.deepEqual(await look(near), []);
    world[near] = { 7: 'firing', 8: 'firing' };
    assert.deepEqual(await look(near), [['8: undefined to firing']]);
  });

  it('start again with another connection, and with a server that returns', async () => {
    const world: World = { [near]: { 7: 'ok' } };
    const { look, load, store, watch, servers, clock } = watching('all', world);
    await look(near);
    world[near] = { 7: 'firing' };
    await load({ kind: 'alerts', id: near });
    store.reset(
      fakeClient({
        listAlertRules: gives('AlertListing', {
          rules: [{ id: uuid(7), evaluationState: 'critical' }],
        }),
      }),
    );
    assert.equal(clock.liveTimers, 0, 'pending notifications of the old connection are dropped');
    assert.deepEqual(await look(near), []);

    servers.length = 0;
    watch.prune();
    servers.push({ id: near });
    assert.deepEqual(await look(near), []);
  });

  it('skip servers that are not in a list, and everything after the end', async () => {
    const world: World = { [near]: { 7: 'ok' }, [far]: { 9: 'ok' } };
    const { look, watch } = watching('all', world, [near]);
    await look(near, far);
    world[far] = { 9: 'firing' };
    assert.deepEqual(await look(far), []);
    watch.dispose();
    world[near] = { 7: 'firing' };
    assert.deepEqual(await look(near), []);
  });

  it('name the row of a rule as the tree does', async () => {
    const { context, look } = watching('all', { [near]: { 7: 'firing' } });
    await look(near);
    const [row] = serverNodes(context);
    assert.deepEqual(
      pathTo([row!], ({ kind }) => kind === 'rule'),
      rulePath(near, uuid(7)),
    );
  });
});

describe('Changes of alerts', () => {
  const rule = (evaluationState: string): object => ({
    id: uuid(20),
    enabled: true,
    evaluationState,
  });
  const news = (before: object[] | undefined, after: object[]): string[] =>
    alertChanges(
      near,
      before && read('AlertListing', { rules: before }),
      read('AlertListing', { rules: after }),
    ).map(({ from, to, isFiring }) => `${from} to ${to}${isFiring ? ', fires' : ''}`);

  it('are changes of state, each once, and new firing rules', () => {
    assert.deepEqual(news([rule('ok')], [rule('firing')]), ['ok to firing, fires']);
    assert.deepEqual(news([rule('firing')], [rule('ok')]), ['firing to ok']);
    assert.deepEqual(news([], [rule('firing')]), ['undefined to firing, fires']);
    assert.deepEqual(news([], [rule('ok')]), []);
    assert.deepEqual(news([rule('firing')], [{ ...rule('firing'), enabled: false }]), [
      'firing to firing',
    ]);
  });

  it('are told in one sentence, without what is not known', () => {
    const { context } = scene({});
    const changes = (before: object[], after: object[]): string[] =>
      alertChanges(near, { rules: before }, { rules: after }).map((one) =>
        changeText(one, context),
      );
    const cpu = { condition: { metric: 'cpuPercent', operator: 'above', threshold: 80 } };
    const fires = uiText('{0} fires on {1}', '00000000', '00000000');
    const firesOfCpu = uiText('{0} fires on {1}', 'cpu > 80', '00000000').replace('cpu', 'CPU');
    assert.deepEqual(changes([], [rule('firing')]), [`${fires}.`]);
    assert.deepEqual(changes([], [{ ...rule('firing'), ...cpu }]), [
      `${firesOfCpu}: CPU, ${uiText('limit {0}', '80 %')}`,
    ]);
    const ended = ['00000000', '00000000', 'OK', 'firing'] as const;
    assert.deepEqual(changes([rule('firing')], [rule('ok')]), [
      `${uiText('{0} on {1} is now {2} (was {3})', ...ended)}.`,
    ]);
  });

  it('are not rules that fired before the first listing, nor rules without an identity', () => {
    assert.deepEqual(news(undefined, [rule('firing')]), []);
    assert.deepEqual(news([], [{ evaluationState: 'firing' }]), []);
  });
});
