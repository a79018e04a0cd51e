import { type Clock, hour, minute, second } from '../../base/clock';
import type { ControlPlaneClient } from '../../api/client';
import { ApiError } from '../../api/errors';
import { largestPage } from '../../api/fetchPages';
import { RateLimiter } from '../../api/rateLimiter';
import type { Priority } from '../../api/requestScheduler';
import { pollDelay } from '../../api/retryPolicy';
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
/** The pause after a failure is twice as long, and longer after more. In milliseconds. */
const pause = 30 * second;
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
   * Sends a request unless the answer is known or on its way, which then is as urgent. Undefined if the
   * statement has too little constant text.
   *
   * @throws the error of the client, or the reason of the signal.
   */
  find(
    statement: Asked,
    signal: AbortSignal,
    priority: Priority,
  ): Promise<StatementFacts | undefined>;
}

/** What to look up, and what identifies it. */
interface Lookup extends StatementQuery {
  readonly key: string;
}

/** How a request is sent. */
interface Asking {
  /** Of the one who asked. */
  readonly signal: AbortSignal;
  readonly priority: Priority;
  /** Makes it one that a person waits for. */
  readonly raise: AbortController;
}

/** A request under way. */
interface Running extends Asking {
  readonly facts: Promise<StatementFacts>;
}

export function createStatementLookups(
  client: Pick<ControlPlaneClient, 'queryLogs'>,
  { clock, now, apps }: LookupOptions,
): StatementLookups {
  const answers = new Map<string, { readonly facts: StatementFacts; readonly at: number }>();
  const running = new Map<string, Running>();
  const sent = new RateLimiter(clock, mostRequests, minute);
  /** The last failure, and how many in a row there were. */
  let failed: { readonly error: ApiError; readonly at: number; readonly times: number } | undefined;

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

  async function ask(lookup: Lookup, { signal, priority, raise }: Asking): Promise<StatementFacts> {
    sent.take();
    const to = now();
    const from = new Date(to - reach).toISOString();
    const filters = queryFilters(lookup.filter, from, new Date(to).toISOString());
    try {
      const query = { filters, limit: largestPage };
      const facts = factsOf(
        lookup.template,
        await client.queryLogs(query, { signal, priority, raise: raise.signal }),
      );
      failed = undefined;
      keep(lookup, facts);
      return facts;
    } catch (error) {
      if (error instanceof ApiError) {
        failed = { error, at: clock.monotonic(), times: (failed?.times ?? 0) + 1 };
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
      const held = failed && failed.at + pollDelay(pause, failed.times, failed.error);
      return Math.max(sent.freeIn(), (held ?? 0) - clock.monotonic());
    },
    async find(statement, signal, priority) {
      const lookup = lookupOf(statement);
      if (lookup === undefined) return undefined;
      const { key } = lookup;
      for (let other = running.get(key); other !== undefined; other = running.get(key)) {
        if (priority === 'person') other.raise.abort();
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
      const asking = { signal, priority, raise: new AbortController() };
      const facts = ask(lookup, asking).finally(() => running.delete(key));
      running.set(key, { facts, ...asking });
      return facts;
    },
  };
}
