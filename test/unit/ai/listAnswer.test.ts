import { assert } from 'chai';
import { listing } from '../../../src/ai/listAnswer';
import { ApiError } from '../../../src/api/errors';
import { read, scene, uuid } from '../trees/treeText';

const refused = new ApiError({ kind: 'http', status: 403, code: 'forbidden', message: 'no' });
const one = read('AlertListing', { rules: [{ id: 'a' }, { id: 'b' }] });

function placesOf(of: ReturnType<typeof scene>, ...servers: string[]) {
  return servers.map((serverId) => ({
    topic: { kind: 'alerts', serverId } as const,
    known: () => of.store.alerts(serverId),
    head: () => ({ serverId }),
  }));
}
const outlines = ({ rules = [] }: typeof one) => rules.map(({ id }) => ({ id }));
const never = new AbortController().signal;

describe('a listing for a model', () => {
  it('has one line of JSON for each place and each object', async () => {
    const all = scene({ listAlertRules: () => Promise.resolve(one) });
    const places = placesOf(all, uuid(1));
    const { words, data } = await listing(all.store, places, 'alert rule', outlines, never);
    assert.match(words.join(), /^2 alert rules found/);
    assert.deepEqual(data?.entries, [{ serverId: uuid(1) }, { id: 'a' }, { id: 'b' }]);
  });

  it('says how many places failed and why', async () => {
    const all = scene({
      listAlertRules: ({ serverId }) =>
        serverId === uuid(1) ? Promise.resolve(one) : Promise.reject(refused),
    });
    const some = await listing(
      all.store,
      placesOf(all, uuid(1), uuid(2)),
      'alert rule',
      outlines,
      never,
    );
    assert.match(some.words[1] ?? '', /^1 of 2 places .* lacks the permission alert\.read\./);
    assert.lengthOf(some.data?.entries ?? [], 3);
    const none = await listing(all.store, placesOf(all, uuid(2)), 'alert rule', outlines, never);
    assert.match(none.words.join(), /^Failed: the API key lacks the permission alert\.read\./);
  });

  it('does not return an older answer as the current state', async () => {
    let isDown = false;
    const all = scene({
      listAlertRules: () => (isDown ? Promise.reject(refused) : Promise.resolve(one)),
    });
    const places = placesOf(all, uuid(1));
    await listing(all.store, places, 'alert rule', outlines, never);
    isDown = true;
    const { words } = await listing(all.store, places, 'alert rule', outlines, never);
    assert.match(words.join(), /^Failed/);
  });
});
