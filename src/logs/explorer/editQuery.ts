import type { Severity, Condition, ConditionGroup } from '../../api/types';
import {
  fieldNamed,
  type NameKind,
  queryFields,
  attributeOfField,
  attributePrefix,
  conditionFields,
  conditionSigns,
  isId,
  type LogFilter,
} from '../query/fields';
import { allowedValues, type QueryError, type QueryProblem } from '../query/filterBuilder';
import { withOnly, without } from '../query/narrow';
import type { PastedText } from '../query/parser';
import type { ResolveName, UnresolvedName } from '../query/readValues';
import {
  exists,
  type NameOf,
  notExists,
  printCondition,
  printQuery,
  parseSearch,
  printSearch,
  runnable,
  type QueryNames,
  type SearchQuery,
  acceptsNames,
  writtenCondition,
} from '../query/searchQuery';
import { parseDuration, parseTimeExpression, printTimeExpression } from '../query/timeExpression';
import { createTimestampFormat, endOfRange } from '../record/logLine';
import type { Edit, QueryModel, Range, BuilderCondition } from './protocol/messages';

/** The parts of a query, which can be changed one by one. If it is wrong, they may be empty. */
export interface ParsedQuery extends Omit<QueryModel, 'errors' | 'note' | 'shownRange'> {
  readonly problems: readonly QueryError[];
  /** Names without an id: the query cannot run with them. */
  readonly unresolved: readonly UnresolvedName[];
  /** Whether it has names, whose ids may be others later. */
  readonly hasNames: boolean;
  /** What looks like fields and is searched for as text. */
  readonly pasted: PastedText | undefined;
  /** Undefined if the query cannot run. */
  readonly query: SearchQuery | undefined;
}

type EditResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: EditRefusal };

export type EditRefusal =
  /** The current query is wrong. */
  | { readonly kind: 'query'; readonly errors: readonly QueryError[] }
  /** The changed query would be wrong. Its positions mean nothing. */
  | { readonly kind: 'edit'; readonly errors: readonly QueryError[] }
  /** The API cannot combine this filter with the others. */
  | { readonly kind: 'cannotSay' }
  /** The chip no longer exists. */
  | { readonly kind: 'gone' };

/** Splits a query into its parts. */
export function modelOf(text: string, names: QueryNames): ParsedQuery {
  const { when, resolve, nameOf } = names;
  const placeholders = createNamePlaceholders(nameOf);
  const read = parseSearch(text, when, placeholders.resolve);
  // Names stay names in the parts, and are ids when the query runs.
  const hasNames = placeholders.count > 0;
  const meant = hasNames ? parseSearch(text, when, resolve) : read;
  const { filter, range }: SearchQuery = read.ok ? read.query : { filter: {}, range: {} };
  const group = filter.conditionGroup;
  return {
    text,
    hasNames,
    problems: meant.ok ? [] : meant.errors,
    unresolved: meant.ok ? meant.unresolved : [],
    pasted: meant.ok ? meant.pasted : undefined,
    query: runnable(meant),
    chips: chipsOf(filter, placeholders.nameOf).map(({ text: chip, joinedBy }) => ({
      text: chip,
      joinedBy,
    })),
    severities: filter.severities ?? [],
    range,
    match: group?.match ?? 'and',
    conditions: (group?.conditions ?? []).map((one) => writtenCondition(one, placeholders.nameOf)),
  };
}

/**
 * A range with its absolute times in a time zone, such as `2026-11-20 12:00` to `12:30`: without zeros at the end, and
 * with the date only once if it is the same. The rest of it is as in the query.
 */
export function shownRange({ from, to, ...rest }: Range, timeZone: string): Range {
  const format = createTimestampFormat(timeZone);
  const shown = (time: string): string => format(time)?.replace(/(?::00)?\.000$/, '') ?? time;
  const [start, end] = [from && shown(from), to && shown(to)];
  return {
    ...rest,
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { to: endOfRange(start ?? '', end) }),
  };
}

