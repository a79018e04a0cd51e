import { assert } from 'chai';
import path from 'node:path';
import { createServer } from 'node:net';
import { StreamCursor } from '../../../src/api/cursors';
import type { ControlPlaneClient } from '../../../src/api/client';
import { ApiError } from '../../../src/api/errors';
import { cleanEnvironment, startGuarded, within, type Guarded } from '../../host/processes';
import { scaled } from '../../host/slowness';
import { isLong } from '../long';
import { filters, queryFilters, tailFilters, uuid } from './cannedAnswers';
import { loopbackServers } from './loopbackServers';
import { operations } from './operations';
import { testClient } from './testClient';

/** A mock server of others, which compares each request with the contract. From the npm registry. */
const mockServer = '@stoplight/prism-cli@5.16.0';
const asked = { signal: new AbortController().signal, priority: 'person' } as const;

/** Requests with all that the client can send. */
const full: readonly ((client: ControlPlaneClient) => Promise<unknown>)[] = [
  (client) => client.queryLogs({ filters: queryFilters, limit: 500, direction: 'newer' }, asked),
  (client) => client.openLogStream({ filters: tailFilters }, asked),
  (client) => client.openLogStream({ cursor: StreamCursor.of(filters, 'c') }, asked),
  (client) => client.listRepositories({}, asked),
  (client) => client.listAlertRules({ serverId: uuid }, asked),
  (client) => client.listSecrets({ ownerId: uuid }, asked),
];

// It is downloaded, so it is not a part of each run.
if (isLong) {
  describe('The client and a mock server that compares each request with the contract', () => {
    const servers = loopbackServers();
    let mock: Guarded;
    let baseUrl: string;
    /** What the mock server has said of the requests. */
    let answers: {
      readonly sent: string;
      readonly status: number;
      readonly wrong: string | null;
    }[];

    before(async function () {
      this.timeout(scaled(600_000));
      const port = await servers.listen(createServer());
      servers.close();
      baseUrl = `http://127.0.0.1:${port}`;
      const contract = path.resolve(__dirname, '../../../src/api/openapi.json');
      const output: string[] = [];
      await within(
        500_000,
        'the mock server does not listen',
        new Promise<void>((resolve, reject) => {
          mock = startGuarded(
            'npx',
            ['--yes', mockServer, 'mock', '--errors', '--port', String(port), contract],
            {
              env: cleanEnvironment(),
              onLine(line) {
                output.push(line);
                if (line.includes('Prism is listening')) resolve();
              },
            },
          );
          mock.exited.then(() => reject(new Error(output.join('\n'))), reject);
        }),
      );
    });
    beforeEach(() => (answers = []));
    after(() => mock.end());

    /** The mock server has the paths of the contract, without the prefix of its servers. */
    async function ask(request: Request): Promise<Response> {
      const url = request.url.replace('/v1/api/', '/');
      const { method, headers } = request;
      const body = method === 'POST' ? await request.text() : '';
      const response = await fetch(url, { method, headers, ...(body === '' ? {} : { body }) });
      const [sent, { status }] = [`${method} ${url} ${body}`, response];
      answers.push({ sent, status, wrong: response.headers.get('sl-violations') });
      return response;
    }

    it('agree about every request', async function () {
      this.timeout(scaled(60_000));
      const client = testClient({ baseUrl, fetch: ask });
      const calls = [
        ...operations.map(
          ({ call }) =>
            (one: ControlPlaneClient) =>
              call(one, asked),
        ),
        ...full,
      ];
      for (const call of calls) {
        await call(client).catch((error: unknown) => {
          // Its made-up answers may be no log pages; it must not refuse anything.
          assert(error instanceof ApiError && error.kind === 'protocol', String(error));
        });
      }
      assert.lengthOf(answers, calls.length);
      assert.isEmpty(answers.filter(({ status, wrong }) => wrong !== null || status >= 300));
    });

    it('would not agree about wrong ones', async () => {
      const post = (at: string, body: object, headers = {}): Promise<Response> =>
        ask(
          new Request(`${baseUrl}/v1/api${at}`, {
            method: 'POST',
            headers: {
              authorization: 'Bearer some-key',
              'content-type': 'application/json',
              ...headers,
            },
            body: JSON.stringify(body),
          }),
        );
      await post('/logs/query', { filters, limit: 501 });
      await post('/logs/query', { filters: { ...filters, more: 1 } });
      await post(`/servers/${uuid}/actions/cleanup-orphans`, { items: [{ name: 'n' }] });
      await post('/servers/x/actions/cleanup-orphans', { items: [] }, { 'idempotency-key': 'k' });
      await ask(new Request(`${baseUrl}/v1/api/integrations`));
      assert.lengthOf(answers, 5);
      assert.isEmpty(answers.filter(({ status }) => status < 400));
    });
  });
}
