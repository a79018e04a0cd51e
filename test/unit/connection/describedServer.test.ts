import { assert } from 'chai';
import contract from '../../../src/api/openapi.json';
import type { RequestEntry } from '../../../src/api/sendRequest';
import type { ListedStorage } from '../../../src/base/storedValue';
import { day, hour, minute } from '../../../src/base/clock';
import { makeConnection } from '../../../src/connection/connections';
import { DescribedServer } from '../../../src/connection/describedServer';
import { signInto } from '../../../src/connection/session';
import { defaults, uuid } from '../api/cannedAnswers';
import { fakeClock, settle, type FakeClock } from '../fakeClock';

const connection = makeConnection('one', 'https://one.example')!;
const segment = 'watch-alerts';

/** The contract with another segment, as a server describes itself. */
const description = JSON.stringify(contract).replaceAll('monitor-alerts', segment);

/** A storage of all windows, as JSON. */
function storageOf(): ListedStorage {
  const values = new Map<string, string>();
  return {
    keys: () => [...values.keys()],
    get: (key): unknown => JSON.parse(values.get(key) ?? 'null') ?? undefined,
    update: (key, value) => Promise.resolve(void values.set(key, JSON.stringify(value))),
  };
}

describe('The description of a server', () => {
  let clock: FakeClock;
  let storage: ListedStorage;
  /** What was requested below `/v1/api`. */
  let requests: string[];
  let entries: RequestEntry[];
  /** What it answers to a request for its description. */
  let describing: () => Response;
  /** What it answers to any other. */
  let others: () => Response;

  beforeEach(() => {
    clock = fakeClock();
    storage = storageOf();
    requests = [];
    entries = [];
    describing = () => new Response(description);
    others = () => Response.json({});
  });

  function openWindow(own: object = {}) {
    const server = new DescribedServer(connection, storage, clock);
    const { signedIn, end } = signInto(
      connection,
      { get: () => Promise.resolve('key') },
      {
        fetch(request) {
          const path = new URL(request.url).pathname.replace('/v1/api', '');
          requests.push(path);
          assert.equal(request.headers.get('authorization'), 'Bearer key');
          return Promise.resolve(path === '/openapi.json' ? describing() : others());
        },
        clock,
        random: () => 0,
        settings: () => ({ ...defaults, own }),
        onDidRequest: (entry) => entries.push(entry),
      },
      server,
    );
    const ask = async (): Promise<void> => {
      const { signal } = signedIn;
      const options = { signal, priority: 'awaited' } as const;
      await clock
        .run(signedIn.client.listAlertRules({ serverId: uuid }, options))
        .catch(() => null);
      await clock.advance(0);
      await settle();
      await clock.advance(0);
    };
    return { server, signedIn, end, ask };
  }
  const usual = `/servers/${uuid}/monitor-alerts`;
  const own = `/servers/${uuid}/${segment}`;

  it('is requested after the first answer to anything else, and decides what is requested then', async () => {
    const { server, ask } = openWindow();
    let changes = 0;
    server.onDidChange(() => changes++);
    assert.isEmpty(requests);
    await ask();
    await ask();
    assert.deepEqual(requests, [usual, '/openapi.json', own]);
    assert.equal(changes, 1);
    assert.equal(server.facts?.version, contract.info.version);
  });

  it('is requested at once if it was never asked for and what a person does depends on it', async () => {
    const first = openWindow();
    await clock.run(first.signedIn.whenDescribed());
    assert.deepEqual(requests, ['/openapi.json']);
    assert.isDefined(first.server.facts);
    await clock.advance(2 * day);
    await openWindow().signedIn.whenDescribed();
    assert.deepEqual(requests, ['/openapi.json'], 'what is known is good enough');
  });

  it('is requested without any other answer for what only it can tell of, again ten minutes after a failure', async () => {
    const { server, signedIn } = openWindow();
    describing = () => new Response(null, { status: 503 });
    const show = async (): Promise<number> => {
      signedIn.describeIfDue();
      signedIn.describeIfDue();
      await clock.advance(60_000);
      return requests.splice(0).length;
    };
    assert.isAbove(await show(), 0);
    assert.equal(await show(), 0, 'it has just failed');
    await clock.advance(600_000);
    describing = () => new Response(description);
    assert.equal(await show(), 1);
    assert.isDefined(server.facts);
    assert.equal(await show(), 0, 'it is known');
    await clock.advance(day);
    assert.equal(await show(), 1);
  });

  it('is kept for each window and start, and read again once a day', async () => {
    await openWindow().ask();
    requests = [];
    const later = openWindow();
    await later.ask();
    assert.deepEqual(requests, [own]);
    await clock.advance(day + 1);
    let changes = 0;
    later.server.onDidChange(() => changes++);
    await later.ask();
    await later.ask();
    assert.deepEqual(requests, [own, own, '/openapi.json', own]);
    assert.equal(changes, 0, 'it says the same');
  });

  it('is never requested if its path is empty, and what was kept of it does not count', async () => {
    await openWindow().ask();
    requests = [];
    await openWindow({ descriptionPath: '' }).ask();
    assert.deepEqual(requests, [usual]);
  });

  for (const [what, answer] of [
    ['there is none', () => Response.json({}, { status: 404 })],
    ['the key may not read it', () => Response.json({}, { status: 403 })],
    ['it is a page', () => new Response('<html></html>')],
    ['it breaks off', () => new Response(description.slice(0, -9))],
    ['it is that of another API', () => Response.json({ openapi: '3.1.0', paths: {} })],
    ['it redirects', () => new Response(null, { status: 302, headers: { location: '/a' } })],
  ] as const) {
    it(`says nothing if ${what}, and is not requested again before a day is over`, async () => {
      describing = answer;
      const { server, ask } = openWindow();
      await ask();
      await ask();
      assert.deepEqual(requests, [usual, '/openapi.json', usual]);
      assert.isUndefined(server.facts);
      assert.isDefined(server.failure);
      await openWindow().ask();
      assert.deepEqual(requests.slice(3), [usual]);
      await clock.advance(day + 1);
      describing = () => new Response(description);
      await ask();
      await ask();
      assert.deepEqual(requests.slice(4), [usual, '/openapi.json', own]);
      assert.isUndefined(server.failure);
      const optional = entries.filter(({ isOptional }) => isOptional).map(({ path }) => path);
      assert.deepEqual(optional, ['/v1/api/openapi.json', '/v1/api/openapi.json']);
      assert.isAbove(entries.length, 2);
    });
  }

  it('keeps what it said before if it cannot be reached, and is tried again later', async () => {
    const { server, ask } = openWindow();
    await ask();
    await clock.advance(day + 1);
    describing = () => Response.json({}, { status: 503 });
    requests = [];
    await ask();
    await ask();
    assert.deepEqual(requests, [own, '/openapi.json', own]);
    assert.equal(server.facts?.version, contract.info.version);
    await clock.advance(11 * minute);
    await ask();
    assert.equal(requests.at(-1), '/openapi.json');
  });

  it('is read again if an answer contradicts it, but not each time', async () => {
    const { ask } = openWindow();
    await ask();
    others = () => Response.json({}, { status: 404 });
    requests = [];
    await ask();
    assert.deepEqual(requests, [own], 'it was read just now');
    await clock.advance(2 * hour);
    describing = () => new Response(JSON.stringify(contract));
    await ask();
    await ask();
    assert.deepEqual(requests, [own, own, '/openapi.json', usual]);
  });

  it('is not requested without an answer, with a refused key and after a sign-out', async () => {
    const { server, ask, end } = openWindow();
    const entry = (status: number | undefined): RequestEntry => ({
      ...{ method: 'GET', path: '/', status, milliseconds: 1, requestId: undefined },
      ...{ date: undefined, failure: undefined, leftOut: [] },
    });
    for (const status of [undefined, 401, 429, 500, 503]) {
      assert.isFalse(server.isDueAfter(entry(status)), String(status));
    }
    for (const status of [200, 400, 403, 404]) {
      assert.isTrue(server.isDueAfter(entry(status)), String(status));
    }
    end();
    await ask();
    assert.isEmpty(requests);
  });

  it('is read anew if what was stored is not valid', async () => {
    await openWindow().ask();
    const stored = JSON.stringify(storage.get('serverDescriptions'));
    for (const [text, other] of [
      [segment, '..'],
      [segment, 'a/../../b'],
      ['deployableId","isRequired":false', 'a&b","isRequired":false'],
      ['listAlertRules', 'unknownOperation'],
      ['"path":', '"other":'],
    ] as const) {
      assert.include(stored, text);
      void storage.update('serverDescriptions', JSON.parse(stored.replaceAll(text, other)));
      const { server } = openWindow();
      assert.notInclude(JSON.stringify(server.facts ?? ''), other);
    }
  });
});
