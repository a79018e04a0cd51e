import * as vscode from 'vscode';
import { minute } from '../../../api/clock';
import type { LogRecord } from '../../../api/types';
import { utcTime, utcTimeOf } from '../../../api/utcTime';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../inventory/names';
import { systemClock } from '../../../vscode/clock';
import { tailAhead } from '../../../vscode/settings';
import { queryFilters } from '../../query/filter';
import type { SearchQuery } from '../../query/searchQuery';
import type { QueryMemory } from '../../query/ui/queryMemory';
import { readSearch, searchTime } from '../../query/ui/readSearch';
import { createExplorerSession, type ExplorerListener, type ExplorerSession } from '../session';
import { capabilitiesOf } from '../rows';
import type { ShownLogs } from './searchTools';

const { t } = vscode.l10n;

export interface QueryHistoryServices {
  readonly session: Session;
  readonly names: Names;
  readonly memory: QueryMemory;
}

/** What somebody searches with: the explorer, and the queries that led to what it shows. */
export interface QueryHistory {
  readonly explorer: ExplorerSession;
  /** That was run last. */
  readonly query: string;
  /** Of which query the results are, where that is not the one that was run last: it has failed. */
  readonly previous: string | undefined;
  /** Whether there is a context to leave, or a query that was run before this one. */
  readonly canGoBack: boolean;
  /**
   * The record that somebody came from to what is shown now, or that is shown in its context: it is to
   * stay in view. Undefined where there is none, or the first page is without it.
   */
  readonly focus: string | undefined;
  /** What is shown, for a file or a document; undefined before the first search. */
  readonly shownLogs: ShownLogs | undefined;
  /**
   * Searches; `back` leads to what was shown before.
   *
   * @param read what the query asks for, where it has just been read.
   * @throws with words for the person, where the query cannot be run.
   */
  run(query: string, read?: SearchQuery): Promise<void>;
  /**
   * Searches for all records of the trace of a record; `back` leads to what was shown before.
   *
   * @returns the query that is in force now.
   */
  trace(record: LogRecord): Promise<string>;
  /** @returns the query that is in force now. */
  back(): Promise<string>;
  /** Forgets everything, as where the connection is another one. */
  clear(): void;
  dispose(): void;
}

/** What was shown before something else. */
interface Step {
  readonly query: string;
  /** The record that somebody left it from, by its event id. */
  readonly left?: string;
}

interface SearchOptions {
  /** What the query asks for; undefined where it is still to be read. */
  readonly read?: SearchQuery | undefined;
  /** The record to bring into view, by its event id. */
  readonly focus?: string | undefined;
}

/** So many steps back are enough for anybody. */
const mostSteps = 50;

/** How far a trace is looked for on either side of one of its records, in milliseconds. */
const traceReach = 15 * minute;

export function createQueryHistory(
  { session, names, memory }: QueryHistoryServices,
  listener: ExplorerListener,
): QueryHistory {
  let query = '';
  const before: Step[] = [];
  /** As somebody wrote them. */
  const texts = new WeakMap<SearchQuery, string>();
  /** Counts searches, since the names of one may be looked up while another is run. */
  let asked = 0;
  /** The record to bring into view, and the one that was there when the list became another one. */
  let wanted: string | undefined;
  let found: string | undefined;

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
        found = records.find(({ eventId }) => eventId === wanted)?.eventId;
        listener.onDidReplace(records);
      },
    },
  );

  async function search(
    text: string,
    { read: known, focus }: SearchOptions = {},
  ): Promise<boolean> {
    const mine = ++asked;
    const read = known ?? (await readSearch({ session, names }, session.signedIn, text));
    if (mine !== asked) return false;
    query = text;
    texts.set(read, text);
    wanted = focus;
    explorer.run(read);
    return true;
  }

  /** The query of what is shown. */
  function shown(): string {
    const { search } = explorer.state;
    return (search && texts.get(search)) ?? query;
  }

  function noteStep(step: Step): void {
    if (step.query === '' || step.query === query) return;
    // Where a search was not found before, it is the same to go back to.
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
      return explorer.state.canGoBack || before.length > 0;
    },
    get focus() {
      return explorer.state.context?.eventId ?? found;
    },
    get shownLogs() {
      return shownLogsOf(explorer);
    },
    async run(text, read) {
      const last = shown();
      if (!(await search(text, { read }))) return;
      noteStep({ query: last });
      memory.searches.add(text);
    },
    async trace(record) {
      const { eventId, traceId, timestamp } = record;
      if (traceId === null || !capabilitiesOf(record).hasTrace)
        throw new Error(t('This record belongs to no trace.'));
      const last = shown();
      const text = traceQuery(traceId, Date.parse(timestamp));
      if (await search(text, { focus: eventId })) noteStep({ query: last, left: eventId });
      return query;
    },
    async back() {
      const { canGoBack, context } = explorer.state;
      if (canGoBack) {
        wanted = context?.eventId;
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

/** @param time of a record, in milliseconds since 1970. */
function traceQuery(traceId: string, time: number): string {
  const from = utcTimeOf(time - traceReach);
  const end = utcTimeOf(time + traceReach);
  if (from === undefined || end === undefined) return `trace:${traceId}`;
  // Without an end what is still to come can be followed.
  const to = time + traceReach < systemClock.now() ? ` to:${end}` : '';
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