/** Changes a query. Names stay names, known or not. The result is a valid query, or why there is none. */
export function applyEdit(text: string, edit: Edit, names: QueryNames): EditResult {
  const { when, nameOf } = names;
  // To exclude a value from a list of names, it must be found there by its id.
  const isOfIds = edit.kind === 'exclude' && fieldNamed(edit.field)?.names !== undefined;
  const placeholders = createNamePlaceholders(nameOf, isOfIds ? names.resolve : undefined);
  const read = parseSearch(text, when, placeholders.resolve);
  if (!read.ok) return refuse({ kind: 'query', errors: read.errors });
  const edited = change(read.query, edit, placeholders);
  if ('kind' in edited) return refuse(edited);
  const result = printSearch(edited, placeholders.nameOf);
  const check = parseSearch(result, when, placeholders.resolve);
  return check.ok ? { ok: true, text: result } : refuse({ kind: 'edit', errors: check.errors });
}

function refuse(reason: EditRefusal): EditResult {
  return { ok: false, reason };
}

function change(
  query: SearchQuery,
  edit: Edit,
  placeholders: NamePlaceholders,
): SearchQuery | EditRefusal {
  const { filter } = query;
  switch (edit.kind) {
    case 'removeChip': {
      const chip = chipsOf(filter)[edit.index];
      return chip === undefined ? { kind: 'gone' } : { ...query, filter: chip.without };
    }
    case 'severities':
      return { ...query, filter: withSeverities(filter, edit.severities) };
    case 'range':
      return withRange(query, edit.range);
    case 'conditions': {
      const { conditionGroup, ...rest } = filter;
      const group = groupOf(edit, placeholders.resolve);
      if (group === undefined) return { ...query, filter: rest };
      if ('problem' in group) return { kind: 'edit', errors: [group] };
      return { ...query, filter: { ...rest, conditionGroup: group } };
    }
    case 'search': {
      const { search = '' } = filter;
      return edit.value.includes(search)
        ? { ...query, filter: { ...filter, search: edit.value } }
        : { kind: 'cannotSay' };
    }
    case 'only':
    case 'exclude': {
      const narrowed = (edit.kind === 'only' ? withOnly : without)(filter, edit);
      return narrowed === undefined ? { kind: 'cannotSay' } : { ...query, filter: narrowed };
    }
  }
}

function withSeverities(filter: LogFilter, wanted: readonly Severity[]): LogFilter {
  const { severities: before, ...rest } = filter;
  const all = allowedValues('severities').filter((one): one is Severity =>
    wanted.some((other) => other === one),
  );
  const isAll = all.length === allowedValues('severities').length;
  return isAll || all.length === 0 ? rest : { ...rest, severities: all };
}

function withRange(query: SearchQuery, asked: Range): SearchQuery | EditRefusal {
  const range: { last?: string; from?: string; to?: string } = {};
  for (const field of ['last', 'from', 'to'] as const) {
    const value = asked[field]?.trim();
    if (value === undefined || value === '') continue;
    const time = field === 'last' ? undefined : parseTimeExpression(value);
    const isDuration = field === 'last' && parseDuration(value) !== undefined;
    if (time === undefined && !isDuration) {
      const error = {
        start: 0,
        end: 0,
        problem: { kind: 'time', field, value },
        allowed: [],
      } as const;
      return { kind: 'edit', errors: [error] };
    }
    range[field] = time === undefined ? value.toLowerCase() : printTimeExpression(time);
  }
  return { ...query, range };
}

/** A part of a filter. */
interface Chip {
  /** As in the query. */
  readonly text: string;
  /** How it is joined to the previous part. */
  readonly joinedBy: 'and' | 'or';
  readonly without: LogFilter;
}

