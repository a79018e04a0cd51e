import { assert } from 'chai';
import type { ControlPlaneClient, Wait } from '../../../src/api/client';
import { covers } from '../covers';
import {
  apiError,
  bodyOf,
  broken,
  defaults,
  filters,
  harness,
  json,
  queryAnswer,
  refusal,
  silent,
  unreachable,
  uuid,
} from './cannedAnswers';

const cleanUp = { serverId: uuid, items: ['a', 'b'], idempotencyKey: 'k1' };
const sync = { sourceId: uuid, environmentId: uuid };

describe('time-outs of the client', () => {
  it(`end three tries without headers ${covers('F24', 'unit')}`, async () => {
    const { client, clock, received, entries, signal } = harness(silent);
    const start = clock.monotonic();
    const error = await clock.run(
      apiError(client.listIntegrations({ signal, priority: 'person' })),
    );
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

  it(`end a body that stops arriving ${covers('F13', 'unit')}`, async () => {
    const { client, clock, received, signal } = harness([
      broken(bodyOf(['{"integrations"', ':'], 'stall')),
      json({ integrations: [] }),
    ]);
    await clock.run(client.listIntegrations({ signal, priority: 'person' }));
    assert.lengthOf(received, 2);
  });

  it('end a body that never ends, a byte at a time', async () => {
    const { client, clock, received, signal } = harness(() => {
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise<void>((resolve) => clock.setTimer(resolve, 19_000));
          controller.enqueue(new TextEncoder().encode(' '));
        },
      });
      return new Response(body);
    });
    const call = apiError(client.listIntegrations({ signal, priority: 'person', retries: false }));
    await clock.advance(40_000);
    assert.include(await call, { kind: 'timeout' });
    assert.lengthOf(received, 1);
    assert.isTrue(received[0]!.request.signal.aborted);
  });

  it('do not end a slow body', async () => {
    const { client, clock, received, signal } = harness(() => {
      const pieces = Array.from(JSON.stringify({ integrations: [] }));
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise<void>((resolve) => clock.setTimer(resolve, 1_500));
          const piece = pieces.shift();
          if (piece === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(piece));
        },
      });
      return new Response(body);
    });
    assert.deepEqual(await clock.run(client.listIntegrations({ signal, priority: 'person' })), {
      integrations: [],
    });
    assert.lengthOf(received, 1);
  });

  it('are as long as the setting says, even longer than a timer can be', async () => {
    const settings = { ...defaults, timeoutSeconds: 2 ** 31 };
    const { client, clock, received, signal } = harness([silent, json({})], {
      settings: () => settings,
    });
    const call = client.listIntegrations({ signal, priority: 'person' });
    await clock.advance(2 ** 31 - 2);
    assert.lengthOf(received, 1);
    await clock.run(call);
  });
});

