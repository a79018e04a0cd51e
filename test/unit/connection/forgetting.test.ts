import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'chai';
import type { ListedStorage } from '../../../src/base/storedValue';
import { connectionId, makeConnection } from '../../../src/connection/connections';
import { Forgetting, removeConnection } from '../../../src/connection/forgetting';
import { StoredPerConnection } from '../../../src/connection/perConnection';
import { SavedPageState } from '../../../src/logs/explorer/protocol/pageMessages';
import { covers } from '../covers';

const [shop, shop2] = ['shop', 'shop 2'].map((name) => makeConnection(name, 'https://a.example')!);
const [id, other] = [connectionId(shop!), connectionId(shop2!)];

/** A storage as VS Code keeps it: JSON, without undefined values. */
function storageOf(
  values: Record<string, unknown> = {},
): ListedStorage & { readonly json: string } {
  const stored = new Map(Object.entries(values));
  return {
    keys: () => [...stored.keys()],
    get: (key) => stored.get(key),
    update(key, value) {
      if (value === undefined) stored.delete(key);
      else stored.set(key, JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
    get json() {
      return JSON.stringify([...stored]);
    },
  };
}

describe('Forgetting a connection', () => {
  it(`removes what each kind of stored value has of it, and nothing of others ${covers('F79', 'unit')}`, async () => {
    const storage = storageOf();
    for (const connection of [shop2!, shop!]) {
      const state = { kind: 'signedOut' as const, connection };
      const session = { state, ready: Promise.resolve() };
      const texts = new StoredPerConnection(session, storage, 'recent', (one) => String(one));
      texts.set(`of ${connection.name}`);
      // Those that keep one connection.
      new SavedPageState(session, storage, 'logExplorer', () => undefined).remember();
      await storage.update('tails', { connection: connectionId(connection), tails: [] });
      await storage.update(`discovered ${connectionId(connection)}`, true);
    }
    await storage.update('folded', true);
    assert.include(storage.json, 'of shop"');
    await removeConnection(storage, id);
    assert.deepEqual(JSON.parse(storage.json), [
      ['recent', [[other, 'of shop 2']]],
      [`discovered ${other}`, true],
      ['folded', true],
    ]);
  });

  it('never throws, whatever is stored', async () => {
    const odd = { a: null, b: [null, [id], [[id]]], c: { connection: 7 }, d: id, e: 0 };
    const storage = storageOf(odd);
    await removeConnection(storage, id);
    assert.deepEqual(Object.fromEntries(JSON.parse(storage.json) as []), {
      ...{ a: null, b: [null, [[id]]], c: { connection: 7 }, e: 0 },
    });
  });

  it('removes what another window has when that hears of it or starts, once', async () => {
    const all = storageOf({ told: [[id, 'x']] });
    const [here, elsewhere] = [storageOf({ recent: [[id, 1]] }), storageOf({ recent: [[id, 2]] })];
    const forgetting = new Forgetting(here, all);
    await forgetting.forget(id, 1000);
    assert.deepEqual(await forgetting.catchUp(), [id]);
    assert.isEmpty(all.get('told'));
    assert.isEmpty(here.get('recent'));
    const next = new Forgetting(elsewhere, all);
    assert.deepEqual(await next.catchUp(), [id]);
    assert.isEmpty(elsewhere.get('recent'));
    await elsewhere.update('recent', [[id, 'after connecting again']]);
    assert.isEmpty(await next.catchUp());
    assert.isEmpty(await new Forgetting(elsewhere, all).catchUp());
    assert.lengthOf(elsewhere.get('recent') as [], 1);
    await forgetting.forget(id, 2000);
    assert.deepEqual(await next.catchUp(), [id], 'again');
    assert.isEmpty(elsewhere.get('recent'));
  });
});

describe('What is stored', () => {
  const root = path.resolve(__dirname, '../../../src');

  /** Stored values that are no connection's own, or that name their connection, by file. */
  const own: Readonly<Record<string, string>> = {
    'connection/forgetting.ts': 'which connections are forgotten',
    'connection/perConnection.ts': 'the pairs of each connection',
    'connection/session.ts': 'which connection a window used last, as in the settings',
    'data/ui/discover.ts': 'a key with the id of the connection',
    'logs/explorer/protocol/pageMessages.ts': 'the id of the connection',
    'logs/explorer/ui/explorerPanel.ts': 'whether a part of the page is folded',
    'logs/tail/ui/tailFile.ts': 'a folder, and an object with the id of the connection',
    'trees/ui/treeView.ts': 'the filter and order of a view',
  };

  it('of a connection is a StoredPerConnection, or is found as well', () => {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((file) => file.split(path.sep).join('/'))
      .filter((file) => file.endsWith('.ts'));
    const withValues = files.filter((file) =>
      /\bnew StoredValue\(|[sS](?:tate|torage)\.update\(|[mM]emento\.update\(/.test(
        readFileSync(path.join(root, file), 'utf8'),
      ),
    );
    assert.sameMembers(
      withValues.filter((file) => file !== 'base/storedValue.ts'),
      Object.keys(own),
    );
  });
});
