import type { Condition, LogQueryFilters, LogRecord } from '../../api/types';

/** Any of the filters, including the range. A missing or empty member matches everything. */
export type MatchFilters = Partial<LogQueryFilters>;

/** Whether a record matches. */
type RecordTest = (record: LogRecord) => boolean;

/**
 * Tests records against all filters, by the assumption `filterCombination` of the contract: one value of
 * a list must match. `search`, ids and the operators for parts of a text ignore case; everything else is
 * exact. `not_` conditions match if the field is absent. Both ends of the range are included.
 */
export function matches(record: LogRecord, filters: MatchFilters): boolean {
  return recordTest(filters)?.(record) ?? true;
}

/** Like `matches`, for many records. Undefined if the filters match everything. */
export function recordTest(filters: MatchFilters): RecordTest | undefined {
  const tests: RecordTest[] = [];
  const oneOf = <Value>(
    values: readonly Value[] | undefined,
    read: (record: LogRecord) => Value | null,
  ): void => {
    if (values === undefined || values.length === 0) return;
    const set = new Set<Value | null>(values);
    tests.push((record) => set.has(read(record)));
  };

  const lowerCase = (id: string | null): string | null => id?.toLowerCase() ?? null;
  /** By the contract, an id is the same in either letter case. */
  const oneOfIds = (
    ids: readonly string[] | undefined,
    read: (record: LogRecord) => string | null,
  ): void => oneOf(ids?.map(lowerCase), (record) => lowerCase(read(record)));

  const { from, to, stream, search, traceId, conditionGroup } = filters;
  if (from !== undefined) {
    const first = Date.parse(from);
    tests.push(({ timestamp }) => Date.parse(timestamp) >= first);
  }
  if (to !== undefined) {
    const last = Date.parse(to);
    tests.push(({ timestamp }) => Date.parse(timestamp) <= last);
  }
  oneOfIds(filters.workloadIds, ({ workloadId }) => workloadId);
  oneOfIds(filters.serverIds, ({ serverId }) => serverId);
  oneOfIds(filters.deploymentIds, ({ deploymentId }) => deploymentId);
  oneOfIds(filters.previewIds, ({ previewId }) => previewId);
  oneOf(filters.containerIds, ({ containerId }) => containerId);
  oneOf(filters.environments, ({ environment }) => environment);
  oneOf(filters.services, ({ service }) => service);
  oneOf(filters.severities, ({ severity }) => severity);
  if (stream !== undefined) tests.push((record) => record.stream === stream);
  if (search !== undefined && search !== '') {
    const contains = operators.contains(search);
    tests.push(({ body }) => contains(body));
  }
  if (traceId !== undefined) tests.push((record) => record.traceId === traceId);
  for (const { key, value, operator } of filters.attributes ?? []) {
    tests.push(conditionTest({ field: `attribute:${key}`, operator: operator ?? 'equals', value }));
  }
  if (conditionGroup !== undefined) {
    const conditions = conditionGroup.conditions.map(conditionTest);
    tests.push(
      conditionGroup.match === 'and'
        ? (record) => conditions.every((test) => test(record))
        : (record) => conditions.some((test) => test(record)),
    );
  }

  if (tests.length <= 1) return tests[0];
  return (record) => tests.every((test) => test(record));
}

type TextTest = (text: string | undefined) => boolean;

const operators: Record<Condition['operator'], (value: string) => TextTest> = {
  equals: (value) => (text) => text === value,
  not_equals: (value) => (text) => text !== value,
  contains: (value) => partTest(value, 'includes'),
  not_contains: (value) => {
    const contains = partTest(value, 'includes');
    return (text) => !contains(text);
  },
  starts_with: (value) => partTest(value, 'startsWith'),
  ends_with: (value) => partTest(value, 'endsWith'),
  exists: () => (text) => text !== undefined,
  not_exists: () => (text) => text === undefined,
};

function partTest(value: string, method: 'includes' | 'startsWith' | 'endsWith'): TextTest {
  const part = value.toLowerCase();
  return (text) => text?.toLowerCase()[method](part) ?? false;
}

function conditionTest({ field, operator, value }: Condition): RecordTest {
  const test = operators[operator](value);
  const read = fieldReader(field);
  return (record) => test(read(record));
}

/** The value of a condition's field; undefined if the record does not have it. */
export function fieldReader(field: string): (record: LogRecord) => string | undefined {
  const attribute = 'attribute:';
  if (field.startsWith(attribute)) {
    const name = field.slice(attribute.length);
    // Attribute names are untrusted: `constructor` must not find an inherited member.
    return ({ attributes }) => (Object.hasOwn(attributes, name) ? attributes[name] : undefined);
  }
  switch (field) {
    case 'serverId':
    case 'workloadId':
    case 'deploymentId':
    case 'previewId':
    case 'containerId':
    case 'service':
    case 'stream':
    case 'traceId':
    case 'spanId':
      return (record) => record[field] ?? undefined;
    default:
      return () => undefined;
  }
}
