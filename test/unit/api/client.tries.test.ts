import { assert } from 'chai';
import { ApiError } from '../../../src/api/errors';
import { operations as table } from '../../../src/api/generated/operations';
import { covers } from '../covers';
import type { FakeClock } from '../fakeClock';
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
  cleanUpOf,
} from './cannedAnswers';
import { operations, type Operation } from './operations';

/** A body that arrives with this time before each piece, in milliseconds. */
function slowBody(clock: FakeClock, pieces: readonly string[], ms: number): Response {
  const rest = [...pieces];
  return new Response(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise<void>((resolve) => clock.setTimer(resolve, ms));
        const piece = rest.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    }),
  );
}

describe('time-outs of the client', () => {
  it(`end three tries without headers ${covers('F24', 'unit')}`, async () => {
    const { list, clock, received, entries } = harness(silent);
    const start = clock.monotonic();
    const error = await clock.run(apiError(list()));
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
    const { list, clock, received } = harness([
      broken(bodyOf(['{"integrations"', ':'], 'stall')),
      json({ integrations: [] }),
    ]);
    const start = clock.monotonic();
    await clock.run(list());
    assert.lengthOf(received, 2);
    assert.strictEqual(clock.monotonic() - start, 20_000 + 250);
  });

  it('end a body that never ends, a byte at a time', async () => {
    const { client, asked, clock, received } = harness(() =>
      slowBody(clock, Array<string>(9).fill(' '), 19_000),
    );
    const call = apiError(client.listIntegrations({}, { ...asked, retries: false }));
    await clock.advance(40_000);
    assert.include(await call, { kind: 'timeout' });
    assert.lengthOf(received, 1);
    assert.isTrue(received[0]!.request.signal.aborted);
  });

  it('do not end a slow body', async () => {
    const { list, clock, received } = harness(() =>
      slowBody(clock, Array.from('{"integrations":[]}'), 1500),
    );
    assert.deepEqual(await clock.run(list()), { integrations: [] });
    assert.lengthOf(received, 1);
  });

  it('are as long as the setting says, even longer than a timer can be', async () => {
    const settings = () => ({ ...defaults, timeoutSeconds: 2 ** 31 });
    const { list, clock, received } = harness([silent, json({})], { settings });
    const call = list();
    await clock.advance(2 ** 31 - 2);
    assert.lengthOf(received, 1);
    await clock.run(call);
  });
});

describe('tries of the client', () => {
  const calls: readonly Pick<Operation, 'name' | 'call'>[] = [
    ...operations,
    { name: 'openLogStream', call: (client, asked) => client.openLogStream({ filters }, asked) },
  ];
  for (const { name, call } of calls) {
    it(`are those of its rule for ${name} after an outage ${covers('F18, F24', 'unit')}`, async () => {
      const { client, asked, clock, received, entries } = harness(refusal(503));
      await clock.run(apiError(call(client, asked)));
      const tries = { read: 3, idempotent: 3, unsafe: 1, caller: 1 }[table[name].retry];
      assert.lengthOf(received, tries);
      assert.lengthOf(entries, tries);
    });

    it(`share the 429 of ${name} with its class of endpoints ${covers('F23', 'unit')}`, async () => {
      const { client, asked, received } = harness([
        refusal(429, { 'retry-after': '30' }),
        json(queryAnswer),
      ]);
      const once = { ...asked, retries: false };
      await apiError(call(client, once));
      const classes = {
        logs: client.queryLogs({ filters }, once),
        read: client.listResources({ sourceId: uuid }, once),
        action: client.retryPreviewReporting({}, once),
      };
      for (const [endpoints, answer] of Object.entries(classes)) {
        const error = await answer.catch((thrown: unknown) => thrown);
        assert.equal(error instanceof ApiError, endpoints === table[name].limit, endpoints);
      }
      assert.lengthOf(received, 3);
    });
  }

  it(`do not wait for the 429 of another connection ${covers('F63', 'unit')}`, async () => {
    const limited = harness(refusal(429, { 'retry-after': '3600' }));
    await apiError(limited.list());
    const other = harness(json({}));
    await other.list();
    assert.lengthOf(other.received, 1);
  });

  it(`compare a date with the clock of the server ${covers('F23', 'unit')}`, async () => {
    const headers = {
      'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT',
      date: 'Sat, 21 Nov 2026 08:00:00 GMT',
    };
    const error = await apiError(harness(refusal(429, headers)).list());
    assert.strictEqual(error.retryAfter, 3_600_000);
  });

  it('send the same bytes for a query of logs', async () => {
    const answers = [refusal(503), unreachable(), json(queryAnswer)];
    const { client, asked, clock, received } = harness(answers);
    const request = { filters: { ...filters, search: 'first' } };
    const bytes = JSON.stringify(request);
    const call = client.queryLogs(request, asked);
    request.filters.search = 'changed meanwhile';
    await clock.run(call);
    assert.deepEqual(
      received.map(({ body }) => body),
      [bytes, bytes, bytes],
    );
  });

  it(`send the same bytes and key for a clean-up ${covers('F43', 'unit')}`, async () => {
    const items = ['web-1', 'ü', '"'];
    const { client, asked, clock, received } = harness([
      unreachable('ECONNRESET'),
      refusal(429, { 'retry-after': '3' }),
      broken(bodyOf(['{"operation":'], new Error('terminated'))),
      json({ operation: { id: 'op_1' }, replayed: true }, { status: 202 }),
    ]);
    const cleanUp = cleanUpOf(items, 'k1');
    const call = client.cleanUpOrphans(cleanUp, asked);
    cleanUp.body.items.push({ name: 'added later' });
    const { replayed } = await clock.run(call);
    assert.isTrue(replayed);
    assert.lengthOf(received, 4);
    for (const { body, headers } of received) {
      assert.strictEqual(body, '{"items":[{"name":"web-1"},{"name":"ü"},{"name":"\\""}]}');
      assert.strictEqual(headers['idempotency-key'], 'k1');
    }
  });
});
