import * as v from 'valibot';
import * as vscode from 'vscode';
import { readStored, StoredValue } from '../../base/storedValue';
import { cacheKeyId } from '../../data/cacheKeys';
import type { ConnectionData } from '../../data/ui/connectionData';
import { contextKey } from '../../vscode/contextKeys';
import { contextKeys } from '../../vscode/contributions';
import {
  type BranchReading,
  type CheckedOutBranch,
  readBranch,
  readChoice,
  type SourceChoice,
  withChoice,
} from '../branch';
import { type CommitFacts, createCommitFacts, type Position } from '../../commits/commitFacts';
import type { Git } from '../../commits/ui/git';
import type { GitRepository } from '../../commits/ui/gitRepository';

/** The deployed state of the checked-out branch, refreshed while it is shown. */
export interface BranchState {
  readonly state: BranchReading['state'];
  readonly branch: CheckedOutBranch | undefined;
  readonly repository: GitRepository | undefined;
  /** The user's choice for the repository. */
  readonly choice: SourceChoice | undefined;
  /** How HEAD relates to a deployed commit; undefined while it is unknown, or if there is no HEAD. */
  readonly positionOf: (sha: string) => Position | undefined;
  /** Undefined: finds the source automatically again. */
  choose(choice: SourceChoice | undefined): Promise<void>;
  /** Resolves when all requests have ended. */
  readonly refresh: () => Promise<void>;
  readonly onDidChange: vscode.Event<void>;
  dispose(): void;
}

/** Milliseconds between two updates, so that a burst of answers causes one. */
const pause = 50;
/** The name for polling, next to the ids of the views. */
const watcher = 'branch';
/** Where the workspace state keeps the choices of sources, by repository. */
const choicesKey = 'sourceOfFolder';
const nothing: BranchReading = { state: { kind: 'nothing' }, cacheKeys: [] };

export function createBranchState(
  git: Git,
  data: ConnectionData,
  memento: vscode.Memento,
): BranchState {
  const changes = new vscode.EventEmitter<void>();
  const choices = new StoredValue(memento, choicesKey, (saved) =>
    readStored(v.record(v.string(), v.unknown()), saved),
  );
  const choiceOf = ({ root }: GitRepository): SourceChoice | undefined =>
    readChoice(choices.value, root.toString());
  const factsByRepository = new WeakMap<GitRepository, CommitFacts>();
  let found = nothing;
  let watched: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function factsOf(repository: GitRepository): CommitFacts {
    const facts = factsByRepository.get(repository) ?? createCommitFacts(repository, updateSoon);
    factsByRepository.set(repository, facts);
    return facts;
  }

  function isActive(): boolean {
    return git.current !== undefined && data.session.state.kind === 'signedIn';
  }

  function readNow(): BranchReading {
    const repository = git.current;
    if (repository === undefined || !isActive()) return nothing;
    const facts = factsOf(repository);
    return readBranch({
      remotes: repository.remotes,
      head: repository.head,
      choice: choiceOf(repository),
      sources: data.targets.sources(),
      store: data.store,
      holds: (sha) => facts.holds(sha),
    });
  }

  function update(): void {
    found = readNow();
    const keys = found.cacheKeys.map(cacheKeyId).join('\n');
    if (keys !== watched) {
      watched = keys;
      data.polling.watch(watcher, found.cacheKeys.length === 0 ? undefined : found.cacheKeys);
    }
    updateContext();
    changes.fire();
  }

  const tell = contextKey(contextKeys.branch);
  /** Sets the context key for `when` clauses. */
  function updateContext(): void {
    const { state } = found;
    const other = isActive() ? state.kind : 'none';
    const key = state.kind === 'shown' ? state.branch.relation : other;
    tell(key);
  }

  function updateSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      update();
    }, pause);
  }

  const disposables = vscode.Disposable.from(
    changes,
    git.onDidChange(() => {
      // Git may have fetched missing commits.
      if (git.current !== undefined) factsOf(git.current).recheck();
      updateSoon();
    }),
    data.onDidChange(updateSoon),
    data.session.onDidChange(updateSoon),
  );

  return {
    get state() {
      return found.state;
    },
    get branch() {
      return found.state.kind === 'shown' ? found.state.branch : undefined;
    },
    get repository() {
      return git.current;
    },
    get choice() {
      return git.current && choiceOf(git.current);
    },
    positionOf(sha) {
      const repository = git.current;
      const commit = repository?.head?.commit;
      if (repository === undefined || commit === undefined) return undefined;
      return factsOf(repository).position(sha, commit);
    },
    async choose(choice) {
      if (git.current === undefined) return;
      await choices.set(withChoice(choices.value, git.current.root.toString(), choice));
      update();
    },
    async refresh() {
      await data.store.refreshAll(found.cacheKeys);
    },
    onDidChange: changes.event,
    dispose() {
      clearTimeout(timer);
      data.polling.watch(watcher, undefined);
      disposables.dispose();
    },
  };
}
