import * as vscode from 'vscode';
import type { ControlPlaneClient } from '../../api/client';
import { InvalidRequestError, localizableMessage } from '../../api/errors';
import { operations } from '../../api/generated/operations';
import { searchLogs, summariseLogs, compareLogs } from '../../api/generated/toolInputs';
import type { LogQueryFilters, LogRecord } from '../../api/types';
import { localZone } from '../../base/timeFormat';
import { recentWorkloads } from '../../data/discovery/discovery';
import type { Names } from '../../data/knownNames';
import {
  type ComparedSearch,
  fixedSearch,
  otherTimes,
  rangeBefore,
  rangesOfOther,
  Comparison,
} from '../../logs/explorer/comparison';
import { type LogSummary, summarise } from '../../logs/explorer/logSummary';
import { PagedSearch } from '../../logs/explorer/pagedSearch';
import { queryFilters } from '../../logs/query/fields';
import {
  parseSearch,
  type SearchQuery,
  type SearchResult,
  windowOf,
} from '../../logs/query/searchQuery';
import type { When } from '../../logs/query/timeExpression';
import { describeQueryErrors, describeUnresolved } from '../../logs/query/ui/queryText';
import { createFormatter } from '../../logs/record/logLine';
import { pauseEvery } from '../../vscode/systemClock';
import { tools } from '../../vscode/contributions';
import { logSettings } from '../../vscode/settings';
import { count, type Entry, Excerpt, cleanData } from '../answer';
import { comparisonEntries, comparisonWords, longestTemplate } from '../outlines';
import type { Validated } from '../toolProblems';
import type { Tool, ToolCall } from './tool';

/** Limit of one body in UTF-16 units: enough for a stack trace. */
const maxBody = 2000;
const defaultLimit = 50;

/** Lists the records that match a query, as lines. */
export function searchLogsTool(names: Names): Tool<Validated<typeof searchLogs>> {
  return {
    name: tools.searchLogs,
    accepts: searchLogs,
    permission: operations.queryLogs.permission,
    doing: vscode.l10n.t('Searching the logs'),
    async run({ query, limit = defaultLimit }, call) {
      const { records, words } = await findLogs(query, limit, names, call);
      const { severity } = logSettings();
      const format = createFormatter({ timeZone: 'utc', showAttributes: true, severity });
      return {
        words: [...words, 'Oldest first, times in UTC.'],
        data: {
          entries: cleanData(
            records.map((record) => ({ ...record, body: new Excerpt(record.body, maxBody) })),
            call.secrets,
          ).map(format),
          keep: 'last',
          noun: 'record',
        },
      };
    },
  };
}

/** The records that match a query, and what to say about them. */
interface FoundLogs {
  /** Oldest first, without secrets: names and templates are cut when the records are read. */
  readonly records: readonly LogRecord[];
  /** Our own sentences: the range, the count, and what is missing. */
  readonly words: readonly string[];
}

/**
 * Searches for the newest records that match a query.
 *
 * @throws InvalidRequestError if the query is not valid, and the errors of the client.
 */
async function findLogs(
  query: string,
  limit: number,
  names: Names,
  { client, signal, secrets }: ToolCall,
): Promise<FoundLogs> {
  const filters = await filtersOf(query, names, { client, signal });
  const search = new PagedSearch({ client, filters, maxRecords: limit });
  let loaded = await search.load('older', { target: limit, signal });
  // The access changed while pages were loaded: load them once more.
  if (loaded.kind === 'accessChanged')
    loaded = await search.load('older', { target: limit, signal });
  const { records, state } = search;
  const reachedStart = state?.ends.older === 'end';
  const [first] = records;
  const end = loaded.kind === 'records' ? loaded.end : undefined;
  return {
    records: cleanData(records, secrets),
    words: [
      `Range: ${filters.from} to ${filters.to}. ${count(records.length, 'record')} found${
        reachedStart ? '.' : ', the newest ones.'
      }`,
      ...(reachedStart || first === undefined || end === 'repeatedCursor'
        ? []
        : [
            `More older records match: narrow the query, or set to: to the time of the first record.`,
          ]),
      ...(state?.partial === true
        ? ['The control plane returned only part of the matching records.']
        : []),
    ],
  };
}

type Asking = Pick<ToolCall, 'client' | 'signal'>;

async function filtersOf(query: string, names: Names, asking: Asking): Promise<LogQueryFilters> {
  const when = { now: asking.client.serverNow(), timeZone: localZone };
  const { filter, range } = await readToolQuery(query, when, names, asking);
  const window = windowOf(range, when);
  if (window === undefined) throw invalid('the time range is not valid');
  return queryFilters(filter, window.from, window.to);
}

/**
 * Parses the query of a model, and looks up names that are not known.
 *
 * @throws InvalidRequestError if the query is not valid, and the errors of the client.
 */
