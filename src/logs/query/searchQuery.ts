import type { AlertRule, LogQueryFilters, Condition, ConditionGroup } from '../../api/types';
import { day, minute, second } from '../../base/clock';
import {
  isId,
  anyValue,
  attributeOfField,
  attributePrefix,
  fieldNamed,
  fieldOfAttribute,
  type NamedField,
  type NameKind,
  queryFields,
  signOf,
  type LogFilter,
  queryFilters,
} from './fields';
import type { QueryError, QueryProblem } from './filterBuilder';
import { type PastedText, parseQuery } from './parser';
import type { ResolveName, TimePart, UnresolvedName } from './readValues';
import {
  instantOfTimeExpression,
  parseDuration,
  parseTimeExpression,
  printTimeExpression,
  type When,
} from './timeExpression';
import { quote, quoteAlways } from './queryTokens';

/** The window of an alert rule without one, in milliseconds. */
const defaultWindow = 5 * minute;
/**
 * The longest accepted window of an alert rule, in milliseconds. A longer one is an error of the server.
 */
const longestWindow = 366 * day;

/** A query for a filter from a time on. `since` is in milliseconds since 1970. */
export function searchSince(filter: LogFilter, since: number | undefined, nameOf?: NameOf): string {
  const range = since === undefined ? {} : { from: isoOf(since) };
  return printSearch({ filter, range }, nameOf);
}

/**
 * A query for what an alert rule looked at in its last evaluation: its workload and server, over its
 * window before the evaluation.
 */
export function searchForRule(
  { deployableId, evaluatedAt, condition }: AlertRule,
  serverId: string | undefined,
  nameOf?: NameOf,
): string {
  const filter: LogFilter = {
    ...(deployableId !== undefined && isId(deployableId) ? { workloadIds: [deployableId] } : {}),
    ...(serverId !== undefined && isId(serverId) ? { serverIds: [serverId] } : {}),
  };
  const seconds = condition?.windowSeconds ?? condition?.http?.intervalSeconds;
  const window =
    seconds === undefined || !(seconds > 0)
      ? defaultWindow
      : Math.min(seconds * second, longestWindow);
  const end = Date.parse(evaluatedAt ?? '');
  if (Number.isNaN(end)) {
    return printSearch({ filter, range: { last: `${Math.ceil(window / second)}s` } }, nameOf);
  }
  const range = { from: isoOf(end - window), to: isoOf(end) };
  return printSearch({ filter, range }, nameOf);
}

/** A query for a trace, over longer than most shown records are old. */
export function searchForTrace(traceId: string): string {
  return `trace:${traceId} last:7d`;
}

