import { assert } from 'chai';
import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { ApiError } from '../../../src/api/errors';
import type { ControlPlaneClient } from '../../../src/api/client';
import {
  bodyOf,
  canary,
  defaults,
  failure,
  filters,
  harness,
  json,
  queryAnswer,
  refusal,
  silent,
  unreachable,
  uuid,
  type Handler,
} from './inMemoryServer';

async function apiError(promise: Promise<unknown>): Promise<ApiError> {
  const error = await failure(promise);
  if (!(error instanceof ApiError)) throw error;
  return error;
}

/** An answer of which only the body is at fault. */
function broken(
  body: ReadableStream<Uint8Array> | string | null,
  init: ResponseInit = {},
): Handler {
  return () => new Response(body, init);
}

const cleanUp = { serverId: uuid, items: ['a', 'b'], idempotencyKey: 'k1' };
const sync = { sourceId: uuid, environmentId: uuid };

describe('failures', () => {
  it('hold what the server said', async () => {
    const { client, signal } = harness(refusal(403));
    const error = await apiError(client.listIntegrations({ signal }));
    assert.deepInclude(error, {
      kind: 'http',
      status: 403,
      code: 'code_403',
      message: 'Refused with 403.',
      requestId: 'req_1',
      retryAfter: undefined,
    });
  });

  const noErrorObject: [string, Handler][] = [
    ['HTML', broken('<!doctype html><title>Bad gateway</title>', { status: 404 })],
    ['nothing', broken(null, { status: 404 })],
    ['JSON of another form', json({ error: 'no' }, { status: 404 })],
    ['a body that breaks off', broken(bodyOf(['{"error":'], new Error('reset')), { status: 404 })],
    [
      'a long body',
      broken(bodyOf(Array<string>(100).fill('x'.repeat(10_000)), 'stall'), { status: 404 }),
    ],
  ];
  for (const [what, handler] of noErrorObject) {
    it(`say the status where the server sends ${what} with it`, async () => {
      const { client, signal } = harness(handler);
      const error = await apiError(client.listIntegrations({ signal }));
      assert.deepInclude(error, { kind: 'http', status: 404, code: 'noErrorObject' });
      assert.include(error.message, '404');
    });
  }

  it('say the status where the reason does not come in time', async () => {
    const { client, clock, signal } = harness(broken(bodyOf(['{'], 'stall'), { status: 404 }));
    const error = await clock.run(apiError(client.listIntegrations({ signal })));
    assert.deepInclude(error, { kind: 'http', status: 404 });
  });

  const notTheContract: [string, Handler, string][] = [
    ['HTML', broken('<!doctype html>', { headers: { 'content-type': 'text/html' } }), 'notJson'],
    ['204', broken(null, { status: 204 }), 'emptyAnswer'],
    ['an empty body', broken('', { headers: { 'content-length': '0' } }), 'emptyAnswer'],
    ['an empty stream', broken(bodyOf([])), 'emptyAnswer'],
    ['a list', json([]), 'notJson'],
    ['null', json(null), 'notJson'],
    ['half an object', broken('{"integrations":['), 'notJson'],
    ['a text', json('ok'), 'notJson'],
  ];
  for (const [what, handler, code] of notTheContract) {
    it(`are clear where 200 comes with ${what} (F12)`, async () => {
      const { client, received, entries, signal } = harness(handler);
      const error = await apiError(client.listIntegrations({ signal }));
      assert.deepInclude(error, { kind: 'protocol', code });
      assert.strictEqual(entries[0]?.failure, code);
      assert.lengthOf(received, 1, 'it would come again');
    });
  }

  it('are clear where a page of logs breaks its schema (F11)', async () => {
    const { client, signal } = harness(json({ ...queryAnswer, localization: { timeZone: 'UTC' } }));
    const error = await apiError(client.queryLogs({ filters }, { signal }));
    assert.deepInclude(error, { kind: 'protocol', code: 'wrongSchema' });
    assert.match(error.message, /^localization\.dateFormat /);
  });

  it('are clear where the answer has no end', async () => {
    const megabyte = 'x'.repeat(1024 * 1024);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent++;
        controller.enqueue(new TextEncoder().encode(megabyte));
      },
    });
    const { client, signal } = harness(broken(body));
    assert.deepInclude(await apiError(client.listIntegrations({ signal })), { code: 'tooLarge' });
    assert.isBelow(sent, 70);
  });

  for (const status of [301, 302, 303, 304, 307, 308]) {
    it(`refuse a redirect with ${status}: nothing is sent on (F51)`, async () => {
      const headers = { location: 'https://evil.example/v1/api/logs/query' };
      const { client, received, signal } = harness(broken(null, { status, headers }));
      const error = await apiError(client.cleanUpOrphans(cleanUp, { signal }));
      assert.deepInclude(error, { kind: 'redirect', code: 'redirect', status });
      assert.notInclude(inspect(error, { depth: 9 }), 'evil.example');
      assert.lengthOf(received, 1);
      assert.strictEqual(received[0]?.request.redirect, 'manual');
    });
  }

  it('refuse a redirect as browsers show it, and one that was followed against our wish (F51)', async () => {
    for (const property of [{ type: 'opaqueredirect' }, { redirected: true }]) {
      const { client, signal } = harness(() => {
        const response = Response.json({});
        for (const [name, value] of Object.entries(property)) {
          Object.defineProperty(response, name, { value });
        }
        return response;
      });
      assert.strictEqual((await apiError(client.listIntegrations({ signal }))).kind, 'redirect');
    }
  });

  it('name why no answer came (F61)', async () => {
    const { client, clock, signal } = harness(unreachable('CERT_HAS_EXPIRED'));
    const error = await clock.run(apiError(client.listIntegrations({ signal })));
    assert.deepInclude(error, { kind: 'network', code: 'certificate', status: undefined });
    assert.instanceOf(error.cause, TypeError);
  });

  it('are named where the proxy wants a login (F61)', async () => {
    const { client, received, signal } = harness(broken('<html>', { status: 407 }));
    assert.deepInclude(await apiError(client.listIntegrations({ signal })), { status: 407 });
    assert.lengthOf(received, 1);
  });
});