async function readToolQuery(
  query: string,
  when: When,
  names: Names,
  asking: Asking,
): Promise<SearchQuery> {
  const parse = (): SearchResult =>
    parseSearch(query, when, (kind, name) => names.idsOf(kind, name));
  let result = parse();
  if (result.ok && result.unresolved.length > 0) {
    // Recent workloads have names too.
    const { workloads } = await recentWorkloads(asking.client, asking.signal);
    // Names of another control plane mean nothing here.
    asking.signal.throwIfAborted();
    for (const { id, name } of workloads) {
      if (name !== undefined) names.remember('workload', id, name);
    }
    result = parse();
  }
  if (!result.ok) throw invalid(describeQueryErrors(query, result.errors));
  if (result.unresolved.length > 0) throw invalid(describeUnresolved(result.unresolved));
  return result.query;
}

/** An error of the query of a model. */
export function invalid(problem: string): InvalidRequestError {
  return new InvalidRequestError(
    'query',
    localizableMessage('{0}', problem),
    localizableMessage('see the description of query'),
  );
}

/** As described in package.json. */
const maxRecords = 2000;
const maxTemplates = 30;
const maxWorkloads = 30;
/** Limits of a template and of the body of its example, in UTF-16 units. */
const maxExample = 500;

/** Counts records by severity, workload and message template. */
export function summariseLogsTool(names: Names): Tool<Validated<typeof summariseLogs>> {
  return {
    name: tools.summariseLogs,
    accepts: summariseLogs,
    permission: operations.queryLogs.permission,
    doing: vscode.l10n.t('Summarizing the logs'),
    async run({ query }, call) {
      const { records, words } = await findLogs(query, maxRecords, names, call);
      const summary = await summarise(records, pauseEvery(), logSettings());
      return {
        words: [...words, ...cuts(summary)],
        data: { entries: lines(summary), keep: 'first', noun: 'line' },
      };
    },
  };
}

function cuts({ workloads, templates }: LogSummary): string[] {
  const most = (all: readonly unknown[], limit: number, noun: string): string[] =>
    all.length <= limit
      ? []
      : [`Only the ${limit} most frequent of ${count(all.length, noun)} are listed.`];
  return [
    ...most(workloads, maxWorkloads, 'workload'),
    ...most(templates, maxTemplates, 'message template'),
  ];
}

function lines({ severities, workloads, templates }: LogSummary): Entry[] {
  const counts = (pairs: readonly (readonly [string, number])[]): object[] =>
    pairs.map(([name, number]) => [new Excerpt(name, 100), number]);
  if (templates.length === 0) return [];
  return [
    { bySeverity: counts(severities) },
    { byWorkload: counts(workloads.slice(0, maxWorkloads)) },
    ...templates
      .slice(0, maxTemplates)
      .map(({ template, count, severity, workloads, example }) => ({
        count,
        severity,
        template: new Excerpt(template, longestTemplate),
        workloads: workloads.slice(0, 5).map((name) => new Excerpt(name, 100)),
        ...(workloads.length > 5 ? { furtherWorkloads: workloads.length - 5 } : {}),
        example: {
          time: example.timestamp,
          traceId: example.traceId ?? undefined,
          body: new Excerpt(example.body, maxExample),
        },
      })),
  ];
}

/** Compares the records of two queries by pattern. */
export function compareLogsTool(names: Names): Tool<Validated<typeof compareLogs>> {
  return {
    name: tools.compareLogs,
    accepts: compareLogs,
    permission: operations.queryLogs.permission,
    doing: vscode.l10n.t('Comparing the logs'),
    async run({ query, otherQuery, otherTime = 'periodBefore' }, call) {
      // One for both: the same query has the same range.
      const when = { now: call.client.serverNow(), timeZone: localZone };
      const read = async (text: string): Promise<ComparedSearch> => {
        const fixed = fixedSearch(await readToolQuery(text, when, names, call), when);
        if (fixed === undefined) throw invalid('the time range is not valid');
        return fixed;
      };
      const now = await read(query);
      const before =
        otherQuery === undefined
          ? atOtherTime(now, otherTime, when.timeZone)
          : await read(otherQuery);
      const pair = { now, before };
      if (rangesOfOther(pair).length === 0) throw invalid('both queries have the same records');
      const comparison = new Comparison(cleaned(call), pair, pauseEvery(), logSettings());
      const compared = await comparison.read({ signal: call.signal });
      return {
        words: comparisonWords(compared),
        data: { entries: comparisonEntries(compared, true), keep: 'first', noun: 'line' },
      };
    },
  };
}

function atOtherTime(now: ComparedSearch, name: string, timeZone: string): ComparedSearch {
  const which = otherTimes.find((one) => one === name) ?? 'periodBefore';
  const range = rangeBefore(now.range, which, timeZone);
  if (range === undefined) throw invalid('the time range overlaps the other one');
  return { ...now, range };
}

/** Removes secrets before patterns are made of the records, which cut them to pieces. */
function cleaned({
  client,
  secrets,
}: ToolCall): Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'> {
  return {
    serverNow: () => client.serverNow(),
    async queryLogs(request, options) {
      const page = await client.queryLogs(request, options);
      return { ...page, records: cleanData(page.records, secrets) };
    },
  };
}