describe('tries of the client', () => {
  const reads: [string, (client: ControlPlaneClient, signal: AbortSignal) => Promise<unknown>][] = [
    ['a GET', (client, signal) => client.listResources(uuid, { signal, priority: 'person' })],
    [
      'a clean-up',
      (client, signal) => client.cleanUpOrphans(cleanUp, { signal, priority: 'person' }),
    ],
  ];
  for (const [what, call] of reads) {
    it(`are three for ${what} after an outage ${covers('F18, F24', 'unit')}`, async () => {
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

  it('are three for a query of logs, with the same bytes', async () => {
    const { client, clock, received, signal } = harness([
      refusal(503),
      unreachable(),
      json(queryAnswer),
    ]);
    const request = { filters: { ...filters, search: 'first' } };
    const call = client.queryLogs(request, { signal, priority: 'person' });
    request.filters.search = 'changed meanwhile';
    await clock.run(call);
    assert.deepEqual(
      received.map(({ body }) => body),
      Array<string>(3).fill(JSON.stringify({ filters: { ...filters, search: 'first' } })),
    );
  });

  it('are one if the outcome would be unknown', async () => {
    for (const outage of [
      unreachable('ECONNRESET'),
      refusal(500),
      refusal(503),
      silent,
      broken(bodyOf(['{'], new Error('terminated'))),
    ]) {
      const { client, clock, received, signal } = harness(outage);
      await clock.run(apiError(client.syncEnvironment(sync, { signal, priority: 'person' })));
      await clock.run(apiError(client.retryPreviewReporting({ signal, priority: 'person' })));
      assert.lengthOf(received, 2);
    }
  });

  it('are one if the caller has its own rules', async () => {
    const { client, received, signal } = harness(refusal(429, { 'retry-after': '7' }));
    const error = await apiError(
      client.queryLogs({ filters }, { signal, priority: 'person', retries: false }),
    );
    assert.strictEqual(error.retryAfter, 7000);
    assert.lengthOf(received, 1);
  });

  it(`wait for the 429 that another call received ${covers('F23', 'unit')}`, async () => {
    const { client, clock, received, signal } = harness([
      refusal(429, { 'retry-after': '30' }),
      json(queryAnswer),
      json(queryAnswer),
    ]);
    const first = client.queryLogs({ filters }, { signal, priority: 'person' });
    await clock.advance(10_000);
    const waits: (Wait | undefined)[] = [];
    const asked = clock.now();
    const second = client.queryLogs(
      { filters },
      { signal, priority: 'person', onWait: (wait) => waits.push(wait) },
    );
    await clock.advance(19_999);
    assert.lengthOf(received, 1);
    await clock.run(Promise.all([first, second]));
    assert.lengthOf(received, 3);
    const [wait] = waits;
    assert.isAtLeast(wait?.ms ?? 0, 20_000);
    assert.equal(wait?.until, asked + (wait?.ms ?? 0));
    assert.isUndefined(waits.at(-1), 'the wait is over');
  });

  it(`do not wait for the 429 of another connection ${covers('F63', 'unit')}`, async () => {
    const limited = harness(refusal(429, { 'retry-after': '30' }));
    await apiError(
      limited.client.queryLogs(
        { filters },
        { signal: limited.signal, priority: 'person', retries: false },
      ),
    );
    const other = harness(json(queryAnswer));
    await other.client.queryLogs({ filters }, { signal: other.signal, priority: 'person' });
    assert.lengthOf(other.received, 1);
  });

  it(`are one if the next would fail too ${covers('F20, F22', 'unit')}`, async () => {
    for (const status of [400, 401, 403, 404, 409, 410, 413, 422]) {
      const { client, received, signal } = harness(refusal(status));
      assert.strictEqual(
        (await apiError(client.listIntegrations({ signal, priority: 'person' }))).status,
        status,
      );
      assert.lengthOf(received, 1);
    }
  });

  it(`wait after a 429, also for requests that are sent only once ${covers('F23', 'unit')}`, async () => {
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
      const call = client.syncEnvironment(sync, { signal, priority: 'person' });
      await clock.advance(Math.max(0, wait - 1));
      assert.lengthOf(received, 1);
      const start = clock.monotonic();
      await clock.run(call);
      assert.lengthOf(received, 2);
      assert.isAtMost(clock.monotonic() - start, Math.max(wait * 0.1 + 1, 500));
    }
  });

  it(`compare a date with the clock of the server ${covers('F23', 'unit')}`, async () => {
    const { client, signal } = harness(
      refusal(429, {
        'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT',
        date: 'Sat, 21 Nov 2026 08:00:00 GMT',
      }),
    );
    const error = await apiError(client.listIntegrations({ signal, priority: 'person' }));
    assert.strictEqual(error.retryAfter, 3_600_000);
  });

  it(`leave a wait of more than ten minutes to the caller ${covers('F23', 'unit')}`, async () => {
    for (const header of ['86400', '2147483648', '9'.repeat(400)]) {
      const { client, clock, received, signal } = harness(refusal(429, { 'retry-after': header }));
      const error = await apiError(client.listIntegrations({ signal, priority: 'person' }));
      assert.isAtLeast(error.retryAfter ?? 0, 86_400_000);
      assert.lengthOf(received, 1);
      assert.strictEqual(clock.liveTimers, 0);
    }
  });

  it('end with a server that always sends 429', async () => {
    const { client, clock, received, signal } = harness(refusal(429, { 'retry-after': '0' }));
    await clock.run(apiError(client.listIntegrations({ signal, priority: 'person' })));
    assert.lengthOf(received, 10);
  });

  it(`send the same bytes and key for a clean-up ${covers('F43', 'unit')}`, async () => {
    const items = ['web-1', 'ü', '"'];
    const { client, clock, received, signal } = harness([
      unreachable('ECONNRESET'),
      refusal(429, { 'retry-after': '3' }),
      broken(bodyOf(['{"operation":'], new Error('terminated'))),
      json({ operation: { id: 'op_1' }, replayed: true }, { status: 202 }),
    ]);
    const call = client.cleanUpOrphans({ ...cleanUp, items }, { signal, priority: 'person' });
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
