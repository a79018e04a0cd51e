import { assert } from 'chai';
import { createClient } from '../../../../src/api/createClient';
import type { LogRecord } from '../../../../src/api/types';
import { asLogFilter, type LogFilter } from '../../../../src/logs/query/filter';
import { parseQuery } from '../../../../src/logs/query/language';
import { createTail } from '../../../../src/logs/tail/tail';
import { startControlPlane, type ControlPlane } from '../../../control-plane/server';
import { defaults } from '../../api/inMemoryServer';
import { realClock } from '../../api/realClock';
import { seededRandom } from './seededRandom';

const id = '11111111-1111-4111-8111-111111111111';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

/** What is asked for, and what a record that matches has besides its body. */
const cases: [title: string, asked: unknown, matching: Partial<LogRecord>, words?: string][] = [
  ['severity', 'severity:error,fatal', { severity: 'error' }],
  ['workload', { workloadIds: [id] }, { workloadId: id }],
  ['server', `server:${id}`, { serverId: id }],
  ['deployment', `deployment:${id}`, { deploymentId: id }],
  ['preview', `preview:${id}`, { previewId: id, environment: 'preview' }],
  ['environment', 'env:preview', { environment: 'preview' }],
  ['service', 'service:checkout', { service: 'checkout' }],
  ['stream', 'stream:stderr', { stream: 'stderr' }],
  ['trace', `trace:${traceId}`, { traceId }],
  ['text', '"timed out"', {}, 'timed out'],
  ['an attribute', 'attr.user=42', { attributes: { user: '42' } }],
  ['a condition', 'service^=check', { service: 'checkout' }],
  [
    'conditions',
    'stream:stderr (service=checkout or attr.user:*)',
    { attributes: { user: '42' }, stream: 'stderr' },
  ],
  ['several at once', { severities: ['warn'], search: 'slow' }, { severity: 'warn' }, 'slow'],
];

function filterOf(asked: unknown): LogFilter {
  if (typeof asked !== 'string') return asLogFilter(asked);
  const result = parseQuery(asked);
  if (!result.ok) assert.fail(JSON.stringify(result.errors));
  return result.filter;
}

describe('A tail of the embedded control plane by', () => {
  let controlPlane: ControlPlane;
  before(async () => {
    controlPlane = await startControlPlane({ live: false, historyRecords: 0 });
  });
  after(() => controlPlane.close());

  for (const [title, asked, matching, words = ''] of cases) {
    it(`${title} shows what matches, in the history and live`, async () => {
      const record = (when: string): Partial<LogRecord> => ({
        ...matching,
        body: `${title} ${when} ${words}`.trim(),
      });
      const { admin, keys, url } = controlPlane;
      const readKey = (): Promise<string | undefined> => Promise.resolve(keys['demo-full']);
      const [clock, random] = [realClock, seededRandom(1)];
      const client = createClient({
        baseUrl: url,
        token: readKey,
        fetch: (request) => fetch(request),
        clock,
        random,
        settings: () => defaults,
      });
      admin.emit([{ body: `${title} of another` }, record('before')]);

      /** Records of the other cases may match as well. */
      const mine: string[] = [];
      let look = (): void => undefined;
      const tail = createTail(
        { client, clock, random, readKey },
        {
          filter: filterOf(asked),
          initialLines: 100,
          listener: {
            onDidChangeState: () => look(),
            onDidReceive() {
              for (const taken of tail.take()) {
                if (taken.kind !== 'records') continue;
                const bodies = taken.records.map(({ body }) => body);
                mine.push(...bodies.filter((body) => body.startsWith(title)));
              }
              look();
            },
          },
        },
      );
      const until = (holds: () => boolean): Promise<void> =>
        new Promise((resolve) => {
          look = () => {
            if (holds()) resolve();
          };
          look();
        });
      try {
        tail.start();
        await until(() => tail.state.kind === 'live' && mine.length >= 1);
        admin.emit([{ body: `${title} of another` }, record('later')]);
        await until(() => mine.length >= 2);
        assert.deepEqual(mine, [record('before').body, record('later').body]);
      } finally {
        tail.stop();
      }
    });
  }
});
