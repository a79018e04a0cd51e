import fc from 'fast-check';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { anyText } from '../anyText';

/** What the members of filters are made of. */
export interface FilterValues {
  readonly id: fc.Arbitrary<string>;
  readonly containerId: fc.Arbitrary<string>;
  readonly traceId: fc.Arbitrary<string>;
  readonly service: fc.Arbitrary<string>;
  /** The name of an attribute. */
  readonly key: fc.Arbitrary<string>;
  /** The value of an attribute, and a text to search for. */
  readonly text: fc.Arbitrary<string>;
  /** The value of a condition. */
  readonly value: fc.Arbitrary<string>;
}

export const anySeverity = fc.constantFrom(
  ...(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'] as const),
);
export const anyEnvironment = fc.constantFrom('production', 'preview');
export const anyStream = fc.constantFrom('stdout', 'stderr');

const list = <T>(item: fc.Arbitrary<T>, maxLength = 4): fc.Arbitrary<T[]> =>
  fc.array(item, { maxLength });

/** Filters with every member and every operator of the contract. */
export function filtersOf(values: FilterValues): fc.Arbitrary<LogFilter> {
  const { id, containerId, traceId, service, key, text, value } = values;
  const condition = fc.record({
    field: fc.oneof(
      fc.constantFrom('serverId', 'workloadId', 'deploymentId', 'previewId', 'containerId'),
      fc.constantFrom('service', 'stream', 'traceId', 'spanId'),
      key.map((name) => `attribute:${name}`),
    ),
    operator: fc.constantFrom(
      ...(['equals', 'not_equals', 'contains', 'not_contains', 'starts_with'] as const),
      ...(['ends_with', 'exists', 'not_exists'] as const),
    ),
    value,
  });
  return fc.record<LogFilter>(
    {
      severities: list(anySeverity, 7),
      workloadIds: list(id),
      serverIds: list(id),
      deploymentIds: list(id),
      previewIds: list(id),
      containerIds: list(containerId),
      environments: list(anyEnvironment, 2),
      services: list(service),
      stream: anyStream,
      traceId,
      attributes: list(
        fc.record(
          { key, value: text, operator: fc.constantFrom('equals', 'contains') },
          { requiredKeys: ['key', 'value'] },
        ),
        8,
      ),
      search: text,
      conditionGroup: fc.record({
        match: fc.constantFrom('and', 'or'),
        conditions: fc.array(condition, { minLength: 1, maxLength: 8 }),
      }),
    },
    { requiredKeys: [] },
  );
}

/** Words that are easily printed wrong. */
const word = fc.constantFrom('or', 'and', '*', '(', ')', '-', 'a b', 'attr.x=1', '"', 'last:1h');
const nameOrWord = fc.oneof(anyText(40, 1), word);
const textOrWord = fc.oneof(anyText(40), word);
const hex = (length: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));

/** Any filter that the contract allows. */
export const anyFilter: fc.Arbitrary<LogFilter> = filtersOf({
  id: fc.uuid(),
  containerId: hex(64),
  traceId: hex(32),
  service: nameOrWord,
  key: nameOrWord,
  text: textOrWord,
  value: fc.oneof(anyText(40), word, fc.uuid(), fc.constantFrom('STDERR', 'warning', 'ABC')),
});
