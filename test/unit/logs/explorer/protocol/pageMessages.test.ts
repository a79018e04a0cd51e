import { assert } from 'chai';
import { SavedPageState } from '../../../../../src/logs/explorer/protocol/pageMessages';
import { readPageState } from '../../../../../src/logs/explorer/protocol/messages';
import type { SessionState } from '../../../../../src/connection/ui/session';
import { makeConnection, type Connection } from '../../../../../src/connection/connections';
import { settle } from '../../../fakeClock';
import { uuid } from '../../../trees/treeText';

function connection(name: string, url: string): Connection {
  return makeConnection(name, url) ?? assert.fail(`${url} is no base URL.`);
}

const own = connection('mine', 'https://mine.example');
const query = `server:${uuid(1)} last:1h`;
const kept = { query, wrap: true, ran: true };

/** A window after its reload, with what the workspace has stored before it. */
function windowOn(chosen: Connection | undefined, stored = new Map<string, unknown>()) {
  let becomeReady!: () => void;
  const ready = new Promise<void>((resolve) => (becomeReady = resolve));
  const session: { state: SessionState; ready: Promise<void> } = { state: { kind: 'none' }, ready };
  const workspaceState = {
    get: (key: string) => stored.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };
  const search = new SavedPageState(session, workspaceState, 'logExplorer', readPageState);
  const know = (kind: 'signedIn' | 'signedOut' = 'signedIn'): void => {
    if (chosen !== undefined) session.state = { kind, connection: chosen };
    becomeReady();
  };
  return { search, stored, know };
}

/** What the workspace has stored once something was searched for on a connection. */
function storedOf(chosen: Connection): Map<string, unknown> {
  const { search, stored, know } = windowOn(chosen);
  know();
  search.remember();
  return stored;
}

describe('saved state of the page of the Log Explorer', () => {
  it('is restored once its connection is known', async () => {
    const { search, know } = windowOn(own, storedOf(own));
    let isThere = false;
    const restored = search.restore(kept).finally(() => (isThere = true));
    await settle();
    assert.isFalse(isThere);
    know();
    assert.deepEqual(await restored, kept);
  });

  it('is restored while signed out', async () => {
    const { search, know } = windowOn(own, storedOf(own));
    know('signedOut');
    assert.deepEqual(await search.restore({ ...kept, ran: false }), { ...kept, ran: false });
  });

  it('is not restored on another connection', async () => {
    const others = [
      connection('other', 'https://other.example'),
      // The setting has another address under the same name by now, or two names for one.
      connection('mine', 'https://other.example'),
      connection('mine', 'http://localhost:8080'),
      connection('other', 'https://mine.example'),
      undefined,
    ];
    for (const other of others) {
      const { search, know } = windowOn(other, storedOf(own));
      know();
      assert.isUndefined(await search.restore(kept), other?.baseUrl);
    }
  });

  it('is not restored if its connection is unknown', async () => {
    for (const stored of [new Map<string, unknown>(), new Map([['logExplorer.connection', 7]])]) {
      for (const chosen of [own, undefined]) {
        const { search, know } = windowOn(chosen, stored);
        know();
        assert.isUndefined(await search.restore(kept));
      }
    }
  });

  it('is not restored because of a search that runs in the meantime', async () => {
    const other = connection('other', 'https://other.example');
    const { search, know } = windowOn(other, storedOf(own));
    const restored = search.restore(kept);
    know();
    search.remember();
    assert.isUndefined(await restored);
    // From now on it is.
    assert.deepEqual(await search.restore(kept), kept);
  });

  it('is not stored without a connection', () => {
    const stored = storedOf(own);
    const before = new Map(stored);
    const { search, know } = windowOn(undefined, stored);
    know();
    search.remember();
    assert.deepEqual(stored, before);
  });

  it('is ignored if it is invalid', async () => {
    for (const odd of [undefined, null, 7, 'text', {}, { ...kept, ran: 'yes' }, { query: [] }]) {
      const { search, know } = windowOn(own, storedOf(own));
      know();
      assert.isUndefined(await search.restore(odd));
    }
  });
});
