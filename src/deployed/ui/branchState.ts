import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Disposable, Emitter, type Event } from '../../base/event';
import { getOrMake } from '../../base/maps';
import { readStored } from '../../base/storedValue';
import { CommitFacts, type Position } from '../../commits/commitFacts';
import type { Git } from '../../commits/ui/git';
import type { GitRepository } from '../../commits/ui/gitRepository';
import { StoredPerConnection } from '../../connection/perConnection';
import { ReadListings } from '../../data/readListings';
import { cacheKeyId } from '../../data/store';
import type { ConnectionData } from '../../data/ui/connectionData';
import { Soon } from '../../vscode/systemClock';
import { contextKey } from '../../vscode/commands';
import { contextKeys } from '../../vscode/contributions';
import {
  branchesOf,
  type BranchReading,
  type CheckedOutBranch,
  readBranch,
  readSourceChoice,
  type SourceChoice,
  withChoice,
} from '../branch';

/** Milliseconds between two updates, so that a burst of answers causes one. */
const pause = 50;
/** The name for polling, next to the ids of the views. */
const watcher = 'branch';
/** Where the workspace state keeps the choices of sources, by repository. */
const choicesKey = 'sourceOfFolder';
const nothing: BranchReading = { state: { kind: 'nothing' }, cacheKeys: [] };

/** The deployed state of the checked-out branch, refreshed while it is shown. */
export class BranchState implements Disposable {
  private readonly changes = new Emitter<void>();
  private readonly choices: StoredPerConnection<Readonly<Record<string, unknown>>>;
  private readonly factsByRepository = new WeakMap<GitRepository, CommitFacts>();
  /** Sets the context key for `when` clauses. */
  private readonly setBranch = contextKey(contextKeys.branch);
  private readonly setPreview = contextKey(contextKeys.preview);
  /** What the state is made of. */
  private readonly listings: ReadListings;
  private found = nothing;
  private watched: string | undefined;
  private readonly due = new Soon(() => this.update());
  private readonly disposables: vscode.Disposable;
  readonly onDidChange: Event<void> = this.changes.event;

  constructor(
    private readonly git: Git,
    private readonly data: ConnectionData,
    memento: vscode.Memento,
  ) {
    this.listings = new ReadListings(data.store);
    this.choices = new StoredPerConnection(data.session, memento, choicesKey, (saved) =>
      readStored(v.record(v.string(), v.unknown()), saved),
    );
    this.disposables = vscode.Disposable.from(
      this.changes,
      git.onDidChange(() => {
        // Git may have fetched missing commits.
        if (git.current !== undefined) this.factsOf(git.current).recheck();
        this.updateSoon();
      }),
      data.onDidChange((change) => {
        if (this.listings.dependOn(change)) this.updateSoon();
      }),
      data.session.onDidChange((change) => {
        // Ids of another connection mean nothing on this one.
        if (change === 'connection') this.found = nothing;
        this.updateSoon();
      }),
    );
  }

  get state(): BranchReading['state'] {
    return this.found.state;
  }

  get branch(): CheckedOutBranch | undefined {
    return this.state.kind === 'shown' ? this.state.branch : undefined;
  }

  get repository(): GitRepository | undefined {
    return this.git.current;
  }

  /** The user's choice for the repository. */
  get choice(): SourceChoice | undefined {
    return this.repository && this.choiceOf(this.repository);
  }

  /** How HEAD relates to a deployed commit; undefined while it is unknown, or if there is no HEAD. */
  positionOf(sha: string): Position | undefined {
    const commit = this.repository?.head?.commit;
    if (this.repository === undefined || commit === undefined) return undefined;
    return this.factsOf(this.repository).position(sha, commit);
  }

  /** Undefined: finds the source automatically again. */
  choose(choice: SourceChoice | undefined): void {
    if (this.repository === undefined) return;
    const { root } = this.repository;
    this.choices.set(withChoice(this.choices.value, root.toString(), choice));
    this.update();
  }

  /** Resolves when all requests have ended. */
  refresh(): Promise<void> {
    return this.data.store.refreshAll(this.found.cacheKeys);
  }

  dispose(): void {
    this.due.dispose();
    this.data.polling.watch(watcher, undefined);
    this.disposables.dispose();
  }

  private choiceOf({ root }: GitRepository): SourceChoice | undefined {
    return readSourceChoice(this.choices.value, root.toString());
  }

  private factsOf(repository: GitRepository): CommitFacts {
    return getOrMake(this.factsByRepository, repository, () => {
      const facts = new CommitFacts(repository);
      facts.onDidChange(() => this.updateSoon());
      return facts;
    });
  }

  private get isActive(): boolean {
    return this.repository !== undefined && this.data.session.state.kind === 'signedIn';
  }

  private readNow(): BranchReading {
    const { repository, data } = this;
    this.listings.clear();
    if (repository === undefined || !this.isActive) return nothing;
    const facts = this.factsOf(repository);
    return readBranch({
      remotes: repository.remotes,
      head: repository.head,
      choice: this.choiceOf(repository),
      sources: data.context.sources(),
      store: this.listings,
      holds: (sha) => facts.holds(sha),
    });
  }

  private update(): void {
    this.found = this.readNow();
    const { cacheKeys } = this.found;
    const keys = cacheKeys.map(cacheKeyId).join('\n');
    if (keys !== this.watched) {
      this.watched = keys;
      this.data.polling.watch(watcher, cacheKeys.length === 0 ? undefined : cacheKeys);
    }
    const other = this.isActive ? this.state.kind : 'none';
    const { branch } = this;
    this.setBranch(branch?.relation ?? other);
    this.setPreview(branch?.preview.some(({ site }) => site !== undefined) ?? false);
    this.data.setCheckedOut(
      branch && { sourceId: branch.source.id, branches: branchesOf(branch.head) },
    );
    this.changes.fire();
  }

  private updateSoon(): void {
    this.due.in(pause);
  }
}
