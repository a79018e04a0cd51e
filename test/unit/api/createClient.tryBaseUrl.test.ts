import { getEventListeners } from 'node:events';
import { assert } from 'chai';
import { ApiError } from '../../../src/api/errors';
import type { RequestEntry } from '../../../src/api/sendRequest';
import { tryBaseUrl } from '../../../src/api/createClient';
import { inMemoryControlPlane } from '../../control-plane/inMemory';
import { fakeClock } from '../fakeClock';
import { defaults } from './cannedAnswers';

describe('a base URL', () => {
  const clock = fakeClock();
  const open = new AbortController().signal;
  let entries: RequestEntry[];
  beforeEach(() => (entries = []));
  afterEach('Nothing waits for the signal any more', () => {
    assert.isEmpty(getEventListeners(open, 'abort'));
  });

  const tried = (
    fetch: (request: Request) => Promise<Response>,
    baseUrl = 'https://control-plane.example',
    signal = open,
  ): Promise<unknown> => {
    const onDidRequest = (entry: RequestEntry): unknown => entries.push(entry);
    const options = { fetch, clock, random: () => 0, settings: () => defaults, onDidRequest };
    return tryBaseUrl(baseUrl, options, signal);
  };
  /** The kind and code of the error for an answer. */
  const problem = async (body: string | null, init: ResponseInit): Promise<string> => {
    const error = await tried(() => Promise.resolve(new Response(body, init)));
    if (error === undefined) return 'none';
    assert.instanceOf(error, ApiError);
    return `${error.kind} ${error.code}`;
  };

  it('is that of a control plane, which gets one request without a key', async () => {
    const server = inMemoryControlPlane({ clock });
    const keys: (string | null)[] = [];
    const found = await tried((request) => {
      keys.push(request.headers.get('authorization'));
      const { cache, credentials, redirect, referrerPolicy } = request;
      assert.deepEqual(
        [cache, credentials, redirect, referrerPolicy],
        ['no-store', 'omit', 'manual', 'no-referrer'],
      );
      return server.fetch(request);
    }, server.url);
    assert.isUndefined(found);
    assert.deepEqual(keys, [null]);
    assert.deepEqual(
      entries.map(({ path, status }) => [path, status]),
      [['/v1/api/integrations', 401]],
    );
    assert.isEmpty(server.admin.takeReports());
  });

  it('is wrong at once if nothing answers', async () => {
    const server = inMemoryControlPlane({ clock });
    server.unreachable = 'ECONNREFUSED';
    const error = await tried(server.fetch, server.url);
    assert.include(error, { kind: 'network', code: 'refused' });
    assert.lengthOf(entries, 1);
  });

  const answers: readonly (readonly [string, string, string | null, ResponseInit])[] = [
    ['none', 'lists without a key', '{}', {}],
    ['none', 'refuses', '{}', { status: 403 }],
    ['none', 'asks to wait', null, { status: 429 }],
    ['none', 'has failed', 'Bad gateway', { status: 502 }],
    ['none', 'explains a 404', '{"error":{"code":"not_found"}}', { status: 404 }],
    ['protocol notJson', 'does not explain a 404', '<html>', { status: 404 }],
    ['protocol notJson', 'sends a web page', '<html>', {}],
    ['redirect redirect', 'redirects', null, { status: 302 }],
    ['http noErrorObject', 'is a proxy that wants a sign-in', null, { status: 407 }],
  ];
  for (const [expected, what, body, init] of answers) {
    const verdict = expected === 'none' ? 'right' : 'wrong';
    it(`is ${verdict} if the server ${what}`, async () => {
      assert.equal(await problem(body, init), expected);
    });
  }

  it('is not judged after the question is closed', async () => {
    const closed = new AbortController();
    const found = tried(() => new Promise(() => undefined), undefined, closed.signal);
    closed.abort();
    assert.isUndefined(await found);
  });
});