function isoOf(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** The range of a search as it was written, resolved each time it is used. Plain JSON. */
export interface TimeRange {
  readonly last?: string;
  readonly from?: string;
  readonly to?: string;
}

/** A filter and a time range. */
export interface SearchQuery {
  readonly filter: LogFilter;
  /** Empty if the query has no range. */
  readonly range: TimeRange;
}

/** The meaning of names and times in queries. */
export interface QueryNames {
  readonly when: When;
  readonly resolve: ResolveName;
  /** The unambiguous names to show for ids, as `unambiguousNames` returns them. */
  readonly nameOf?: NameOf;
}

export type SearchResult =
  | {
      readonly ok: true;
      readonly query: SearchQuery;
      /** As `parseQuery` returns them. */
      readonly unresolved: readonly UnresolvedName[];
      readonly pasted?: PastedText;
    }
  | { readonly ok: false; readonly errors: readonly QueryError[] };

/** The query of a result; undefined if it cannot run, because of errors or unknown names. */
export function runnable(result: SearchResult): SearchQuery | undefined {
  return result.ok && result.unresolved.length === 0 ? result.query : undefined;
}

/** The default range, and the default length of a range that has only `to`. */
const defaultLast = '1h';

const durations = ['15m', '1h30m', '7d'] as const;
const moments = ['2h', '10:00', 'yesterday 10:00', '2026-11-20', '2026-11-20T10:00:00Z'] as const;

/** Like `parseQuery`, but the query may have a range. `when` is needed to find a reversed range. */
export function parseSearch(query: string, when: When, resolve?: ResolveName): SearchResult {
  const result = parseQuery(query, resolve);
  const errors: QueryError[] = result.ok ? [] : [...result.errors];
  const range = readRange(result.times, when, errors);
  if (result.ok && errors.length === 0) {
    const { ok, filter, unresolved, pasted } = result;
    return { ok, query: { filter, range }, unresolved, ...(pasted && { pasted }) };
  }
  return { ok: false, errors: errors.sort((a, b) => a.start - b.start) };
}

function readRange(times: readonly TimePart[], when: When, errors: QueryError[]): TimeRange {
  const range: { last?: string; from?: string; to?: string } = {};
  const report = (part: TimePart, problem: QueryProblem, allowed: readonly string[] = []): void => {
    errors.push({ start: part.start, end: part.end, problem, allowed });
  };
  for (const part of times) {
    const { field, text } = part;
    const moment = field === 'last' ? undefined : parseTimeExpression(text);
    const written = moment ? printTimeExpression(moment) : durationOf(part);
    if (written === undefined) {
      const allowed = field === 'last' ? durations : moments;
      report(part, { kind: 'time', field, value: text }, allowed);
    } else if (range[field] !== undefined) report(part, { kind: 'onlyOne', field });
    else if (field === 'last' ? (range.from ?? range.to) : range.last) {
      report(part, { kind: 'twoRanges' });
    } else range[field] = written;
  }
  const last = times.at(-1);
  if (last !== undefined && errors.length === 0 && windowOf(range, when) === undefined) {
    report(last, { kind: 'reversed' });
  }
  return range;
}

function durationOf({ field, text }: TimePart): string | undefined {
  return field === 'last' && parseDuration(text) !== undefined ? text.toLowerCase() : undefined;
}

/** A resolved range: ISO UTC, as the contract requires. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

/** Resolves a range. Undefined if it ends before it begins, or is invalid. */
export function windowOf({ last, from, to }: TimeRange, when: When): Window | undefined {
  const until = momentOf(to ?? 'now', when, true);
  if (until === undefined) return undefined;
  const since =
    from === undefined
      ? momentOf(last ?? defaultLast, { ...when, now: Date.parse(until) }, false)
      : momentOf(from, when, false);
  if (since === undefined || Date.parse(since) > Date.parse(until)) return undefined;
  return { from: since, to: until };
}

function momentOf(text: string, when: When, end: boolean): string | undefined {
  const moment = parseTimeExpression(text);
  return moment && instantOfTimeExpression(moment, when, end);
}

/** The filters of a search while it runs. */
export interface Scope {
  /** The range to show. Without an end it ends when the search started. */
  readonly window: Window;
  /** The filters to send. */
  readonly filters: LogQueryFilters;
  /** Whether newer records can match. */
  readonly isOpen: boolean;
}

/** Starts a search now. Undefined if its range ends before it begins. */
export function scopeOf({ filter, range }: SearchQuery, when: When): Scope | undefined {
  const window = windowOf(range, when);
  if (window === undefined) return undefined;
  return {
    window,
    filters: queryFilters(filter, window.from, window.to),
    isOpen: range.to === undefined,
  };
}

/** Whether the range has ended, so that no new record can match. */
export function isPast({ isOpen, filters }: Scope, now: number): boolean {
  return !isOpen && Date.parse(filters.to) <= now;
}

/** Prints a search as a query that compiles to the same search. */
export function printSearch({ filter, range }: SearchQuery, nameOf?: NameOf): string {
  const times = (['last', 'from', 'to'] as const).flatMap((field) =>
    range[field] === undefined ? [] : [`${field}:${range[field]}`],
  );
  return [printQuery(filter, nameOf), ...times].filter((part) => part !== '').join(' ');
}

/** The name of an id; undefined unless `ResolveName` resolves it to this id alone. */
export type NameOf = (kind: NameKind, id: string) => string | undefined;

/** Prints a filter as a query that compiles to the same filter. */
export function printQuery(filter: LogFilter, nameOf?: NameOf): string {
  const terms: string[] = [];
  for (const [field, { member, names }] of queryFields) {
    const value = (member && filter[member]) ?? [];
    const values = typeof value === 'string' ? [value] : value;
    if (values.length === 0) continue;
    const printed = values.map((one) => quote(nameOrId(names, one, nameOf)));
    terms.push(`${field}:${printed.join(',')}`);
  }
  for (const { key, value, operator } of filter.attributes ?? []) {
    const sign = operator === 'contains' ? '~' : '=';
    terms.push(`${fieldOfAttribute(quote(key))}${sign}${quote(value)}`);
  }
  if (filter.conditionGroup !== undefined) terms.push(printGroup(filter.conditionGroup, nameOf));
  if (filter.search !== undefined && filter.search !== '') terms.push(quoteAlways(filter.search));
  return terms.join(' ');
}

function nameOrId(names: NameKind | undefined, id: string, nameOf: NameOf | undefined): string {
  const name = names && nameOf?.(names, id);
  return name === undefined || name === '' || isId(name) ? id : name;
}

function printGroup({ match, conditions }: ConditionGroup, nameOf: NameOf | undefined): string {
  const joinedByOr = match === 'or' && conditions.length > 1;
  const printed = conditions.map((condition) => printCondition(condition, nameOf));
  const needsGroup = joinedByOr || conditions.some(isAttributeFilter);
  const text = printed.join(joinedByOr ? ' or ' : ' ');
  return needsGroup ? `(${text})` : text;
}

/** Whether a condition on its own would be read as an attribute filter. */
function isAttributeFilter({ field, operator }: Condition): boolean {
  return field.startsWith(attributePrefix) && (operator === 'equals' || operator === 'contains');
}

/** A condition with its parts as they are written, without quotes. */
export interface WrittenCondition {
  /** Such as `service` or `attr.user`. */
  readonly field: string;
  /** A sign; `:*` if the field exists, `-:*` if it does not. */
  readonly operator: string;
  /** Empty if the operator takes no value. */
  readonly value: string;
}

export const exists = `:${anyValue}`;
export const notExists = `-:${anyValue}`;

export function writtenCondition(condition: Condition, nameOf?: NameOf): WrittenCondition {
  const { field, operator, value } = condition;
  const known = fieldNamed(field);
  const name = field.startsWith(attributePrefix)
    ? fieldOfAttribute(field.slice(attributePrefix.length))
    : (known?.name ?? field);
  if (operator === 'exists') return { field: name, operator: exists, value: '' };
  if (operator === 'not_exists') return { field: name, operator: notExists, value: '' };
  const sign = signOf(operator);
  if (!acceptsNames(known, operator)) return { field: name, operator: sign, value };
  // The contract's own field name never takes names, so the value cannot be mistaken for one.
  if (!isId(value)) return { field, operator: sign, value };
  return { field: name, operator: sign, value: nameOrId(known.names, value, nameOf) };
}

/** Whether the values of a field are names with this operator. */
export function acceptsNames(
  known: NamedField | undefined,
  operator: Condition['operator'],
): known is NamedField & Required<Pick<NamedField, 'names'>> {
  return known?.names !== undefined && (operator === 'equals' || operator === 'not_equals');
}

/** Prints a condition as it is written in parentheses. */
export function printCondition(condition: Condition, nameOf?: NameOf): string {
  const { field, operator, value } = writtenCondition(condition, nameOf);
  const key = attributeOfField(field);
  const name = key === undefined ? field : fieldOfAttribute(quote(key));
  if (operator === exists) return `${name}${exists}`;
  if (operator === notExists) return `-${name}${exists}`;
  return `${name}${operator}${quote(value)}`;
}

/** The names that resolve to a single id. A shared name would match all ids that have it. */
export function unambiguousNames(names: {
  nameOf(kind: NameKind, id: string): string | undefined;
  idsOf(kind: NameKind, name: string): readonly string[];
}): NameOf {
  return (kind, id) => {
    const name = names.nameOf(kind, id);
    if (name === undefined || name === '' || isId(name)) return undefined;
    const [found, ...more] = names.idsOf(kind, name);
    return found === id && more.length === 0 ? name : undefined;
  };
}
