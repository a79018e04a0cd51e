import { assert } from 'chai';
import {
  alertChanges,
  gatherFor,
  watchAlerts,
  type AlertMode,
} from '../../../../src/inventory/alerts/alertWatch';
import { rulePath } from '../../../../src/inventory/alerts/ruleNodes';
import { serverNodes } from '../../../../src/inventory/servers/serverNodes';
import type { TreeNode } from '../../../../src/inventory/tree/nodes';
import { fakeClient } from '../fakeClient';
import { gives, read, scene, uuid } from '../treeText';

const [near, far] = [uuid(1), uuid(2)];

/** Servers whose rules have these states, by number of the rule. */
type World = Record<string, Record<number, string>>;

function watching(mode: AlertMode, world: World, known = [near, far]) {
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
  const watch = watchAlerts({
    ...made,
    servers: () => servers,
    mode: () => chosen,
    onDidChange: (changes) =>
      news.push(
        changes.map(({ rule, from, to }) => `${Number(rule.id?.slice(-4))}: ${from} to ${to}`),
      ),
  });
  return {
    ...made,
    watch,
    servers,
    setMode: (next: AlertMode) => (chosen = next),
    /** Looks at servers, and waits for what is said of it. */
    look: async (...ids: string[]): Promise<string[][]> => {
      await made.load(...ids.map((serverId) => ({ kind: 'alerts', serverId }) as const));
      await made.clock.advance(gatherFor);
      return news.splice(0);
    },
  };
}

describe('the watch of alerts', () => {
  it('says nothing of the first listing, then each change once', async () => {
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

  it('tells together what changes together, on whichever server', async () => {
    const world: World = { [near]: { 7: 'ok', 8: 'ok' }, [far]: { 9: 'ok' } };
    const { look } = watching('firing', world);
    await look(near, far);
    world[near] = { 7: 'firing', 8: 'pending' };
    world[far] = { 9: 'firing' };
    assert.deepEqual(await look(near, far), [['7: ok to firing', '9: ok to firing']]);
  });

  it('tells of a beginning alone where only that is asked for', async () => {
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

  it('says nothing of a rule that is back where it was', async () => {
    const world: World = { [near]: { 7: 'ok' } };
    const { look, load } = watching('all', world);
    await look(near);
    world[near] = { 7: 'firing' };
    await load({ kind: 'alerts', serverId: near });
    world[near] = { 7: 'ok' };
    assert.deepEqual(await look(near), []);
  });

  it('is silent while it is off, and tells of what comes after', async () => {
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

  it('begins anew with another connection, and with a server that comes back', async () => {
    const world: World = { [near]: { 7: 'ok' } };
    const { look, load, store, watch, servers, clock } = watching('all', world);
    await look(near);
    world[near] = { 7: 'firing' };
    await load({ kind: 'alerts', serverId: near });
    store.reset(
      fakeClient({
        listAlertRules: gives('AlertListing', {
          rules: [{ id: uuid(7), evaluationState: 'critical' }],
        }),
      }),
    );
    assert.equal(clock.liveTimers, 0, 'what was to be told of the old connection is dropped');
    assert.deepEqual(await look(near), []);

    servers.length = 0;
    watch.prune();
    servers.push({ id: near });
    store.forget({ kind: 'alerts', serverId: near });
    assert.deepEqual(await look(near), []);
  });

  it('says nothing of servers that are in no list, nor after its end', async () => {
    const world: World = { [near]: { 7: 'ok' }, [far]: { 9: 'ok' } };
    const { look, watch } = watching('all', world, [near]);
    await look(near, far);
    world[far] = { 9: 'firing' };
    assert.deepEqual(await look(far), []);
    watch.dispose();
    world[near] = { 7: 'firing' };
    assert.deepEqual(await look(near), []);
  });

  it('names the row of a rule as the tree does', async () => {
    const { context, look } = watching('all', { [near]: { 7: 'firing' } });
    await look(near);
    const ids: string[] = [];
    const walk = (node: TreeNode): void => {
      ids.push(node.id);
      node.children().forEach(walk);
    };
    serverNodes(context).slice(0, 1).forEach(walk);
    assert.includeOrderedMembers(ids, [...rulePath(near, uuid(7))]);
    assert.lengthOf(rulePath(near, uuid(7)), 3);
  });
});

describe('news of alerts', () => {
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

  it('are changes of state, each once, and new rules that fire', () => {
    assert.deepEqual(news([rule('ok')], [rule('firing')]), ['ok to firing, fires']);
    assert.deepEqual(news([rule('firing')], [rule('ok')]), ['firing to ok']);
    assert.deepEqual(news([], [rule('firing')]), ['undefined to firing, fires']);
    assert.deepEqual(news([], [rule('ok')]), []);
    assert.deepEqual(news([rule('firing')], [{ ...rule('firing'), enabled: false }]), [
      'firing to firing',
    ]);
  });

  it('are not what fired before anybody looked, nor rules that cannot be told apart', () => {
    assert.deepEqual(news(undefined, [rule('firing')]), []);
    assert.deepEqual(news([], [{ evaluationState: 'firing' }]), []);
  });
});
