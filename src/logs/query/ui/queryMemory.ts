import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { connectionId } from '../../../connection/connections';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../inventory/names';
import type { QueryKnowledge } from '../completionContext';
import {
  readRecentByConnection,
  type RecentByConnection,
  recentOf,
  withQueries,
  withUsed,
} from '../recent';
import { createSeenValues } from '../seenValues';

/** The recent queries of the current connection. */
export interface RecentQueries {
  /** Newest first. */
  readonly all: readonly string[];
  readonly onDidChange: vscode.Event<void>;
  add(query: string): void;
  remove(query: string): void;
  clear(): void;
}

/** The data for query inputs. Each connection has its own. */
export interface QueryMemory {
  /** The completions. */
  readonly knowledge: QueryKnowledge;
  /** Queries that were followed. */
  readonly follows: RecentQueries;
  /** Queries that were searched. */
  readonly searches: RecentQueries;
  /** Adds the values of records to the completions. */
  learn(records: readonly LogRecord[]): void;
  dispose(): void;
}

interface QueryMemoryServices {
  readonly session: Session;
  readonly names: Names;
  readonly workspaceState: vscode.Memento;
}

export function createQueryMemory(services: QueryMemoryServices): QueryMemory {
  const { session, names } = services;
  const seen = createSeenValues();
  const follows = createRecent(services, 'recentFollows');
  const searches = createRecent(services, 'recentSearches');
  // Another key may not be allowed to see the same values.
  const subscription = session.onDidChange(() => seen.clear());
  return {
    knowledge: { ...seen, names: (kind) => names.all(kind) },
    follows,
    searches,
    learn: (records) => seen.learn(records),
    dispose: () => void vscode.Disposable.from(subscription, follows, searches).dispose(),
  };
}

function createRecent(
  { session, workspaceState }: QueryMemoryServices,
  key: string,
): RecentQueries & { dispose(): void } {
  const changes = new vscode.EventEmitter<void>();
  const connection = (): string | undefined =>
    session.state.kind === 'none' ? undefined : connectionId(session.state.connection);
  const read = (): RecentByConnection => readRecentByConnection(workspaceState.get<unknown>(key));
  const change = (
    to: (all: RecentByConnection, connection: string) => RecentByConnection,
  ): void => {
    const id = connection();
    if (id === undefined) return;
    // The memento has the new value at once; only writing to disk is asynchronous.
    void workspaceState.update(key, to(read(), id));
    changes.fire();
  };
  const subscription = session.onDidChange(() => changes.fire());
  return {
    get all() {
      const id = connection();
      return id === undefined ? [] : recentOf(read(), id);
    },
    onDidChange: changes.event,
    add: (query) => change((all, id) => withUsed(all, id, query)),
    remove: (query) =>
      change((all, id) =>
        withQueries(
          all,
          id,
          recentOf(all, id).filter((one) => one !== query),
        ),
      ),
    clear: () => change((all, id) => withQueries(all, id, [])),
    dispose: () => void vscode.Disposable.from(subscription, changes).dispose(),
  };
}
