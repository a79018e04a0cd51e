import * as vscode from 'vscode';
import { minute } from '../../../base/clock';
import type { LogRecord } from '../../../api/types';
import { utcTime, utcTimeOf } from '../../../api/utcTime';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { systemClock } from '../../../vscode/clock';
import { tailAhead } from '../../../vscode/settings';
import { queryFilters } from '../../query/filter';
import type { SearchQuery } from '../../query/searchQuery';
import type { QueryMemory } from '../../query/ui/queryMemory';
import { readSearch, searchTime } from '../../query/ui/readSearch';
import { createExplorerSession, type ExplorerListener, type ExplorerSession } from '../session';
import { capabilitiesOf } from '../recordRows';
import type { ShownLogs } from './logExplorer';
import { UserError } from '../../../vscode/errorMessages';

const { t } = vscode.l10n;

export interface QueryHistoryServices {
  readonly session: Session;
  readonly names: Names;
  readonly memory: QueryMemory;
}

/** The session of the explorer with the history of its queries. */
export interface QueryHistory {
  readonly explorer: ExplorerSession;
  /** The last query that ran. */
  readonly query: string;
  /** The query of the results, if the last query failed. */
  readonly previous: string | undefined;
  /** Whether there is a context to leave or an earlier query. */
  readonly canGoBack: boolean;
  /**
   * The record to select: the one whose context or trace is shown, or that was selected before. Undefined
   * if there is none or it is not on the first page.
   */
  readonly focus: LogRecord | undefined;
  /** The records to export or to show as text; undefined before the first search. */
  readonly shownLogs: ShownLogs | undefined;
  /**
   * Runs a query. `back` goes back from it.
   *
   * @param parsed the query if it is parsed already.
   * @throws Error with a message for the user if the query cannot run.
   */
  run(query: string, parsed?: SearchQuery): Promise<void>;
  /** Runs the first query of a panel, which the user did not write. Throws like `run`. */
  start(query: string): Promise<void>;
  /**
   * Searches for all records of the trace of a record. `back` goes back from it.
   *
   * @returns the query of the search.
   */
  trace(record: LogRecord): Promise<string>;
  /** Goes back to what was shown before. @returns its query. */
  back(): Promise<string>;
  /** Removes everything, because the connection changed. */
  clear(): void;
  dispose(): void;
}

/** A step of the history. */
interface Step {
  readonly query: string;
  /** The event id of the record that was selected then. */
  readonly left?: string;
}

interface SearchOptions {
  /** The query if it is parsed already. */
  readonly parsed?: SearchQuery | undefined;
  /** The event id of the record to select. */
  readonly focus?: string | undefined;
}

/** The length of the history. */
const mostSteps = 50;

/** How far before and after a record to search for its trace, in milliseconds. */
const traceReach = 15 * minute;

export function createQueryHistory(
  { session, names, memory }: QueryHistoryServices,
  listener: ExplorerListener,
): QueryHistory {
  let query = '';
  const before: Step[] = [];
  /** The queries as they were written. */
  const texts = new WeakMap<SearchQuery, string>();
  /** Counts searches: a search may start while the names of another are looked up. */
  let asked = 0;
  /** The event id of the record to select, and the record in the list that has it. */
  let wanted: string | undefined;
  let found: LogRecord | undefined;

  const explorer = createExplorerSession(
    {
      source: () => session.signedIn,
      clock: systemClock,
      ahead: tailAhead,
      random: Math.random,
      when: () => searchTime(session),
    },
    {
      ...listener,
      onDidReplace(records) {
        found = records.find(({ eventId }) => eventId === wanted);
        listener.onDidReplace(records);
      },
    },
  );

  async function search(text: string, { parsed, focus }: SearchOptions = {}): Promise<boolean> {
    const mine = ++asked;
    const read = parsed ?? (await readSearch({ session, names }, session.signedIn, text));
    if (mine !== asked) return false;
    query = text;
    texts.set(read, text);
    wanted = focus;
    explorer.run(read);
    return true;
  }

  /** The query of the results. */
  function shown(): string {
    const { search } = explorer.state;
    return (search && texts.get(search)) ?? query;
  }

  function noteStep(step: Step): void {
    if (step.query === '' || step.query === query) return;
    // The same query is not added twice.
    if (before.at(-1)?.query === step.query) before.pop();
    before.push(step);
    if (before.length > mostSteps) before.shift();
  }

  return {
    explorer,
    get query() {
      return query;
    },
    get previous() {
      return explorer.state.isPrevious ? shown() : undefined;
    },
    get canGoBack() {
      return explorer.state.context !== undefined || before.length > 0;
    },
    get focus() {
      return explorer.state.context ?? found;
    },
    get shownLogs() {
      return shownLogsOf(explorer);
    },
    async run(text, parsed) {
      const last = shown();
      if (!(await search(text, { parsed }))) return;
      noteStep({ query: last });
      memory.searches.add(text);
    },
    async start(text) {
      await search(text);
    },
    async trace(record) {
      const { eventId, traceId, timestamp } = record;
      if (traceId === null || !capabilitiesOf(record).hasTrace)
        throw new UserError(t('This record has no trace.'));
      const last = shown();
      const text = traceQuery(traceId, Date.parse(timestamp), searchTime(session).now);
      if (await search(text, { focus: eventId })) noteStep({ query: last, left: eventId });
      return query;
    },
    async back() {
      const { context } = explorer.state;
      if (context !== undefined) {
        wanted = context.eventId;
        explorer.back();
      } else {
        const last = before.pop();
        if (last !== undefined) await search(last.query, { focus: last.left });
      }
      return query;
    },
    clear() {
      asked++;
      before.length = 0;
      query = '';
      wanted = undefined;
      explorer.clear();
    },
    dispose() {
      asked++;
      explorer.dispose();
    },
  };
}

/** @param time the time of a record; both in milliseconds since 1970, by the control plane's clock. */
function traceQuery(traceId: string, time: number, now: number): string {
  const from = utcTimeOf(time - traceReach);
  const end = utcTimeOf(time + traceReach);
  if (from === undefined || end === undefined) return `trace:${traceId}`;
  // A recent trace can be followed: its range has no end.
  const to = time + traceReach < now ? ` to:${end}` : '';
  return `trace:${traceId} from:${from}${to}`;
}

function shownLogsOf({ state, records }: ExplorerSession): ShownLogs | undefined {
  const { search, window, context, older, newer, partial: isPartial } = state;
  if (context !== undefined) {
    const timeOf = ({ timestamp, ingestedAt }: LogRecord): string =>
      utcTime(timestamp) ?? ingestedAt;
    const [first = context] = records;
    const last = records.at(-1) ?? context;
    const filter = { containerIds: [context.containerId] };
    return {
      filters: queryFilters(filter, timeOf(first), timeOf(last)),
      records,
      isAll: true,
      isPartial,
    };
  }
  if (search === undefined || window === undefined) return undefined;
  return {
    filters: queryFilters(search.filter, window.from, window.to),
    records,
    isAll: older.kind === 'reached' && newer.kind === 'reached',
    isPartial,
  };
}
