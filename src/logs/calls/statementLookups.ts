import { type Clock, hour, minute } from '../../base/clock';
import type { ControlPlaneClient } from '../../api/client';
import { ApiError } from '../../api/errors';
import { largestPage } from '../../api/fetchPages';
import { queryFilters } from '../query/filter';
import type { LogStatement } from './findStatements';
import { factsOf, type StatementFacts } from './statementFacts';
import { statementQuery, type StatementQuery } from './statementQuery';

/** How far back records are looked up, in milliseconds. */
const reach = hour;
/** How long an answer is used, in milliseconds. */
export const freshFor = 5 * minute;
/** How many requests a minute are sent without anyone asking. */
const mostRequests = 20;
/** The longest pause after failures, unless the server asks for more. In milliseconds. */
const longestPause = hour;
/** How many answers are kept. */
const mostKept = 500;

interface LookupOptions {
  readonly clock: Clock;
  /** Now by the clock of the control plane, in milliseconds since 1970. */
  readonly now: () => number;
  /** The ids of the workloads whose records count; of none, all count. */
  readonly apps: () => readonly string[];
}

type Asked = Pick<LogStatement, 'message' | 'severity'>;

/** Looks up the records of statements on one connection: one request for each, whose answer is cached. */
export interface StatementLookups {
  /** What is known and not too old. */
  known(statement: Asked): StatementFacts | undefined;
  /** Milliseconds until a request may be sent that no one asked for. */
  readonly wait: number;
  /**
   * Sends a request unless the answer is known or on its way. Undefined if the statement has too little
   * constant text.
   *
   * @throws the error of the client, or the reason of the signal.
   */
  find(statement: Asked, signal: AbortSignal): Promise<StatementFacts | undefined>;
}

/** What to look up, and what identifies it. */
interface Lookup extends StatementQuery {
  readonly key: string;
}

/** A request under way, and the signal of the one who asked. */
interface Running {
  readonly facts: Promise<StatementFacts>;
  readonly signal: AbortSignal;
}

export function createStatementLookups(
  client: Pick<ControlPlaneClient, 'queryLogs'>,
  { clock, now, apps }: LookupOptions,
): StatementLookups {
  const answers = new Map<string, { readonly facts: StatementFacts; readonly at: number }>();
  const running = new Map<string, Running>();
  /** When the requests of the last minute were sent. */
  let sent: readonly number[] = [];
  /** Nothing is sent before this time unless someone asks, because requests failed, so often in a row. */
  let heldUntil = 0;
  let failures = 0;

  function lookupOf(statement: Asked): Lookup | undefined {
    const query = statementQuery(statement, apps());
    return query && { key: JSON.stringify([query.filter, statement.message]), ...query };
  }

  function known({ key }: Lookup): StatementFacts | undefined {
    const answer = answers.get(key);
    const isFresh = answer !== undefined && clock.monotonic() - answer.at < freshFor;
    return isFresh ? answer.facts : undefined;
  }

  function keep({ key }: Lookup, facts: StatementFacts): void {
    answers.delete(key);
    answers.set(key, { facts, at: clock.monotonic() });
    const [oldest] = answers.keys();
    if (answers.size > mostKept && oldest !== undefined) answers.delete(oldest);
  }

  async function ask(lookup: Lookup, signal: AbortSignal): Promise<StatementFacts> {
    sent = [...sent, clock.monotonic()].slice(-mostRequests);
    const to = now();
    const from = new Date(to - reach).toISOString();
    const filters = queryFilters(lookup.filter, from, new Date(to).toISOString());
    try {
      const query = { filters, limit: largestPage };
      const facts = factsOf(
        lookup.template,
        await client.queryLogs(query, { signal, retries: false }),
      );
      failures = 0;
      keep(lookup, facts);
      return facts;
    } catch (error) {
      if (error instanceof ApiError) {
        const pause = Math.min(minute * 2 ** failures++, longestPause);
        heldUntil = clock.monotonic() + Math.max(pause, error.retryAfter ?? 0);
      }
      throw error;
    }
  }

  return {
    known(statement) {
      const lookup = lookupOf(statement);
      return lookup && known(lookup);
    },
    get wait() {
      const time = clock.monotonic();
      sent = sent.filter((at) => time - at < minute);
      const [first = time] = sent;
      const wait = sent.length < mostRequests ? 0 : first + minute - time;
      return Math.max(0, wait, heldUntil - time);
    },
    async find(statement, signal) {
      const lookup = lookupOf(statement);
      if (lookup === undefined) return undefined;
      const { key } = lookup;
      for (let other = running.get(key); other !== undefined; other = running.get(key)) {
        try {
          return await other.facts;
        } catch (error) {
          // The one who asked has left, and this one still waits.
          if (!other.signal.aborted) throw error;
          signal.throwIfAborted();
        }
      }
      const found = known(lookup);
      if (found !== undefined) return found;
      const facts = ask(lookup, signal).finally(() => running.delete(key));
      running.set(key, { facts, signal });
      return facts;
    },
  };
}
