import { assert } from 'chai';
import { inspect } from 'node:util';
import { covers } from '../covers';
import { sampleRecord } from '../logs/sampleRecord';
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
  type Handler,
  cleanUpOf,
} from './cannedAnswers';

describe('failures of the client', () => {
  it('contain the error object of the server', async () => {
    assert.deepInclude(await apiError(harness(refusal(403)).list()), {
      kind: 'http',
      status: 403,
      code: 'code_403',
      message: 'Refused with 403.',
      requestId: 'req_1',
      retryAfter: undefined,
    });
  });

  const notFound = (body: ReadableStream<Uint8Array> | string | null): Handler =>
    broken(body, { status: 404 });
  /** What is sent, and how many milliseconds are waited for the rest. */
  const noErrorObject: [string, Handler, number?][] = [
    ['HTML', notFound('<!doctype html><title>Bad gateway</title>')],
    ['nothing', notFound(null)],
    ['JSON without an error object', notFound('{"error":"no"}')],
    ['a body that breaks off', notFound(bodyOf(['{"error":'], new Error('reset')))],
    ['a body that does not arrive in time', notFound(bodyOf(['{'], 'stall')), 20_000],
    ['a long body', notFound(bodyOf(Array<string>(100).fill('x'.repeat(10_000)), 'stall'))],
  ];
  for (const [what, handler, wait = 0] of noErrorObject) {
    it(`contain the status if the server sends ${what} with it`, async () => {
      const { list, clock } = harness(handler);
      const start = clock.monotonic();
      const error = await clock.run(apiError(list()));
      assert.deepInclude(error, { kind: 'http', status: 404, code: 'noErrorObject' });
      assert.strictEqual(clock.monotonic() - start, wait);
      assert.include(error.message, '404');
    });
  }

  const megabyte = new Uint8Array(1024 * 1024).fill(32);
  const notTheContract: [string, Handler, string][] = [
    ['HTML', broken('<!doctype html>', { headers: { 'content-type': 'text/html' } }), 'notJson'],
    ['204', broken(null, { status: 204 }), 'emptyAnswer'],
    ['an empty body', broken('', { headers: { 'content-length': '0' } }), 'emptyAnswer'],
    ['an empty stream', broken(bodyOf([])), 'emptyAnswer'],
    ['a list', json([]), 'notJson'],
    ['null', json(null), 'notJson'],
    ['half an object', broken('{"integrations":['), 'notJson'],
    ['a text', json('ok'), 'notJson'],
    ['half a character after it', broken(bodyOf(['{}', Uint8Array.of(0xc3)])), 'notJson'],
    ['8 MB and more', broken(bodyOf(Array<Uint8Array>(9).fill(megabyte), 'stall')), 'tooLarge'],
  ];
  for (const [what, handler, code] of notTheContract) {
    it(`are protocol errors for 200 with ${what} ${covers('F12', 'unit')}`, async () => {
      const { list, received, entries } = harness(handler);
      assert.deepInclude(await apiError(list()), { kind: 'protocol', code });
      assert.strictEqual(entries[0]?.failure, code);
      assert.lengthOf(received, 1, 'it is not retried');
    });
  }

  it(`are protocol errors for listings that are huge or endless: other tasks run until then ${covers('F108', 'unit')}`, async () => {
    for (const [start, unit, leastPauses, why] of [
      ['{"integrations":[', '{},', 2, 'items: 100000'],
      ['{"more":[', '[],', 2, 'items: 100000'],
      ['{"more":[', '[[],0],', 4, 'items: 100000'],
      ['{"integrations":[{"name":"', 'x', 60, 'characters: 8388608'],
      ['{"integrations":[{"parts":[', '0,', 0, 'values: 20000'],
      ['{"integrations":[', '[', 0, 'values: 20000'],
    ] as const) {
      const chunk = new TextEncoder().encode(unit.repeat((60 * 1024 * 1024) / unit.length));
      let time = 0;
      let pauses = 0;
      const { list, received } = harness(broken(bodyOf([start, chunk], 'stall')), {
        clock: {
          now: () => 0,
          // Each look at it takes longer than a piece of work may.
          monotonic: () => (time += 10),
          setTimer(callback, ms) {
            if (ms > 0) return () => undefined;
            pauses++;
            setImmediate(callback);
            return () => undefined;
          },
        },
      });
      const error = await apiError(list());
      assert.deepInclude(error, { kind: 'protocol', code: 'tooLarge' }, unit);
      assert.include(error.message, why);
      assert.isAtLeast(pauses, leastPauses, unit);
      assert.lengthOf(received, 1, 'it is not retried');
    }
  });

  it('do not limit the items of a page of logs to those of a listing, or its text', async () => {
    const body = 'x'.repeat(1024 * 1024);
    const records = Array.from({ length: 12 }, (_, at) => sampleRecord({ eventId: `${at}`, body }));
    const { client, asked } = harness(json({ ...queryAnswer, records }));
    assert.deepEqual((await client.queryLogs({ filters }, asked)).records, records);
  });

  it(`are protocol errors for an invalid page of logs ${covers('F11', 'unit')}`, async () => {
    const { client, asked } = harness(json({ ...queryAnswer, followCursor: null }));
    const error = await apiError(client.queryLogs({ filters }, asked));
    assert.deepInclude(error, { kind: 'protocol', code: 'wrongSchema' });
    assert.match(error.message, /^followCursor /);
  });

  const location = 'https://evil.example/v1/api/logs/query';
  const seenAs = (property: keyof Response, value: unknown): Handler => {
    return () => Object.defineProperty(Response.json({}), property, { value });
  };
  const redirects: [string, Handler][] = [
    ...[301, 302, 303, 304, 307, 308].map((status): [string, Handler] => [
      `with ${status}`,
      broken(null, { status, headers: { location } }),
    ]),
    ['as browsers show them', seenAs('type', 'opaqueredirect')],
    ['that fetch followed', seenAs('redirected', true)],
  ];
  for (const [what, handler] of redirects) {
    it(`are redirects ${what}: none is followed ${covers('F51', 'unit')}`, async () => {
      const { client, received, entries, asked } = harness(handler);
      const cleanUp = cleanUpOf(['a', 'b'], 'k1');
      const error = await apiError(client.cleanUpOrphans(cleanUp, asked));
      assert.deepInclude(error, { kind: 'redirect', code: 'redirect' });
      assert.strictEqual(error.status, entries[0]?.status);
      assert.notInclude(inspect(error, { depth: 9 }), 'evil.example');
      assert.lengthOf(received, 1);
    });
  }

  it(`contain the network problem ${covers('F61', 'unit')}`, async () => {
    const { list, clock } = harness(unreachable('CERT_HAS_EXPIRED'));
    const error = await clock.run(apiError(list()));
    assert.deepInclude(error, { kind: 'network', code: 'certificateExpired', status: undefined });
    assert.instanceOf(error.cause, TypeError);
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
      const { list, received, entries } = harness(json({}), { token });
      const error = await apiError(list());
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
      const { client, clock, entries, received, asked } = harness(handler);
      const errors = [
        await clock.run(apiError(client.queryLogs({ filters }, asked))),
        await clock.run(apiError(client.openLogStream({ filters }, asked))),
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
