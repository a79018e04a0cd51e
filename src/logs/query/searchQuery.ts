import { day, minute, second } from '../../api/clock';
import type { AlertRule, LogQueryFilters } from '../../api/types';
import { isId } from './fields';
import { type LogFilter, queryFilters } from './filter';
import {
  parseQuery,
  type QueryError,
  type QueryProblem,
  type ResolveName,
  type TimePart,
  type UnresolvedName,
} from './parser';
import { type NameOf, printQuery } from './print';
import {
  instantOfTimeExpression,
  parseDuration,
  parseTimeExpression,
  printTimeExpression,
  type When,
} from './timeExpression';

/** Where an alert rule does not say over which time it looks. In milliseconds. */
const defaultWindow = 5 * minute;
/** No alert rule looks back for longer; a server that says so says nonsense. In milliseconds. */
const longestWindow = 366 * day;

/** All that a filter asks for from a moment on, as a query. `since` in milliseconds since 1970. */
export function searchSince(filter: LogFilter, since: number | undefined, nameOf?: NameOf): string {
  const range = since === undefined ? {} : { from: isoOf(since) };
  return printSearch({ filter, range }, nameOf);
}

/**
 * What an alert rule looked at when it was evaluated last: its workload on its server, over its window
 * before the evaluation.
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

function isoOf(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** The range of a search as it was written: plain JSON, and as near to now each time it is used. */
export interface TimeRange {
  readonly last?: string;
  readonly from?: string;
  readonly to?: string;
}

/** A query with the range of time that it asks for. */
export interface SearchQuery {
  readonly filter: LogFilter;
  /** Without members where the query does not say. */
  readonly range: TimeRange;
}

export type SearchResult =
  | {
      readonly ok: true;
      readonly query: SearchQuery;
      /** As that of `parseQuery`. */
      readonly unresolved: readonly UnresolvedName[];
    }
  | { readonly ok: false; readonly errors: readonly QueryError[] };

/** The range where a query does not say, and how long before `to` it begins without `from`. */
const defaultLast = '1h';

const durations = ['15m', '1h30m', '7d'] as const;
const moments = ['2h', '10:00', 'yesterday 10:00', '2026-11-20', '2026-11-20T10:00:00Z'] as const;

/** As `parseQuery`, for a query that may have a range. `when` tells whether that is turned round. */
export function parseSearch(query: string, when: When, resolve?: ResolveName): SearchResult {
  const result = parseQuery(query, resolve);
  const errors: QueryError[] = result.ok ? [] : [...result.errors];
  const range = readRange(result.times, when, errors);
  if (result.ok && errors.length === 0) {
    return { ok: true, query: { filter: result.filter, range }, unresolved: result.unresolved };
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

/** The range of a search now: ISO UTC, as the contract has it. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

/** What a range means now; undefined where it ends before it begins, or is none. */
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

/** What a search asks for in its whole life. */
export interface Scope {
  /** As people read it: a range without an end ends now. */
  readonly window: Window;
  /** As it is sent. */
  readonly filters: LogQueryFilters;
  /** Whether newer records can come. */
  readonly isOpen: boolean;
}

/** What a search asks for where it begins now; undefined where its range ends before it begins. */
export function scopeOf({ filter, range }: SearchQuery, when: When): Scope | undefined {
  const window = windowOf(range, when);
  if (window === undefined) return undefined;
  return {
    window,
    filters: queryFilters(filter, window.from, window.to),
    isOpen: range.to === undefined,
  };
}

/** Whether a range is over, so that nothing can come any more. */
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
