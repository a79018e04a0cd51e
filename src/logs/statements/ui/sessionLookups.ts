import type { Session, SignedInConnection } from '../../../connection/ui/session';
import { systemClock } from '../../../vscode/clock';
import { searchTime } from '../../query/ui/readSearch';
import type { LogStatement } from '../findStatements';
import type { StatementFacts } from '../statementFacts';
import { createStatementLookups, lookupOf, type StatementLookups } from '../statementLookups';

/** The records of statements on the connection that is signed in. */
export interface SessionLookups {
  /** What is known and not too old. */
  known(statement: LogStatement): StatementFacts | undefined;
  /** Milliseconds until a request may be sent that no one asked for. */
  readonly wait: number;
  /**
   * Sends a request unless the answer is known. Undefined if nothing is signed in, or if the statement has
   * too little constant text.
   *
   * @throws the error of the client, or the reason of the signal.
   */
  find(statement: LogStatement, signal: AbortSignal): Promise<StatementFacts | undefined>;
  dispose(): void;
}

export interface SessionLookupServices {
  readonly session: Session;
  /** The ids of the apps that are deployed from the folder, as far as they are known. */
  readonly folderApps: () => readonly string[];
}

export function createSessionLookups({
  session,
  folderApps,
}: SessionLookupServices): SessionLookups {
  let byConnection = new WeakMap<SignedInConnection, StatementLookups>();
  // Another key may have fewer permissions.
  const subscription = session.onDidChange(() => void (byConnection = new WeakMap()));

  function lookups(): StatementLookups | undefined {
    const { signedIn } = session;
    if (signedIn === undefined) return undefined;
    const known =
      byConnection.get(signedIn) ??
      createStatementLookups(signedIn.client, {
        clock: systemClock,
        now: () => searchTime(session).now,
      });
    byConnection.set(signedIn, known);
    return known;
  }

  return {
    known(statement) {
      const lookup = lookupOf(statement, folderApps());
      return lookup && lookups()?.known(lookup);
    },
    get wait() {
      return lookups()?.wait ?? 0;
    },
    async find(statement, signal) {
      const lookup = lookupOf(statement, folderApps());
      return lookup && lookups()?.find(lookup, signal);
    },
    dispose: () => void subscription.dispose(),
  };
}