/** The parts of a filter in the order of the query; each can be removed alone. */
export function chipsOf(filter: LogFilter, nameOf?: NameOf): readonly Chip[] {
  const { attributes = [], conditionGroup, search } = filter;
  const chips: Chip[] = [];
  const add = (text: string, without: LogFilter, joinedBy: Chip['joinedBy'] = 'and'): void => {
    if (text !== '') chips.push({ text, joinedBy, without });
  };
  for (const { member } of queryFields.values()) {
    if (member === undefined) continue;
    const { [member]: one, ...without } = filter;
    add(printQuery(one === undefined ? {} : { [member]: one }, nameOf), without);
  }
  attributes.forEach((one, index) => {
    const rest = attributes.filter((_, other) => other !== index);
    const { attributes: all, ...without } = filter;
    const text = printQuery({ attributes: [one] });
    add(text, rest.length === 0 ? without : { ...without, attributes: rest });
  });
  conditionGroup?.conditions.forEach((one, index) => {
    const rest = conditionGroup.conditions.filter((_, other) => other !== index);
    const { conditionGroup: all, ...without } = filter;
    add(
      printCondition(one, nameOf),
      rest.length === 0
        ? without
        : { ...without, conditionGroup: { ...conditionGroup, conditions: rest } },
      index === 0 ? 'and' : conditionGroup.match,
    );
  });
  if (search !== undefined) {
    const { search: all, ...without } = filter;
    add(printQuery({ search }), without);
  }
  return chips;
}

/** Placeholder ids for names, which can be turned back into the names. */
interface NamePlaceholders {
  readonly resolve: ResolveName;
  readonly nameOf: NameOf;
  /** How many there are. */
  readonly count: number;
}

/**
 * Creates ids for names, so that a query can be changed without losing ambiguous or unknown names.
 *
 * @param nameOf the names of real ids.
 * @param resolve finds real ids, which are preferred.
 */
function createNamePlaceholders(nameOf?: NameOf, resolve?: ResolveName): NamePlaceholders {
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  const placeholderOf = (kind: NameKind, name: string): string => {
    const key = `${kind} ${name}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = `ffffffff-ffff-4fff-bfff-${ids.size.toString(16).padStart(12, '0')}`;
    ids.set(key, id);
    names.set(id, name);
    return id;
  };
  return {
    resolve(kind, name) {
      const real = resolve?.(kind, name) ?? [];
      return real.length > 0 ? real : [placeholderOf(kind, name)];
    },
    nameOf: (kind, id) => names.get(id) ?? nameOf?.(kind, id),
    get count() {
      return ids.size;
    },
  };
}

export const builderOperators: readonly string[] = [...conditionSigns.keys(), exists, notExists];

/** The fields of the condition builder; `attr` is followed by the name of an attribute. */
export const builderFields: readonly string[] = conditionFields;

/**
 * The condition group of the builder, with ids for names; undefined without conditions. An error has no
 * position in the query.
 */
function groupOf(
  edit: Pick<QueryModel, 'match' | 'conditions'>,
  resolve: ResolveName,
): ConditionGroup | QueryError | undefined {
  const conditions: Condition[] = [];
  for (const one of edit.conditions) {
    const condition = conditionOf(one, resolve);
    if ('problem' in condition) return condition;
    conditions.push(condition);
  }
  return conditions.length === 0 ? undefined : { match: edit.match, conditions };
}

function conditionOf(
  { field, operator: sign, value }: BuilderCondition,
  resolve: ResolveName,
): Condition | QueryError {
  const key = attributeOfField(field);
  const known = key === undefined ? fieldNamed(field) : undefined;
  const name = key === undefined ? known?.condition : `${attributePrefix}${key}`;
  if (key === '') return problem({ kind: 'missingAttribute' });
  if (name === undefined) return problem({ kind: 'unknownField', field }, conditionFields);
  if (sign === exists || sign === notExists) {
    return { field: name, operator: sign === exists ? 'exists' : 'not_exists', value: '' };
  }
  const operator = conditionSigns.get(sign);
  if (operator === undefined) {
    return problem({ kind: 'operator', field, operator: sign }, builderOperators);
  }
  if (!acceptsNames(known, operator) || known.exact || isId(value)) {
    return { field: name, operator, value };
  }
  if (value === '') return problem({ kind: 'missingValue', field });
  return { field: name, operator, value: resolve(known.names, value)[0] ?? value };
}

function problem(what: QueryProblem, allowed: readonly string[] = []): QueryError {
  return { start: 0, end: 0, problem: what, allowed };
}