describe('a client without a key', () => {
  const tokens: [string, () => Promise<string | undefined>, string][] = [
    ['there is none', () => Promise.resolve(undefined), 'noKey'],
    ['it is empty', () => Promise.resolve(''), 'malformedKey'],
    ['no header can carry it', () => Promise.resolve(`${canary}\n`), 'malformedKey'],
    ['its store fails (F49)', () => Promise.reject(new Error('locked')), 'noKeyStore'],
  ];
  for (const [why, token, code] of tokens) {
    it(`is signed out and sends nothing where ${why}`, async () => {
      const { client, received, entries, signal } = harness(json({}), { token });
      const error = await apiError(client.listIntegrations({ signal }));
      assert.deepInclude(error, { kind: 'signedOut', code });
      assert.notInclude(inspect(error, { depth: 9 }), canary);
      assert.lengthOf(received, 0);
      assert.lengthOf(entries, 0);
    });
  }
});

describe('time-outs', () => {
  it('end a request without headers, three times (F24)', async () => {
    const { client, clock, received, entries, signal } = harness(silent);
    const start = clock.monotonic();
    const error = await clock.run(apiError(client.listIntegrations({ signal })));
    assert.deepInclude(error, { kind: 'timeout', code: 'timeout' });
    assert.lengthOf(received, 3);
    assert.strictEqual(clock.monotonic() - start, 60_000 + 250 + 500);
    assert.isTrue(received.every(({ request }) => request.signal.aborted));
    assert.deepEqual(
      entries.map((entry) => entry.failure),
      ['timeout', 'timeout', 'timeout'],
    );
    assert.strictEqual(clock.liveTimers, 0);
  });

  it('end a body that stops coming, however it comes (F13)', async () => {
    const { client, clock, received, signal } = harness([
      broken(bodyOf(['{"integrations"', ':'], 'stall')),
      json({ integrations: [] }),
    ]);
    await clock.run(client.listIntegrations({ signal }));
    assert.lengthOf(received, 2);
  });

  it('do not end a body that comes slowly', async () => {
    const { client, clock, received, signal } = harness(() => {
      const pieces = Array.from(JSON.stringify({ integrations: [] }));
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise<void>((resolve) => clock.setTimer(resolve, 15_000));
          const piece = pieces.shift();
          if (piece === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(piece));
        },
      });
      return new Response(body);
    });
    assert.deepEqual(await clock.run(client.listIntegrations({ signal })), { integrations: [] });
    assert.lengthOf(received, 1);
  });

  it('are as long as the setting says, even beyond what a timer holds', async () => {
    const settings = { ...defaults, timeoutSeconds: 2 ** 31 };
    const { client, clock, received, signal } = harness([silent, json({})], {
      settings: () => settings,
    });
    const call = client.listIntegrations({ signal });
    await clock.advance(2 ** 31 - 2);
    assert.lengthOf(received, 1);
    await clock.run(call);
  });
});

