import { getEventListeners } from 'node:events';
import { assert } from 'chai';
import type { ApiSettings } from '../../../src/api/operation';
import { StreamCursor } from '../../../src/api/cursors';
import { operations as table } from '../../../src/api/generated/operations';
import type { RequestEntry } from '../../../src/api/sendRequest';
import type { OpenSetting } from '../../../src/api/serverDescription';
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
  failure,
  silent,
  type Handler,
  type Harness,
} from './cannedAnswers';
import { beyond, everything, localization, operation, operations } from './operations';

describe('the client', () => {
  const all = [
    ...operations.map((one) => ({ ...one, facts: undefined })),
    ...beyond.map((one) => ({ ...one, facts: everything })),
  ];
  for (const { name, call, sent, elsewhere, body, headers, answer, result, facts } of all) {
    it(`${name} sends the request of the contract and returns the response`, async () => {
      const { client, received, entries, clock, asked } = harness(json(answer), {
        facts: () => facts,
      });
      assert.deepEqual(await call(client, asked), result ?? answer);
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
      assert.strictEqual(one?.request.referrerPolicy, 'no-referrer');
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
          ...(name === 'readDescription' ? { isOptional: true } : {}),
        },
      ]);
      assert.strictEqual(clock.liveTimers, 0);
    });

    it(`${name} uses the segments and parameters of the settings`, async () => {
      const settings = (): typeof otherSettings => otherSettings;
      const options = { settings, facts: () => facts };
      const { client, received, asked } = harness(json(answer), options);
      await call(client, asked);
      const [method, path = ''] = (elsewhere ?? sent).split(' ');
      assert.strictEqual(`${received[0]?.method} ${received[0]?.path}`, `${method} /team${path}`);
    });
  }

  it('requests nothing beyond the contract that the server does not describe', async () => {
    const { client, received, asked } = harness(json({}), { facts: () => ({ operations: {} }) });
    const { client: undescribed, received: others } = harness(json({}));
    for (const { name, call } of beyond) {
      if (name === 'readDescription') continue;
      assert.isUndefined(await call(client, asked));
      assert.isUndefined(await call(undescribed, asked));
    }
    assert.isEmpty([...received, ...others]);
  });

  it('has a test for each operation', () => {
    assert.sameMembers([...all.map(({ name }) => name), 'openLogStream'], Object.keys(table));
  });

  it('opens the log stream with its own request', async () => {
    const { client, received, asked } = harness(
      () => new Response(bodyOf([]), { headers: { 'content-type': 'text/event-stream' } }),
    );
    await client.openLogStream({ cursor: StreamCursor.of(filters, 'c') }, asked);
    assert.strictEqual(received[0]?.path, '/team/v1/api/logs/tail');
    assert.strictEqual(received[0]?.headers['accept'], 'text/event-stream');
    assert.strictEqual(received[0]?.body, JSON.stringify({ filters, cursor: 'c' }));
  });

  it('leaves out parameters that are not given', async () => {
    const { client, received, asked } = harness(json({}));
    await client.listAlertRules({ serverId: uuid }, asked);
    await client.listRepositories({}, asked);
    await client.listSecrets({ ownerId: uuid }, asked);
    for (const { path } of received) assert.notInclude(path, '?');
  });

  it('works without a path in the base URL', async () => {
    const plain = 'http://127.0.0.1:3000';
    const { list, received, entries } = harness(json({}), { baseUrl: plain });
    await list();
    assert.strictEqual(received[0]?.request.url, `${plain}/v1/api/integrations`);
    assert.strictEqual(entries[0]?.path, '/v1/api/integrations');
  });

  it('reads an operation with or without localization, and requests none without an endpoint', async () => {
    const read = ({ client, asked }: Harness): Promise<unknown> =>
      client.getOperation({ operationId: 'op_1' }, asked);
    assert.deepEqual(await read(harness(json({ ...operation, errorCode: null }))), operation);
    assert.deepEqual(await read(harness(json({ operation: null, localization }))), {});
    const settings = (): typeof defaults => ({ ...defaults, own: { operationPath: '' } });
    const none = harness(json({ operation }), { settings });
    assert.isUndefined(await read(none));
    assert.lengthOf(none.received, 0);
  });

  for (const status of [200, 201, 202, 299]) {
    it(`accepts ${status} as success`, async () => {
      const { list } = harness(json({ integrations: [] }, { status }));
      assert.deepEqual(await list(), { integrations: [] });
    });
  }

  it('reads a response whose characters arrive in parts', async () => {
    const answer = { integrations: [{ category: 'ü€😀' }] };
    const bytes = Array.from(Buffer.from(JSON.stringify(answer)), (byte) => Uint8Array.of(byte));
    assert.deepEqual(await harness(() => new Response(bodyOf(bytes))).list(), answer);
  });

  it('reads responses leniently and reports what it left out to the diagnostics', async () => {
    const resources = [{ id: 7, name: 'web', kind: null, novel: 1 }];
    const { client, entries, asked } = harness(json({ resources, localization: null }));
    const read: unknown = await client.listResources({ sourceId: uuid }, asked);
    assert.deepEqual(read, { resources: [{ name: 'web', novel: 1 }] });
    assert.deepEqual(entries[0]?.leftOut, ['resources[0].id']);
  });

  it('reports each try: status, code, requestId, date and duration, to the call, too', async () => {
    const date = 'Fri, 20 Nov 2026 12:00:00 GMT';
    const { client, list, clock, entries, asked } = harness([
      refusal(503, { date }),
      async () => {
        await new Promise<void>((resolve) => clock.setTimer(resolve, 70));
        return Response.json({}, { headers: { date } });
      },
    ]);
    const reported: RequestEntry[] = [];
    const onDidRequest = (entry: RequestEntry): void => void reported.push(entry);
    await clock.run(client.listIntegrations({}, { ...asked, onDidRequest }));
    assert.deepEqual(
      entries.map((one) => [one.status, one.failure, one.requestId, one.date, one.milliseconds]),
      [
        [503, 'code_503', 'req_1', date, 0],
        [200, undefined, undefined, date, 70],
      ],
    );
    assert.deepEqual(reported, entries);
    await clock.run(list());
    assert.deepEqual([reported.length, entries.length], [2, 3]);
  });

  it('has the clock of the server, as its answers say', async () => {
    const date = 'Fri, 20 Nov 2026 13:00:00 GMT';
    const { list, client, clock } = harness(json({}, { headers: { date } }));
    assert.equal(client.serverNow(), clock.now());
    await list();
    assert.closeTo(client.serverNow(), Date.parse(date), 1000);
  });
});

