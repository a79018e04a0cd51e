import { assert } from 'chai';
import type { ApiError } from '../../../../src/api/errors';
import { viewState, type ViewState } from '../../../../src/inventory/tree/viewState';
import { httpError } from '../fakeClient';
import { scene, uuid } from '../treeText';

describe('the state of a view', () => {
  const topic = { kind: 'integrations' } as const;
  const base = {
    session: 'signedIn',
    topics: [topic],
    essential: [topic],
    shown: 1,
    all: 1,
  } as const;

  it('is named in each case', async () => {
    let error: ApiError | undefined = undefined;
    const { store, load } = scene({
      listIntegrations: () => (error === undefined ? Promise.resolve({}) : Promise.reject(error)),
    });
    const state = (members: object = {}): ViewState => viewState({ ...base, store, ...members });
    assert.deepEqual(state({ session: 'none' }), { kind: 'notConnected' });
    assert.deepEqual(state({ session: 'signedOut' }), { kind: 'signedOut' });
    assert.deepEqual(state({ all: 0, shown: 0 }), { kind: 'empty' });
    assert.deepEqual(state(), { kind: 'loading' });
    error = httpError(403, 'forbidden');
    await load(topic);
    assert.deepEqual(state(), { kind: 'missingPermission', permission: 'integration.manage' });
    error = httpError(404, 'gone');
    await load(topic);
    assert.deepEqual(state(), { kind: 'unreachable', error });
    error = undefined;
    await load(topic);
    assert.deepEqual(state(), { kind: 'shown', problems: [] });
    assert.deepEqual(state({ shown: 0 }), { kind: 'noMatch' });
  });

  it('keeps what was there, and tells the problems, their permission and how old it is', async () => {
    let error: ApiError | undefined = undefined;
    const { store, load, clock } = scene({
      listIntegrations: () => (error === undefined ? Promise.resolve({}) : Promise.reject(error)),
    });
    await load(topic);
    const at = clock.now();
    await clock.advance(60_000);
    error = httpError(403, 'forbidden');
    await load(topic);
    assert.deepEqual(viewState({ ...base, store }), {
      kind: 'shown',
      problems: [{ topic, error, permission: 'integration.manage', at }],
    });
  });

  it('shows rows that come from the settings whatever fails', async () => {
    const { store, load } = scene({});
    await load(topic);
    const state = viewState({ ...base, essential: [], store });
    assert.equal(state.kind, 'shown');
  });

  it('blames the key only where nothing that needs the permission was allowed (F75)', async () => {
    const refused = httpError(403, 'forbidden');
    const secret = new Set([uuid(1)]);
    const { store, load } = scene({
      listResources: (id) => (secret.has(id) ? Promise.reject(refused) : Promise.resolve({})),
    });
    const topics = [1, 2].map((n) => ({ kind: 'resources', sourceId: uuid(n) }) as const);
    const problems = async () => {
      for (const one of topics) await load(one);
      const state = viewState({ ...base, topics, essential: [], store });
      return state.kind === 'shown' ? state.problems : assert.fail(state.kind);
    };
    assert.deepEqual(await problems(), [
      { topic: topics[0]!, error: refused, refused: 'repository.read' },
    ]);
    // What was allowed counts although nothing of it is on the screen.
    const [first] = topics;
    const closed = viewState({ ...base, topics: [first!], essential: topics, store });
    assert.deepEqual(closed.kind === 'shown' && closed.problems.map(({ refused }) => refused), [
      'repository.read',
    ]);
    secret.add(uuid(2));
    assert.deepEqual(
      (await problems()).map(({ permission }) => permission),
      ['repository.read', 'repository.read'],
    );
  });
});
