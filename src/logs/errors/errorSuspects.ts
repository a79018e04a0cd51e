import { atMost, type Clock, second } from '../../base/clock';
import { Emitter } from '../../base/event';
import { isCommit } from '../../commits/commitFacts';
import type { FoundSuspects } from '../../commits/suspects';
import { deploymentPair, type DeploymentPair, newestFirst } from '../../data/deployments';
import type { DataContext } from '../../data/labels';
import type { ErrorKind } from './errorKind';

/** The commits that may have caused a kind of error. */
export type Suspicion = FoundSuspects;

/** A deployment since which a kind is new, with the commits of it and of the one before. */
interface NewSince {
  readonly pair: DeploymentPair;
  readonly before: string;
  readonly now: string;
}

/** Undefined if the kind is not new, or if the deployments or their commits are not known. */
export function newSince(
  { change, workloads, deployments }: ErrorKind,
  context: Pick<DataContext, 'store' | 'sources'>,
): NewSince | undefined {
  const resourceId = workloads[0]?.id;
  if (change !== 'new' || resourceId === undefined) return undefined;
  const ids = new Set(deployments.map(({ id }) => id));
  const known = context.store.read('deployments', resourceId).value?.deployments ?? [];
  const first = newestFirst(known.filter(({ id = '' }) => ids.has(id))).at(-1);
  const pair = first && deploymentPair(context, { deploymentId: first.id, resourceId });
  const [before, now] = [pair?.previous?.commitSha, pair?.deployment.commitSha];
  if (pair === undefined || !isCommit(before) || !isCommit(now)) return undefined;
  return { pair, before: before.toLowerCase(), now: now.toLowerCase() };
}

/** The longest search, in milliseconds. What it has read by then, the next one need not read again. */
const longest = 1.5 * second;
/** When to search again for what was not known, in milliseconds, and how often. */
const againAfter = 10 * second;
const mostTries = 5;
/** How many kinds are looked at. */
const mostKinds = 10;

interface Search {
  found: Suspicion | undefined;
  tries: number;
  /** On the monotonic clock. */
  triedAt: number;
}

/** Searches for the commits behind new kinds of errors, one after the other, as long as their rows are there. */
export class Suspects {
  private readonly changes = new Emitter<void>();
  private searches = new Map<string, Search>();
  private wanted: readonly ErrorKind[] = [];
  private running: { readonly key: string; readonly controller: AbortController } | undefined;
  /** Fires when something was found. */
  readonly onDidChange = this.changes.event;

  /** @param find undefined: something is not known yet. Ends with the signal. */
  constructor(
    private readonly find: (kind: ErrorKind, signal: AbortSignal) => Promise<Suspicion | undefined>,
    private readonly clock: Clock,
  ) {}

  /** Undefined while nothing was found. */
  of(kind: ErrorKind): Suspicion | undefined {
    return this.searches.get(keyOf(kind))?.found;
  }

  /** @param kinds those with rows, in their order. A search for any other ends. */
  want(kinds: readonly ErrorKind[]): void {
    this.wanted = kinds.filter(({ change }) => change === 'new').slice(0, mostKinds);
    const keys = new Set(this.wanted.map(keyOf));
    this.searches = new Map([...this.searches].filter(([key]) => keys.has(key)));
    if (this.running !== undefined && !keys.has(this.running.key)) this.running.controller.abort();
    this.next();
  }

  dispose(): void {
    this.wanted = [];
    this.running?.controller.abort();
    this.changes.dispose();
  }

  private next(): void {
    const now = this.clock.monotonic();
    const kind = this.wanted.find((one) => {
      const { found, tries, triedAt } = this.searches.get(keyOf(one)) ?? unsearched;
      return found === undefined && tries < mostTries && now - triedAt >= againAfter;
    });
    if (this.running === undefined && kind !== undefined) void this.search(kind);
  }

  private async search(kind: ErrorKind): Promise<void> {
    const key = keyOf(kind);
    const controller = new AbortController();
    const { signal } = controller;
    this.running = { key, controller };
    const { tries } = this.searches.get(key) ?? unsearched;
    this.searches.set(key, {
      found: undefined,
      tries: tries + 1,
      triedAt: this.clock.monotonic(),
    });
    const found = await atMost(longest, this.find(kind, signal), this.clock, signal).catch(
      () => undefined,
    );
    controller.abort();
    this.running = undefined;
    const search = this.searches.get(key);
    if (search !== undefined && found !== undefined) {
      search.found = found;
      this.changes.fire();
    }
    this.next();
  }
}

const unsearched: Search = { found: undefined, tries: 0, triedAt: -Infinity };

/** Another deployment has other commits. */
function keyOf({ key, deployments }: ErrorKind): string {
  return `${deployments.at(-1)?.id ?? ''} ${key}`;
}
