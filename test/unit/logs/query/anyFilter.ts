import fc from 'fast-check';
import type { Condition } from '../../../../src/api/types';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { anyText } from '../anyText';

const text = anyText(40, 1);
/** Words that are easily printed wrong. */
const word = fc.constantFrom('or', 'and', '*', '(', ')', '-', 'a b', 'attr.x=1', '"', 'last:1h');
const hexDigits = Array.from({ length: 16 }, (_, digit) => digit.toString(16));
const hex = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...hexDigits), minLength: length, maxLength: length });
const list = <T>(item: fc.Arbitrary<T>, maxLength = 4): fc.Arbitrary<T[]> =>
  fc.array(item, { maxLength });

const conditionField = fc.oneof(
  fc.constantFrom('serverId', 'workloadId', 'deploymentId', 'previewId', 'containerId'),
  fc.constantFrom('service', 'stream', 'traceId', 'spanId'),
  fc.oneof(text, word).map((name) => `attribute:${name}`),
);

const condition: fc.Arbitrary<Condition> = fc.record({
  field: conditionField,
  operator: fc.constantFrom(
    ...(['equals', 'not_equals', 'contains', 'not_contains', 'starts_with'] as const),
    ...(['ends_with', 'exists', 'not_exists'] as const),
  ),
  value: fc.oneof(anyText(40), word, fc.uuid(), fc.constantFrom('STDERR', 'warning', 'ABC')),
});

/** Any filter that the contract allows, with every member and every operator. */
export const anyFilter: fc.Arbitrary<LogFilter> = fc.record<LogFilter>(
  {
    severities: list(
      fc.constantFrom('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'),
      7,
    ),
    workloadIds: list(fc.uuid()),
    serverIds: list(fc.uuid()),
    deploymentIds: list(fc.uuid()),
    previewIds: list(fc.uuid()),
    containerIds: list(hex(64)),
    environments: list(fc.constantFrom('production', 'preview'), 2),
    services: list(fc.oneof(text, word)),
    stream: fc.constantFrom('stdout', 'stderr'),
    traceId: hex(32),
    attributes: list(
      fc.record(
        {
          key: fc.oneof(text, word),
          value: fc.oneof(anyText(40), word),
          operator: fc.constantFrom('equals', 'contains'),
        },
        { requiredKeys: ['key', 'value'] },
      ),
      8,
    ),
    search: fc.oneof(anyText(40), word),
    conditionGroup: fc.record({
      match: fc.constantFrom('and', 'or'),
      conditions: fc.array(condition, { minLength: 1, maxLength: 8 }),
    }),
  },
  { requiredKeys: [] },
);
