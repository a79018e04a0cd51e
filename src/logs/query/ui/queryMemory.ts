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

/** The queries that were used on the connection of this window. */
export interface RecentQueries {
  /** Newest first. */
  readonly all: readonly string[];
  readonly onDidChange: vscode.Event<void>;
  add(query: string): void;
  remove(query: string): void;
  clear(): void;
}

/** What is remembered where queries are typed: each connection has its own. */
export interface QueryMemory {
  /** What queries can be completed with. */
  readonly knowledge: QueryKnowledge;
  /** What was followed. */
  readonly follows: RecentQueries;
  /** What was searched for. */
  readonly searches: RecentQueries;
  /** Records that the person may see and that the values of queries may come from. */
  learn(records: readonly LogRecord[]): void;
  dispose(): void;
}

export interface QueryMemoryServices {
  readonly session: Session;
  readonly names: Names;
  readonly workspaceState: vscode.Memento;
}

export function createQueryMemory(services: QueryMemoryServices): QueryMemory {
  const { session, names } = services;
  const seen = createSeenValues();
  const follows = createRecent(services, 'recentFollows');
  const searches = createRecent(services, 'recentSearches');
  // Another key may see less.
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
    // A memento has the new value at once; only the disk comes later.
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
