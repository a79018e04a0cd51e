import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { filterOf } from '../query/queries';
import { followed } from './followed';

const id = '11111111-1111-4111-8111-111111111111';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A filter, and the members of a record that matches it. */
const cases: [title: string, asked: string | LogFilter, matching: Partial<LogRecord>][] = [
  ['severity', 'severity:error,fatal', { severity: 'error' }],
  ['workload', { workloadIds: [id] }, { workloadId: id }],
  ['server', `server:${id}`, { serverId: id }],
  ['deployment', `deployment:${id}`, { deploymentId: id }],
  ['preview', `preview:${id}`, { previewId: id, environment: 'preview' }],
  ['environment', 'env:preview', { environment: 'preview' }],
  ['service', 'service:checkout', { service: 'checkout' }],
  ['stream', 'stream:stderr', { stream: 'stderr' }],
  ['trace', `trace:${traceId}`, { traceId }],
  ['text', '"timed out"', { body: 'It timed out again' }],
  ['an attribute', 'attr.user=42', { attributes: { user: '42' } }],
  ['a condition', 'service^=check', { service: 'checkout' }],
  [
    'conditions',
    'stream:stderr (service=checkout or attr.user:*)',
    { attributes: { user: '42' }, stream: 'stderr' },
  ],
  [
    'several at once',
    { severities: ['warn'], search: 'slow' },
    { severity: 'warn', body: 'How slow' },
  ],
];

describe('a tail of the embedded control plane', () => {
  for (const [title, asked, matching] of cases) {
    it(`filters by ${title}, in the history and live`, async () => {
      const f = followed({ filter: typeof asked === 'string' ? filterOf(asked) : asked });
      const emit = (): string | undefined => {
        f.server.append(1);
        return f.server.append(1, matching)[0]?.eventId;
      };
      const before = emit();
      f.tail.start();
      assert.deepEqual(await f.shown(), [before]);
      const later = emit();
      assert.deepEqual(await f.shown(), [before, later]);
      assert.equal(f.tail.counters.received, 2);
    });
  }
});
