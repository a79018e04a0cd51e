import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { StoredPerConnection } from '../../../connection/perConnection';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import type { QueryKnowledge } from '../completionContext';
import { readRecent, withRecent } from '../recentQueries';
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
  const stored = new StoredPerConnection(session, workspaceState, key, readRecent);
  const all = (): readonly string[] => stored.value ?? [];
  const set = (queries: readonly string[]): void => {
    stored.set(queries.length === 0 ? undefined : queries);
    changes.fire();
  };
  const subscription = session.onDidChange(() => changes.fire());
  return {
    get all() {
      return all();
    },
    onDidChange: changes.event,
    add: (query) => set(withRecent(all(), query)),
    remove: (query) => set(all().filter((one) => one !== query)),
    clear: () => set([]),
    dispose: () => void vscode.Disposable.from(subscription, changes).dispose(),
  };
}
