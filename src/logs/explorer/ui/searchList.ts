import * as vscode from 'vscode';
import { canRun } from '../savedSearches';
import { membersOf } from '../../../api/lenient';
import type { QueryMemory } from '../../query/ui/queryMemory';
import { onDidChangeSavedSearches, savedSearches, type OwnedSearch } from './keptSearches';
import type { Session } from '../../../connection/ui/session';

/** A search that was saved or used before. */
export interface ListedSearch {
  /** Of its row. */
  readonly id: string;
  readonly query: string;
  /** What it is called; the query where it was not saved. */
  readonly name: string;
  /** Undefined where it was not saved. */
  readonly saved: OwnedSearch | undefined;
  /** False where its ids are those of another control plane. */
  readonly canRun: boolean;
}

/** The searches that this window offers. */
export interface SearchList {
  readonly saved: readonly ListedSearch[];
  /** Newest first. */
  readonly recent: readonly ListedSearch[];
  readonly onDidChange: vscode.Event<void>;
  /** The search that a command is about: of its row, or by the name of a saved one. */
  find(argument: unknown): ListedSearch | undefined;
  dispose(): void;
}

export interface SearchListServices {
  readonly session: Session;
  readonly memory: QueryMemory;
}

export function createSearchList({ session, memory }: SearchListServices): SearchList {
  const changes = new vscode.EventEmitter<void>();
  const changed = (): void => changes.fire();

  function listSaved(): ListedSearch[] {
    const { state } = session;
    const origin = state.kind === 'none' ? undefined : state.connection.origin;
    return savedSearches().map((saved) => ({
      id: `saved ${saved.owner} ${saved.name}`,
      query: saved.query,
      name: saved.name,
      saved,
      canRun: origin !== undefined && canRun(saved, origin),
    }));
  }
  function listRecent(): ListedSearch[] {
    return memory.searches.all.map((query) => ({
      id: `recent ${query}`,
      query,
      name: query,
      saved: undefined,
      canRun: true,
    }));
  }

  const subscriptions = vscode.Disposable.from(
    changes,
    session.onDidChange(changed),
    memory.searches.onDidChange(changed),
    onDidChangeSavedSearches(changed),
  );
  return {
    get saved() {
      return listSaved();
    },
    get recent() {
      return listRecent();
    },
    onDidChange: changes.event,
    find(argument) {
      const saved = listSaved();
      if (typeof argument === 'string') return saved.find(({ name }) => name === argument);
      const id = membersOf(argument)['id'];
      return [...saved, ...listRecent()].find((one) => one.id === id);
    },
    dispose: () => void subscriptions.dispose(),
  };
}
