import type { LogQueryFilters, LogRecord } from '../../src/api/types';

/** The filters of a request without its range, which the record store looks up. */
export type Filters = Omit<LogQueryFilters, 'from' | 'to'>;
type Test = (record: LogRecord) => boolean;

/**
 * The filters of the API document, of which a record must pass all. Written from the document and the
 * assumptions of the contract, not from the client: a filter that both read in the same wrong way would
 * show nothing.
 */
export function filterOf(filters: Filters): Test {
  const tests: Test[] = [];
  for (const [name, wanted] of Object.entries(filters) as [keyof Filters, unknown][]) {
    const test = tested[name](wanted as never);
    if (test !== undefined) tests.push(test);
  }
  return (record) => tests.every((test) => test(record));
}

/** A test for each member of `filters`; undefined if its value lets every record pass. */
const tested: {
  readonly [Name in keyof Filters]-?: (wanted: NonNullable<Filters[Name]>) => Test | undefined;
} = {
  workloadIds: (ids) => isOneOf(ids, ({ workloadId }) => workloadId),
  serverIds: (ids) => isOneOf(ids, ({ serverId }) => serverId),
  deploymentIds: (ids) => isOneOf(ids, ({ deploymentId }) => deploymentId),
  previewIds: (ids) => isOneOf(ids, ({ previewId }) => previewId),
  containerIds: (ids) => isOneOf(ids, ({ containerId }) => containerId),
  environments: (names) => isOneOf(names, ({ environment }) => environment),
  services: (names) => isOneOf(names, ({ service }) => service),
  severities: (names) => isOneOf(names, ({ severity }) => severity),
  stream: (name) => (record) => record.stream === name,
  search: (text) => (text === '' ? undefined : (record) => holds('contains', record.body, text)),
  traceId: (id) => (record) => record.traceId === id,
  attributes: (items) =>
    items.length === 0
      ? undefined
      : (record) =>
          items.every(({ key, operator = 'equals', value }) =>
            holds(operator, attribute(record, key), value),
          ),
  conditionGroup: ({ match, conditions }) => {
    const how = match === 'and' ? 'every' : 'some';
    return (record) =>
      conditions[how](({ field, operator, value }) =>
        holds(operator, valueOf(record, field), value),
      );
  },
};

/** UUIDs are the same in either letter case; every other value of a list is in lower case or exact. */
function isOneOf(
  wanted: readonly string[],
  read: (record: LogRecord) => string | null,
): Test | undefined {
  if (wanted.length === 0) return undefined;
  const isUuid = (text: string): boolean =>
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
  const canonical = (text: string): string => (isUuid(text) ? text.toLowerCase() : text);
  const all = new Set(wanted.map(canonical));
  return (record) => {
    const value = read(record);
    return value !== null && (all.has(value) || all.has(canonical(value)));
  };
}

function attribute({ attributes }: LogRecord, name: string): string | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

/** What the field of a condition holds; undefined: nothing. */
function valueOf(record: LogRecord, field: string): string | undefined {
  const [, name] = /^attribute:(.+)$/s.exec(field) ?? [];
  if (name !== undefined) return attribute(record, name);
  return (record as unknown as Readonly<Record<string, string | null>>)[field] ?? undefined;
}

/** Whether a value passes an operator. Parts of a text are the same in either letter case. */
function holds(operator: string, value: string | undefined, wanted: string): boolean {
  const is = value ?? '';
  const part = wanted.toLowerCase();
  if (operator.startsWith('not_')) return !holds(operator.slice('not_'.length), value, wanted);
  if (value === undefined) return false;
  switch (operator) {
    case 'exists':
      return true;
    case 'equals':
      return is === wanted;
    case 'contains':
      return is.toLowerCase().includes(part);
    case 'starts_with':
      return is.toLowerCase().startsWith(part);
    case 'ends_with':
      return is.toLowerCase().endsWith(part);
    default:
      throw new Error(`There is no operator ${operator}.`);
  }
}
