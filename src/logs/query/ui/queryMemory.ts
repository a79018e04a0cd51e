import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import type { Disposable } from '../../../base/event';
import { StoredPerConnection } from '../../../connection/perConnection';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import type { QueryKnowledge } from '../completion';
import { readRecent, withRecent, SeenValues } from '../remembered';

/** The recent queries of the current connection. */
class RecentQueries {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly stored: StoredPerConnection<readonly string[]>;
  private readonly subscription: Disposable;

  /** @param key of the storage. */
  constructor(session: Session, workspaceState: vscode.Memento, key: string) {
    this.stored = new StoredPerConnection(session, workspaceState, key, readRecent);
    this.subscription = session.onDidChange(() => this.changes.fire());
  }

  /** Newest first. */
  get all(): readonly string[] {
    return this.stored.value ?? [];
  }

  add(query: string): void {
    this.set(withRecent(this.all, query));
  }

  remove(query: string): void {
    this.set(this.all.filter((one) => one !== query));
  }

  clear(): void {
    this.set([]);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changes.dispose();
  }

  private set(queries: readonly string[]): void {
    this.stored.set(queries.length === 0 ? undefined : queries);
    this.changes.fire();
  }
}

/** The data for query inputs. Each connection has its own. */
export class QueryMemory {
  private readonly seen = new SeenValues();
  readonly knowledge: QueryKnowledge;
  readonly follows: RecentQueries;
  readonly searches: RecentQueries;
  private readonly subscription: Disposable;

  constructor(session: Session, names: Names, workspaceState: vscode.Memento) {
    const { values, attributes, attributeValues } = this.seen;
    this.knowledge = {
      values,
      attributes,
      attributeValues,
      names: (kind) => names.all(kind),
    };
    this.follows = new RecentQueries(session, workspaceState, 'recentFollows');
    this.searches = new RecentQueries(session, workspaceState, 'recentSearches');
    // Another key may not be allowed to see the same values.
    this.subscription = session.onDidChange(() => this.seen.clear());
  }

  /** Adds the values of records to the completions. */
  remember(records: readonly LogRecord[]): void {
    this.seen.remember(records);
  }

  dispose(): void {
    vscode.Disposable.from(this.subscription, this.follows, this.searches).dispose();
  }
}
