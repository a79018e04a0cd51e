import * as vscode from 'vscode';
import { createCommitFacts, type CommitFacts, type Position } from '../commitFacts';
import {
  readBranch,
  type CheckedOutBranch,
  type BranchReading,
  type SourceChoice,
} from '../branch';
import { resourceKeyOf } from '../../inventory/resourceKeys';
import { contextKeys } from '../../vscode/contributions';
import type { Git } from './git';
import type { GitRepository } from './gitRepository';
import { createSourceChoices } from './sourceChoices';
import type { WorkspaceData } from '../../inventory/ui/workspaceData';

/** What the control plane knows of the branch that is checked out, kept fresh while it is shown. */
export interface BranchState {
  readonly state: BranchReading['state'];
  readonly branch: CheckedOutBranch | undefined;
  /** The repository that this is about. */
  readonly repository: GitRepository | undefined;
  /** What was chosen for that repository. */
  readonly choice: SourceChoice | undefined;
  /** How HEAD stands to a deployed commit; undefined while it is not known, or where there is no HEAD. */
  readonly positionOf: (sha: string) => Position | undefined;
  /** Undefined: finds the source by itself again. */
  choose(choice: SourceChoice | undefined): Promise<void>;
  /** Asks the control plane again; resolves when all was tried. */
  readonly refresh: () => Promise<void>;
  readonly onDidChange: vscode.Event<void>;
  dispose(): void;
}

/** What answers change in so many milliseconds is worked out together. */
const pause = 50;
/** The name of what is watched, beside those of the views. */
const watcher = 'branch';
const nothing: BranchReading = { state: { kind: 'nothing' }, topics: [] };

export function createBranchState(
  git: Git,
  data: WorkspaceData,
  memento: vscode.Memento,
): BranchState {
  const changes = new vscode.EventEmitter<void>();
  const choices = createSourceChoices(memento);
  const factsByRepository = new WeakMap<GitRepository, CommitFacts>();
  let found = nothing;
  let watched: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function factsOf(repository: GitRepository): CommitFacts {
    const facts = factsByRepository.get(repository) ?? createCommitFacts(repository, updateSoon);
    factsByRepository.set(repository, facts);
    return facts;
  }

  /** Whether there is somebody to ask, and something to ask for. */
  function isAsked(): boolean {
    return git.current !== undefined && data.session.state.kind === 'signedIn';
  }

  function lookNow(): BranchReading {
    const repository = git.current;
    if (repository === undefined || !isAsked()) return nothing;
    const facts = factsOf(repository);
    return readBranch({
      remotes: repository.remotes,
      head: repository.head,
      choice: choices.of(repository.root.toString()),
      sources: data.known.sources(),
      store: data.store,
      holds: (sha) => facts.holds(sha),
    });
  }

  function update(): void {
    found = lookNow();
    const keys = found.topics.map(resourceKeyOf).join('\n');
    if (keys !== watched) {
      watched = keys;
      data.polling.watch(watcher, found.topics.length === 0 ? undefined : found.topics);
    }
    tell(stateKey());
    changes.fire();
  }

  /** What `when` clauses know of it. */
  function stateKey(): string {
    const { state } = found;
    if (state.kind === 'shown') return state.branch.relation;
    return isAsked() ? state.kind : 'none';
  }

  let told = 'none';
  function tell(key: string): void {
    if (key === told) return;
    told = key;
    void vscode.commands.executeCommand('setContext', contextKeys.branch, key);
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
      // Git may have fetched what was not there.
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
      return git.current && choices.of(git.current.root.toString());
    },
    positionOf(sha) {
      const repository = git.current;
      const commit = repository?.head?.commit;
      if (repository === undefined || commit === undefined) return undefined;
      return factsOf(repository).position(sha, commit);
    },
    async choose(choice) {
      if (git.current === undefined) return;
      await choices.keep(git.current.root.toString(), choice);
      update();
    },
    async refresh() {
      await Promise.all(found.topics.map((topic) => data.store.refresh(topic)));
    },
    onDidChange: changes.event,
    dispose() {
      clearTimeout(timer);
      data.polling.watch(watcher, undefined);
      disposables.dispose();
    },
  };
}
