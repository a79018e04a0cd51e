import type { ControlPlaneClient } from '../../api/client';
import { ApiError } from '../../api/errors';
import { largestPage } from '../../api/fetchPages';
import type { Priority } from '../../api/requestScheduler';
import { pollDelay } from '../../api/retryPolicy';
import { BoundedMap } from '../../base/boundedMap';
import { type Clock, hour, minute, RateLimiter, second } from '../../base/clock';
import { queryFilters } from '../query/fields';
import type { LogStatement } from './findStatements';
import { readStatementFacts, type StatementFacts } from './statementFacts';
import { statementQuery, type StatementQuery } from './statementTemplate';

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

type Asked = Pick<LogStatement, 'message' | 'severity'>;

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

/** Looks up the records of statements on one connection: one request for each, whose answer is cached. */
export class StatementLookups {
  private readonly answers = new BoundedMap<
    string,
    { readonly facts: StatementFacts; readonly at: number }
  >(mostKept);
  private readonly running = new Map<string, Running>();
  private readonly sent: RateLimiter;
  /** The last failure, and how many in a row there were. */
  private failed:
    { readonly error: ApiError; readonly at: number; readonly times: number } | undefined;

  /**
   * @param now now by the clock of the control plane, in milliseconds since 1970.
   * @param apps the ids of the workloads whose records count; of none, all count.
   */
  constructor(
    private readonly client: Pick<ControlPlaneClient, 'queryLogs'>,
    private readonly clock: Clock,
    private readonly now: () => number,
    private readonly apps: () => readonly string[],
  ) {
    this.sent = new RateLimiter(this.clock, mostRequests, minute);
  }

  /** What is known and not too old. */
  known(statement: Asked): StatementFacts | undefined {
    const lookup = this.lookupOf(statement);
    return lookup && this.answerTo(lookup);
  }

  /** Milliseconds until a request may be sent that no one asked for. */
  get wait(): number {
    const held =
      this.failed && this.failed.at + pollDelay(pause, this.failed.times, this.failed.error);
    return Math.max(this.sent.freeIn(), (held ?? 0) - this.clock.monotonic());
  }

  /**
   * Sends a request unless the answer is known or on its way, which then is as urgent. Undefined if the
   * statement has too little constant text.
   *
   * @throws the error of the client, or the reason of the signal.
   */
  async find(
    statement: Asked,
    signal: AbortSignal,
    priority: Priority,
  ): Promise<StatementFacts | undefined> {
    const lookup = this.lookupOf(statement);
    if (lookup === undefined) return undefined;
    const { key } = lookup;
    for (let other = this.running.get(key); other !== undefined; other = this.running.get(key)) {
      if (priority === 'person') other.raise.abort();
      try {
        return await other.facts;
      } catch (error) {
        // The one who asked has left, and this one still waits.
        if (!other.signal.aborted) throw error;
        signal.throwIfAborted();
      }
    }
    const found = this.answerTo(lookup);
    if (found !== undefined) return found;
    const asking = { signal, priority, raise: new AbortController() };
    const facts = this.ask(lookup, asking).finally(() => this.running.delete(key));
    this.running.set(key, { facts, ...asking });
    return facts;
  }

  private lookupOf(statement: Asked): Lookup | undefined {
    const query = statementQuery(statement, this.apps());
    return query && { key: JSON.stringify([query.filter, statement.message]), ...query };
  }

  private answerTo({ key }: Lookup): StatementFacts | undefined {
    const answer = this.answers.get(key);
    const isFresh = answer !== undefined && this.clock.monotonic() - answer.at < freshFor;
    return isFresh ? answer.facts : undefined;
  }

  private async ask(lookup: Lookup, { signal, priority, raise }: Asking): Promise<StatementFacts> {
    this.sent.spend();
    const to = this.now();
    const from = new Date(to - reach).toISOString();
    const filters = queryFilters(lookup.filter, from, new Date(to).toISOString());
    try {
      const query = { filters, limit: largestPage };
      const facts = readStatementFacts(
        lookup.template,
        await this.client.queryLogs(query, { signal, priority, raise: raise.signal }),
      );
      this.failed = undefined;
      this.answers.set(lookup.key, { facts, at: this.clock.monotonic() });
      return facts;
    } catch (error) {
      if (error instanceof ApiError) {
        this.failed = { error, at: this.clock.monotonic(), times: (this.failed?.times ?? 0) + 1 };
      }
      throw error;
    }
  }
}