describe('an abort of the client', () => {
  const reason = new Error('the view was closed');

  const half = (status: number) => () => new Response(bodyOf(['{'], 'stall'), { status });
  /** The answer, when the call is aborted, and the status and failure of its entry. */
  const moments: [string, Handler, number, [number | undefined, string]][] = [
    ['before the headers', silent, 0, [undefined, 'aborted']],
    ['in the body', half(200), 0, [200, 'aborted']],
    ['in the body of an error', half(404), 0, [404, 'aborted']],
    ['between two tries', refusal(429, { 'retry-after': '60' }), 30_000, [429, 'code_429']],
    ['if fetch ignores it', () => new Promise(() => undefined), 0, [undefined, 'aborted']],
  ];
  for (const [when, handler, after, entry] of moments) {
    for (const whose of ['its own signal', 'the lifetime of the client'] as const) {
      it(`ends the call with its reason and leaves nothing ${when}, by ${whose} ${covers('F34, F39, F63', 'unit')}`, async () => {
        const life = new AbortController();
        const own = harness(handler, { lifetime: life.signal });
        const { list, clock, received, entries, signal } = own;
        const end = failure(list());
        await clock.advance(after);
        (whose === 'its own signal' ? own : life).abort(reason);
        assert.strictEqual(await end, reason);
        assert.strictEqual(clock.liveTimers, 0);
        assert.lengthOf(getEventListeners(life.signal, 'abort'), 0);
        assert.lengthOf(getEventListeners(signal, 'abort'), 0);
        assert.lengthOf(received, 1);
        assert.isTrue(received[0]?.request.signal.aborted);
        assert.deepEqual(
          entries.map(({ status, failure: code }) => [status, code]),
          [entry],
        );
      });
    }
  }

  it(`ends all calls that wait, which leave no listener on a signal of them all ${covers('F39', 'unit')}`, async () => {
    const { client, clock, received, abort, signal } = harness(silent);
    const calls = Array.from({ length: 100 }, () =>
      failure(client.listIntegrations({}, { signal, priority: 'automatic' })),
    );
    await clock.advance(0);
    assert.isBelow(received.length, calls.length, 'some wait');
    assert.lengthOf(getEventListeners(signal, 'abort'), 0);
    abort(reason);
    for (const end of await Promise.all(calls)) assert.strictEqual(end, reason);
  });

  it('sends nothing while the key is read', async () => {
    const { list, received, entries, abort } = harness(json({}), {
      token() {
        abort(reason);
        return Promise.resolve(canary);
      },
    });
    assert.strictEqual(await failure(list()), reason);
    assert.lengthOf(received, 0);
    assert.lengthOf(entries, 0);
  });
});

describe('the settings of the client', () => {
  it('are read before each request, like the key', async () => {
    const keys = ['first', 'second'];
    const { client, received, asked } = harness(json({}), {
      token: () => Promise.resolve(keys.shift()),
      settings: () => (keys.length === 0 ? otherSettings : defaults),
    });
    await client.listRepositories({}, asked);
    await client.listRepositories({}, asked);
    assert.deepEqual(
      received.map(({ path, headers }) => [path, headers['authorization']]),
      [
        ['/team/v1/api/codehost-b/repositories', 'Bearer first'],
        ['/team/v1/api/gitplace/repositories', 'Bearer second'],
      ],
    );
  });

  const invalid: readonly (readonly [OpenSetting, string])[] = [
    ...['..', 'a/b', '', 'a?b'].map((one) => ['segments.repositories', one] as const),
    ['parameters.repositoriesPage', ''],
    ...['a/{operationId}', '/operations', '/a/../{operationId}', '/{operationId}?x']
      .concat('//{operationId}')
      .map((one) => ['operationPath', one] as const),
  ];
  for (const [field, value] of invalid) {
    it(`send nothing if they make no valid URL: ${field} ${value}`, async () => {
      const settings = (): ApiSettings => ({ ...defaults, own: { [field]: value } });
      const { client, received, entries, asked } = harness(json({}), { settings });
      const error = await failure(
        field === 'operationPath'
          ? client.getOperation({ operationId: 'op' }, asked)
          : client.listRepositories({ page: 1 }, asked),
      );
      assert.include(error, { field: `controlPlane.api.${field}` });
      assert.lengthOf(received, 0);
      assert.lengthOf(entries, 0);
    });
  }
});