describe('tries', () => {
  const reads: [string, (client: ControlPlaneClient, signal: AbortSignal) => Promise<unknown>][] = [
    ['a GET', (client, signal) => client.listResources(uuid, { signal })],
    ['a clean-up', (client, signal) => client.cleanUpOrphans(cleanUp, { signal })],
  ];
  for (const [what, call] of reads) {
    it(`are three for ${what} after an outage (F18, F24)`, async () => {
      for (const outage of [unreachable(), refusal(500), refusal(408), silent]) {
        const good = harness([outage, outage, json({})]);
        await good.clock.run(call(good.client, good.signal));
        assert.lengthOf(good.received, 3);
        const bad = harness(outage);
        await bad.clock.run(apiError(call(bad.client, bad.signal)));
        assert.lengthOf(bad.received, 3);
        assert.lengthOf(bad.entries, 3);
      }
    });
  }

  it('are three for a query of logs, and the same to the byte', async () => {
    const { client, clock, received, signal } = harness([
      refusal(503),
      unreachable(),
      json(queryAnswer),
    ]);
    const request = { filters: { ...filters, search: 'first' } };
    const call = client.queryLogs(request, { signal });
    request.filters.search = 'changed meanwhile';
    await clock.run(call);
    assert.deepEqual(
      received.map(({ body }) => body),
      Array<string>(3).fill(JSON.stringify({ filters: { ...filters, search: 'first' } })),
    );
  });

  it('are one where the outcome would be unknown', async () => {
    for (const outage of [
      unreachable('ECONNRESET'),
      refusal(500),
      refusal(503),
      silent,
      broken(bodyOf(['{'], new Error('terminated'))),
    ]) {
      const { client, clock, received, signal } = harness(outage);
      await clock.run(apiError(client.syncEnvironment(sync, { signal })));
      await clock.run(apiError(client.retryPreviewReporting({ signal })));
      assert.lengthOf(received, 2);
    }
  });

  it('are one where the caller has rules of its own', async () => {
    const { client, received, signal } = harness(refusal(429, { 'retry-after': '7' }));
    const error = await apiError(client.queryLogs({ filters }, { signal, retries: false }));
    assert.strictEqual(error.retryAfter, 7000);
    await apiError(client.openLogStream({ filters }, { signal }));
    assert.lengthOf(received, 2);
  });

  it('are one where the next would fail too (F20, F22)', async () => {
    for (const status of [400, 401, 403, 404, 409, 410, 413, 422]) {
      const { client, received, signal } = harness(refusal(status));
      assert.strictEqual((await apiError(client.listIntegrations({ signal }))).status, status);
      assert.lengthOf(received, 1);
    }
  });

  it('wait out a rate limit, for what may be sent only once too (F23)', async () => {
    for (const [header, wait] of [
      ['7', 7000],
      ['0', 0],
      ['-1', 0],
      ['NaN', 0],
      ['500', 500_000],
      ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ] as const) {
      const { client, clock, received, signal } = harness([
        refusal(429, { 'retry-after': header }),
        json({ sync: {} }),
      ]);
      const call = client.syncEnvironment(sync, { signal });
      await clock.advance(Math.max(0, wait - 1));
      assert.lengthOf(received, 1);
      const start = clock.monotonic();
      await clock.run(call);
      assert.lengthOf(received, 2);
      assert.isAtMost(clock.monotonic() - start, Math.max(wait * 0.1 + 1, 500));
    }
  });

  it('compare a date with the clock of the server, which ours may differ from (F23)', async () => {
    const { client, signal } = harness(
      refusal(429, {
        'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT',
        date: 'Sat, 21 Nov 2026 08:00:00 GMT',
      }),
    );
    const error = await apiError(client.listIntegrations({ signal }));
    assert.strictEqual(error.retryAfter, 3_600_000);
  });

  it('leave a wait that is too long for anybody to the caller (F23)', async () => {
    for (const header of ['86400', '2147483648', '9'.repeat(400)]) {
      const { client, clock, received, signal } = harness(refusal(429, { 'retry-after': header }));
      const error = await apiError(client.listIntegrations({ signal }));
      assert.isAtLeast(error.retryAfter ?? 0, 86_400_000);
      assert.lengthOf(received, 1);
      assert.strictEqual(clock.liveTimers, 0);
    }
  });

  it('come to an end with a server that never lets anything through', async () => {
    const { client, clock, received, signal } = harness(refusal(429, { 'retry-after': '0' }));
    await clock.run(apiError(client.listIntegrations({ signal })));
    assert.lengthOf(received, 10);
  });

  it('of a clean-up are the same to the byte, with the same key (F43)', async () => {
    const items = ['web-1', 'ü', '"'];
    const { client, clock, received, signal } = harness([
      unreachable('ECONNRESET'),
      refusal(429, { 'retry-after': '3' }),
      broken(bodyOf(['{"operation":'], new Error('terminated'))),
      json({ operation: { id: 'op_1' }, replayed: true }, { status: 202 }),
    ]);
    const call = client.cleanUpOrphans({ ...cleanUp, items }, { signal });
    items.push('added later');
    const { replayed } = await clock.run(call);
    assert.isTrue(replayed);
    assert.lengthOf(received, 4);
    for (const { body, headers } of received) {
      assert.strictEqual(body, '{"items":[{"name":"web-1"},{"name":"ü"},{"name":"\\""}]}');
      assert.strictEqual(headers['idempotency-key'], 'k1');
    }
  });
});

