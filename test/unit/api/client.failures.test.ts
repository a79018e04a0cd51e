import { assert } from 'chai';
import { inspect } from 'node:util';
import { covers } from '../covers';
import {
  apiError,
  bodyOf,
  broken,
  canary,
  filters,
  harness,
  json,
  queryAnswer,
  refusal,
  silent,
  unreachable,
  uuid,
  type Handler,
} from './cannedAnswers';

const cleanUp = { serverId: uuid, items: ['a', 'b'], idempotencyKey: 'k1' };

describe('failures of the client', () => {
  it('contain the error object of the server', async () => {
    const { client, signal } = harness(refusal(403));
    const error = await apiError(client.listIntegrations({ signal, priority: 'person' }));
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
    ['JSON without an error object', json({ error: 'no' }, { status: 404 })],
    ['a body that breaks off', broken(bodyOf(['{"error":'], new Error('reset')), { status: 404 })],
    [
      'a long body',
      broken(bodyOf(Array<string>(100).fill('x'.repeat(10_000)), 'stall'), { status: 404 }),
    ],
  ];
  for (const [what, handler] of noErrorObject) {
    it(`contain the status if the server sends ${what} with it`, async () => {
      const { client, signal } = harness(handler);
      const error = await apiError(client.listIntegrations({ signal, priority: 'person' }));
      assert.deepInclude(error, { kind: 'http', status: 404, code: 'noErrorObject' });
      assert.include(error.message, '404');
    });
  }

  it('contain the status if the body does not arrive in time', async () => {
    const { client, clock, signal } = harness(broken(bodyOf(['{'], 'stall'), { status: 404 }));
    const error = await clock.run(
      apiError(client.listIntegrations({ signal, priority: 'person' })),
    );
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
    it(`are protocol errors for 200 with ${what} ${covers('F12', 'unit')}`, async () => {
      const { client, received, entries, signal } = harness(handler);
      const error = await apiError(client.listIntegrations({ signal, priority: 'person' }));
      assert.deepInclude(error, { kind: 'protocol', code });
      assert.strictEqual(entries[0]?.failure, code);
      assert.lengthOf(received, 1, 'it is not retried');
    });
  }

  it(`are protocol errors for an invalid page of logs ${covers('F11', 'unit')}`, async () => {
    const { client, signal } = harness(json({ ...queryAnswer, followCursor: null }));
    const error = await apiError(client.queryLogs({ filters }, { signal, priority: 'person' }));
    assert.deepInclude(error, { kind: 'protocol', code: 'wrongSchema' });
    assert.match(error.message, /^followCursor /);
  });

  it('are protocol errors for a response without end', async () => {
    const megabyte = 'x'.repeat(1024 * 1024);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent++;
        controller.enqueue(new TextEncoder().encode(megabyte));
      },
    });
    const { client, signal } = harness(broken(body));
    assert.deepInclude(await apiError(client.listIntegrations({ signal, priority: 'person' })), {
      code: 'tooLarge',
    });
    assert.isBelow(sent, 70);
  });

  for (const status of [301, 302, 303, 304, 307, 308]) {
    it(`are redirects with ${status}, which are not followed ${covers('F51', 'unit')}`, async () => {
      const headers = { location: 'https://evil.example/v1/api/logs/query' };
      const { client, received, signal } = harness(broken(null, { status, headers }));
      const error = await apiError(client.cleanUpOrphans(cleanUp, { signal, priority: 'person' }));
      assert.deepInclude(error, { kind: 'redirect', code: 'redirect', status });
      assert.notInclude(inspect(error, { depth: 9 }), 'evil.example');
      assert.lengthOf(received, 1);
      assert.strictEqual(received[0]?.request.redirect, 'manual');
    });
  }

  it(`are redirects as browsers show them, and redirects that fetch followed ${covers('F51', 'unit')}`, async () => {
    for (const property of [{ type: 'opaqueredirect' }, { redirected: true }]) {
      const { client, signal } = harness(() => {
        const response = Response.json({});
        for (const [name, value] of Object.entries(property)) {
          Object.defineProperty(response, name, { value });
        }
        return response;
      });
      assert.strictEqual(
        (await apiError(client.listIntegrations({ signal, priority: 'person' }))).kind,
        'redirect',
      );
    }
  });

  it(`contain the network problem ${covers('F61', 'unit')}`, async () => {
    const { client, clock, signal } = harness(unreachable('CERT_HAS_EXPIRED'));
    const error = await clock.run(
      apiError(client.listIntegrations({ signal, priority: 'person' })),
    );
    assert.deepInclude(error, { kind: 'network', code: 'certificateExpired', status: undefined });
    assert.instanceOf(error.cause, TypeError);
  });

  it(`are proxy problems if the proxy requires a login ${covers('F61', 'unit')}`, async () => {
    const { client, received, signal } = harness(broken('<html>', { status: 407 }));
    assert.deepInclude(await apiError(client.listIntegrations({ signal, priority: 'person' })), {
      status: 407,
    });
    assert.lengthOf(received, 1);
  });
});

describe('a client without a key', () => {
  const tokens: [string, () => Promise<string | undefined>, string][] = [
    ['there is no key', () => Promise.resolve(undefined), 'noKey'],
    ['the key is empty', () => Promise.resolve(''), 'malformedKey'],
    ['no header can contain the key', () => Promise.resolve(`${canary}\n`), 'malformedKey'],
    [
      `the key store fails ${covers('F49', 'unit')}`,
      () => Promise.reject(new Error('locked')),
      'noKeyStore',
    ],
  ];
  for (const [why, token, code] of tokens) {
    it(`is signed out and sends nothing if ${why}`, async () => {
      const { client, received, entries, signal } = harness(json({}), { token });
      const error = await apiError(client.listIntegrations({ signal, priority: 'person' }));
      assert.deepInclude(error, { kind: 'signedOut', code });
      assert.notInclude(inspect(error, { depth: 9 }), canary);
      assert.lengthOf(received, 0);
      assert.lengthOf(entries, 0);
    });
  }
});

describe(`the API key ${covers('F50', 'unit')}`, () => {
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
    ['cannot be reached', unreachable()],
    ['does not respond', silent],
    ['sends HTML', broken(`<html>${canary}`)],
    ['sends HTML with an error', broken(`<html>${canary}`, { status: 502 })],
    ['redirects with it', broken(null, { status: 302, headers: { location: `/?key=${canary}` } })],
    ['breaks a page with it', json({ ...queryAnswer, records: canary })],
  ];
  for (const [what, handler] of handlers) {
    it(`is in no error, cause or entry if the server ${what}`, async () => {
      const { client, clock, entries, received, signal } = harness(handler);
      const errors = [
        await clock.run(apiError(client.queryLogs({ filters }, { signal, priority: 'person' }))),
        await clock.run(
          apiError(client.openLogStream({ filters }, { signal, priority: 'person' })),
        ),
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
