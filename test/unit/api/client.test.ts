import { getEventListeners } from 'node:events';
import { assert } from 'chai';
import { StreamCursor } from '../../../src/api/cursors';
import { retryRules } from '../../../src/api/retryPolicy';
import type { RequestEntry } from '../../../src/api/sendRequest';
import { covers } from '../covers';
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
  broken,
  failure,
  silent,
  type Handler,
} from './cannedAnswers';
import { localization, operation, operations } from './operations';
import { records } from './streamText';

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

describe('the clock of the client', () => {
  it('is that of the server, as its answers say', async () => {
    const date = 'Fri, 20 Nov 2026 13:00:00 GMT';
    const { client, clock, signal } = harness(json({}, { headers: { date } }));
    assert.equal(client.serverNow(), clock.now());
    await client.listIntegrations({ signal, priority: 'person' });
    assert.closeTo(client.serverNow(), Date.parse(date), 1000);
  });
});

describe('an abort of the client', () => {
  const reason = new Error('the view was closed');

  const moments: [string, Handler, number][] = [
    ['before the headers', silent, 0],
    ['in the body', broken(bodyOf(['{'], 'stall')), 0],
    ['in the body of an error', broken(bodyOf(['{'], 'stall'), { status: 404 }), 0],
    ['between two tries', refusal(429, { 'retry-after': '60' }), 30_000],
    ['if fetch ignores it', () => new Promise(() => undefined), 0],
  ];
  for (const [when, handler, after] of moments) {
    for (const whose of ['its own signal', 'the lifetime of the client'] as const) {
      it(`ends the call with its reason and leaves nothing ${when}, by ${whose} ${covers('F34, F39, F63', 'unit')}`, async () => {
        const life = new AbortController();
        const own = harness(handler, { lifetime: life.signal });
        const { client, clock, received, signal } = own;
        const end = failure(client.listIntegrations({ signal, priority: 'person' }));
        await clock.advance(after);
        (whose === 'its own signal' ? own : life).abort(reason);
        assert.strictEqual(await end, reason);
        assert.strictEqual(clock.liveTimers, 0);
        assert.lengthOf(getEventListeners(life.signal, 'abort'), 0);
        assert.lengthOf(getEventListeners(signal, 'abort'), 0);
        assert.lengthOf(received, 1);
        assert.isTrue(received[0]?.request.signal.aborted);
      });
    }
  }

  it(`ends all calls that wait, which leave no listener on a signal of them all ${covers('F39', 'unit')}`, async () => {
    const { client, clock, received, signal, abort } = harness(silent);
    const calls = Array.from({ length: 100 }, () =>
      failure(client.listIntegrations({ signal, priority: 'automatic' })),
    );
    await clock.advance(0);
    assert.isBelow(received.length, calls.length, 'some wait');
    assert.lengthOf(getEventListeners(signal, 'abort'), 0);
    abort(reason);
    for (const end of await Promise.all(calls)) assert.strictEqual(end, reason);
  });

  it('sends nothing before the call', async () => {
    const { client, received, entries, signal, abort } = harness(json({}));
    abort(reason);
    assert.strictEqual(
      await failure(client.listIntegrations({ signal, priority: 'person' })),
      reason,
    );
    assert.lengthOf(received, 0);
    assert.lengthOf(entries, 0);
  });

  it('sends nothing while the key is read', async () => {
    const { client, received, entries, signal, abort } = harness(json({}), {
      token: () => {
        abort(reason);
        return Promise.resolve(canary);
      },
    });
    assert.strictEqual(
      await failure(client.listIntegrations({ signal, priority: 'person' })),
      reason,
    );
    assert.lengthOf(received, 0);
    assert.lengthOf(entries, 0);
  });

  it('is reported to the diagnostics', async () => {
    const { client, clock, entries, signal, abort } = harness(silent);
    const end = failure(client.listIntegrations({ signal, priority: 'person' }));
    await clock.advance(0);
    abort(reason);
    await end;
    assert.deepEqual(
      entries.map((entry) => [entry.status, entry.failure]),
      [[undefined, 'aborted']],
    );
  });
});

