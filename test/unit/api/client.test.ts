import { assert } from 'chai';
import { StreamCursor } from '../../../src/api/cursors';
import { retryRules } from '../../../src/api/retryPolicy';
import {
  baseUrl,
  bodyOf,
  canary,
  defaults,
  filters,
  harness,
  json,
  otherSettings,
  refusal,
  uuid,
} from './cannedAnswers';
import { localization, operation, operations } from './operations';

describe('the client', () => {
  for (const { name, call, sent, elsewhere, body, headers, answer, result } of operations) {
    it(`${name} sends the request of the contract and returns the response`, async () => {
      const { client, received, signal, entries, clock } = harness(json(answer));
      assert.deepEqual(await call(client, { signal, priority: 'person' }), result ?? answer);
      const [one] = received;
      const [method, path = ''] = sent.split(' ');
      assert.strictEqual(one?.method, method);
      assert.strictEqual(one?.path, `/team${path}`);
      assert.strictEqual(one?.request.url, baseUrl + path);
      assert.strictEqual(one?.body, body === undefined ? '' : JSON.stringify(body));
      assert.deepEqual(one?.headers, {
        accept: 'application/json',
        authorization: `Bearer ${canary}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      });
      assert.strictEqual(one?.request.redirect, 'manual');
      assert.strictEqual(one?.request.credentials, 'omit');
      assert.strictEqual(one?.request.cache, 'no-store');
      assert.deepEqual(entries, [
        {
          method: method ?? '',
          path: path.split('?')[0] ?? '',
          status: 200,
          milliseconds: 0,
          requestId: undefined,
          date: undefined,
          failure: undefined,
          leftOut: [],
        },
      ]);
      assert.strictEqual(clock.liveTimers, 0);
    });

    it(`${name} uses the segments and parameters of the settings`, async () => {
      const settings = (): typeof otherSettings => otherSettings;
      const { client, received, signal } = harness(json(answer), { settings });
      await call(client, { signal, priority: 'person' });
      const [method, path = ''] = (elsewhere ?? sent).split(' ');
      assert.strictEqual(`${received[0]?.method} ${received[0]?.path}`, `${method} /team${path}`);
    });
  }

  it('has a test for each operation', () => {
    assert.sameMembers(
      [...operations.map(({ name }) => name), 'openLogStream'],
      Object.keys(retryRules),
    );
  });

  it('opens the log stream with its own request', async () => {
    const { client, received, signal } = harness(
      () => new Response(bodyOf([]), { headers: { 'content-type': 'text/event-stream' } }),
    );
    await client.openLogStream(
      { cursor: StreamCursor.of(filters, 'c') },
      { signal, priority: 'person' },
    );
    assert.strictEqual(received[0]?.path, '/team/v1/api/logs/tail');
    assert.strictEqual(received[0]?.headers['accept'], 'text/event-stream');
    assert.strictEqual(received[0]?.body, JSON.stringify({ filters, cursor: 'c' }));
  });

  it('leaves out parameters that are not given', async () => {
    const { client, received, signal } = harness(json({}));
    await client.listAlertRules({ serverId: uuid }, { signal, priority: 'person' });
    await client.listRepositories({}, { signal, priority: 'person' });
    await client.listSecrets({ sourceId: uuid }, { signal, priority: 'person' });
    for (const { path } of received) assert.notInclude(path, '?');
  });

  it('works without a path in the base URL', async () => {
    const plain = 'http://127.0.0.1:3000';
    const { client, received, entries, signal } = harness(json({}), { baseUrl: plain });
    await client.listIntegrations({ signal, priority: 'person' });
    assert.strictEqual(received[0]?.request.url, `${plain}/v1/api/integrations`);
    assert.strictEqual(entries[0]?.path, '/v1/api/integrations');
  });

  it('reads an operation with or without localization, and requests none without an endpoint', async () => {
    const bare = harness(json({ ...operation, errorCode: null }));
    assert.deepEqual(
      await bare.client.getOperation('op_1', { signal: bare.signal, priority: 'person' }),
      operation,
    );
    const odd = harness(json({ operation: null, localization }));
    assert.deepEqual(
      await odd.client.getOperation('op_1', { signal: odd.signal, priority: 'person' }),
      {},
    );
    const settings = (): typeof defaults => ({ ...defaults, operationPath: '' });
    const none = harness(json({ operation }), { settings });
    assert.isUndefined(
      await none.client.getOperation('op_1', { signal: none.signal, priority: 'person' }),
    );
    assert.lengthOf(none.received, 0);
  });

  for (const status of [200, 201, 202, 299]) {
    it(`accepts ${status} as success`, async () => {
      const { client, signal } = harness(json({ attempted: 1 }, { status }));
      assert.deepEqual<unknown>(
        await client.retryPreviewReporting({ signal, priority: 'person' }),
        { attempted: 1 },
      );
    });
  }

  it('reads responses leniently and reports what it left out to the diagnostics', async () => {
    const answer = {
      resources: [{ id: 7, name: 'web', kind: null, novel: 1 }],
      localization: null,
    };
    const { client, entries, signal } = harness(json(answer));
    assert.deepEqual<unknown>(await client.listResources(uuid, { signal, priority: 'person' }), {
      resources: [{ name: 'web', novel: 1 }],
    });
    assert.deepEqual(entries[0]?.leftOut, ['resources[0].id']);
  });

  it('reports each try to the diagnostics: status, code, requestId, date and duration', async () => {
    const date = 'Fri, 20 Nov 2026 12:00:00 GMT';
    const { client, clock, entries, signal } = harness([
      refusal(503, { date }),
      async () => {
        await new Promise<void>((resolve) => clock.setTimer(resolve, 70));
        return Response.json({ integrations: [] }, { headers: { date } });
      },
    ]);
    await clock.run(client.listIntegrations({ signal, priority: 'person' }));
    assert.deepEqual(
      entries.map((entry) => [
        entry.status,
        entry.failure,
        entry.requestId,
        entry.date,
        entry.milliseconds,
      ]),
      [
        [503, 'code_503', 'req_1', date, 0],
        [200, undefined, undefined, date, 70],
      ],
    );
  });
});