describe('an abort', () => {
  const reason = new Error('the view was closed');

  const moments: [string, Handler, number][] = [
    ['before the headers', silent, 0],
    ['in the body', broken(bodyOf(['{'], 'stall')), 0],
    ['in the body of an error', broken(bodyOf(['{'], 'stall'), { status: 404 }), 0],
    ['between two tries', refusal(429, { 'retry-after': '60' }), 30_000],
    ['where fetch does not heed it', () => new Promise(() => undefined), 0],
  ];
  for (const [when, handler, after] of moments) {
    it(`${when} ends the call with its reason and leaves nothing behind (F34)`, async () => {
      const { client, clock, received, signal, abort } = harness(handler);
      const end = failure(client.listIntegrations({ signal }));
      await clock.advance(after);
      abort(reason);
      assert.strictEqual(await end, reason);
      assert.strictEqual(clock.liveTimers, 0);
      assert.lengthOf(getEventListeners(signal, 'abort'), 0);
      assert.lengthOf(received, 1);
      assert.isTrue(received[0]?.request.signal.aborted);
    });
  }

  it('before the call sends nothing', async () => {
    const { client, received, entries, signal, abort } = harness(json({}));
    abort(reason);
    assert.strictEqual(await failure(client.listIntegrations({ signal })), reason);
    assert.lengthOf(received, 0);
    assert.lengthOf(entries, 0);
  });

  it('while the key is read sends nothing', async () => {
    const { client, received, entries, signal, abort } = harness(json({}), {
      token: () => {
        abort(reason);
        return Promise.resolve(canary);
      },
    });
    assert.strictEqual(await failure(client.listIntegrations({ signal })), reason);
    assert.lengthOf(received, 0);
    assert.lengthOf(entries, 0);
  });

  it('is told to the diagnostics', async () => {
    const { client, clock, entries, signal, abort } = harness(silent);
    const end = failure(client.listIntegrations({ signal }));
    await clock.advance(0);
    abort(reason);
    await end;
    assert.deepEqual(
      entries.map((entry) => [entry.status, entry.failure]),
      [[undefined, 'aborted']],
    );
  });

  it('can be waited for by 3,000 requests on one signal, which leave no listener (F39)', async () => {
    const { client, clock, signal } = harness((received) =>
      received.path.endsWith('integrations') ? Response.json({}) : refusal(404)(received),
    );
    let most = 0;
    for (let count = 0; count < 1500; count++) {
      await client.listIntegrations({ signal });
      await apiError(client.listResources(uuid, { signal }));
      most = Math.max(most, getEventListeners(signal, 'abort').length);
    }
    assert.strictEqual(most, 0);
    assert.strictEqual(clock.liveTimers, 0);
  });
});

describe('the key (F50)', () => {
  const quoting: Handler = ({ headers }) => {
    const error = {
      code: `bad ${headers['authorization']}`,
      message: `${'x'.repeat(1990)} ${headers['authorization']}`,
      requestId: canary,
    };
    return Response.json({ error }, { status: 400, headers: { 'x-echo': canary } });
  };
  const handlers: [string, Handler][] = [
    ['quotes it', quoting],
    ['refuses it', refusal(401)],
    ['is not there', unreachable()],
    ['says nothing', silent],
    ['sends HTML', broken(`<html>${canary}`)],
    ['sends HTML with an error', broken(`<html>${canary}`, { status: 502 })],
    ['redirects with it', broken(null, { status: 302, headers: { location: `/?key=${canary}` } })],
    ['breaks a page with it', json({ ...queryAnswer, records: canary })],
  ];
  for (const [what, handler] of handlers) {
    it(`is in no error, cause or entry where the server ${what}`, async () => {
      const { client, clock, entries, received, signal } = harness(handler);
      const errors = [
        await clock.run(apiError(client.queryLogs({ filters }, { signal }))),
        await clock.run(apiError(client.openLogStream({ filters }, { signal }))),
      ];
      const everything = inspect([errors, entries], { depth: 20, showHidden: true });
      assert.include(everything, 'v1/api');
      assert.notInclude(everything, 'CANARY');
      assert.notInclude(
        errors.map((error) => (error instanceof Error ? error.stack : '')).join(),
        'CANARY',
      );
      for (const { request, headers } of received) {
        assert.strictEqual(headers['authorization'], `Bearer ${canary}`);
        assert.notInclude(request.url, canary);
      }
    });
  }
});