describe('the lifetime of a client', () => {
  const reason = new Error('the connection was left');

  it(`ends an open stream ${covers('F63', 'unit')}`, async () => {
    const life = new AbortController();
    const stream = broken(bodyOf([records('c2')], 'stall'), {
      headers: { 'content-type': 'text/event-stream' },
    });
    const { client, signal } = harness(stream, { lifetime: life.signal });
    const opened = await client.openLogStream({ filters }, { signal, priority: 'person' });
    const read = failure(
      (async () => {
        for await (const items of opened) {
          assert.lengthOf(items, 1);
          life.abort(reason);
        }
      })(),
    );
    assert.strictEqual(await read, reason);
  });

  it(`reads no key and sends nothing after its end ${covers('F63', 'unit')}`, async () => {
    const life = new AbortController();
    let reads = 0;
    const { client, received, signal } = harness(json({}), {
      lifetime: life.signal,
      token: () => Promise.resolve(`${canary}${++reads}`),
    });
    life.abort(reason);
    assert.strictEqual(
      await failure(client.listIntegrations({ signal, priority: 'person' })),
      reason,
    );
    assert.lengthOf(received, 0);
    assert.equal(reads, 0);
  });

  it('does not end with a single call', async () => {
    const life = new AbortController();
    const answers = [silent, json({})];
    const { client, clock, signal, abort } = harness(answers, { lifetime: life.signal });
    const end = failure(client.listIntegrations({ signal, priority: 'person' }));
    await clock.advance(0);
    abort(reason);
    assert.strictEqual(await end, reason);
    await client.listIntegrations({ signal: new AbortController().signal, priority: 'person' });
  });

  it('reports the requests of a call to the call and to the client', async () => {
    const reported: RequestEntry[] = [];
    const { client, clock, entries, signal } = harness([refusal(500), json({})]);
    const onDidRequest = (entry: RequestEntry): void => void reported.push(entry);
    await clock.run(client.listIntegrations({ signal, priority: 'person', onDidRequest }));
    assert.deepEqual(
      reported.map(({ status }) => status),
      [500, 200],
    );
    await clock.run(client.listIntegrations({ signal, priority: 'person' }));
    assert.lengthOf(reported, 2);
    assert.lengthOf(entries, 3);
  });
});

describe('the settings of the client', () => {
  it('are read before each request, like the key', async () => {
    const keys = ['first', 'second'];
    let timesAsked = 0;
    const { client, received, signal } = harness(json({}), {
      token: () => Promise.resolve(keys.shift()),
      settings() {
        timesAsked++;
        return timesAsked > 2 ? otherSettings : defaults;
      },
    });
    await client.listRepositories({}, { signal, priority: 'person' });
    await client.listRepositories({}, { signal, priority: 'person' });
    assert.deepEqual(
      received.map(({ path, headers }) => [path, headers['authorization']]),
      [
        ['/team/v1/api/codehost-b/repositories', 'Bearer first'],
        ['/team/v1/api/gitplace/repositories', 'Bearer second'],
      ],
    );
  });

  const badSettings: [string, object][] = [
    ...['..', 'a/b', '', 'a?b'].map((repositories): [string, object] => [
      'segments.repositories',
      { segments: { ...defaults.segments, repositories } },
    ]),
    [
      'parameters.repositoriesPage',
      { parameters: { ...defaults.parameters, repositoriesPage: '' } },
    ],
  ];
  for (const [field, changes] of badSettings) {
    it(`send nothing if they make no valid URL: ${JSON.stringify(changes)}`, async () => {
      const { client, received, entries, signal } = harness(json({}), {
        settings: () => ({ ...defaults, ...changes }),
      });
      const error = await failure(
        client.listRepositories({ page: 1 }, { signal, priority: 'person' }),
      );
      assert.include(error, { field: `controlPlane.api.${field}` });
      assert.lengthOf(received, 0);
      assert.lengthOf(entries, 0);
    });
  }

  const paths = ['a/{operationId}', '/operations', '/a/../{operationId}', '/{operationId}?x'];
  for (const operationPath of [...paths, '//{operationId}']) {
    it(`send nothing to the invalid operation path ${operationPath}`, async () => {
      const { client, received, signal } = harness(json({}), {
        settings: () => ({ ...defaults, operationPath }),
      });
      const error = await failure(client.getOperation('op', { signal, priority: 'person' }));
      assert.include(error, { field: 'controlPlane.api.operationPath' });
      assert.lengthOf(received, 0);
    });
  }
});
