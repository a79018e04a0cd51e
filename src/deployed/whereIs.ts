import type { Deployment, Resource } from '../api/types';
import { getOrMake } from '../base/maps';
import { dotted, type Texts } from '../base/textFormat';
import type { TimeFormat } from '../base/timeFormat';
import { isCommit } from '../commits/commitFacts';
import type { RangeReader } from '../commits/commitRange';
import {
  deploymentTime,
  hasRun,
  isSameCommit,
  newestFirst,
  placeOfResource,
  isIn,
  runsSince,
  shortSha,
} from '../data/deployments';
import { nameOfResource } from '../data/labels';
import { hasEnded, hasSucceeded, isRunning, stateMeaning } from '../data/states';
import { shortId } from '../data/targets';
import { environmentName } from './branch';

/*
 * Where a commit is: an app or job has it if the commit of its newest successful deployment is that commit, or comes from
 * it in the history of Git.
 */

/** What an app or job is to a commit. */
type Whereabouts =
  /** It runs it. */
  | {
      readonly kind: 'live';
      /** Since when, without a break, in milliseconds since 1970; undefined if that is not known. */
      readonly since: number | undefined;
      /** Whether it may have done so before: what it ran then is not in the repository, or not named. */
      readonly maybeEarlier: boolean;
    }
  /** A deployment that has it is in progress. */
  | { readonly kind: 'coming' }
  /** A deployment without it is in progress. */
  | { readonly kind: 'waits' }
  /** A deployment that has it failed, and none succeeded since. */
  | { readonly kind: 'failed' }
  /** It ran it before, and another commit took its place. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'absent' }
  /** What it runs is not in the repository, or nothing says what it runs. */
  | { readonly kind: 'unknown' };

/** An app or job, and what it is to a commit. Texts are untrusted. */
export interface CommitPlace {
  readonly resource: Resource;
  readonly where: Whereabouts;
  /** The deployment that says so; undefined if there is none. */
  readonly deployment: Deployment | undefined;
}

/** How many commits are compared at most, since each takes a process of Git. */
const mostCompared = 300;

/** Whether commits have one in their history. Each is asked for once. */
class Containment {
  private readonly known = new Map<string, Promise<boolean | undefined>>();

  constructor(
    private readonly reader: Pick<RangeReader, 'hashOf' | 'mergeBase'>,
    private readonly sha: string,
  ) {}

  /** Undefined if the repository does not have the commit of the deployment, or none is named. Never rejects. */
  in({ commitSha }: Deployment): Promise<boolean | undefined> {
    if (!isCommit(commitSha)) return Promise.resolve(undefined);
    if (isSameCommit(commitSha, this.sha)) return Promise.resolve(true);
    if (this.known.size >= mostCompared && !this.known.has(commitSha)) {
      return Promise.resolve(undefined);
    }
    return getOrMake(this.known, commitSha, () =>
      this.ask(commitSha.toLowerCase()).catch(() => undefined),
    );
  }

  private async ask(commit: string): Promise<boolean | undefined> {
    const hash = await this.reader.hashOf(commit);
    if (hash === undefined) return undefined;
    return (await this.reader.mergeBase(this.sha, hash)) === this.sha;
  }
}

/**
 * Where a commit is of these apps and jobs, in their order.
 *
 * @param sha the whole hash, which the repository has.
 * @param deploymentsOf returns the known deployments in any order.
 */
export async function whereIsCommit(
  resources: readonly Resource[],
  deploymentsOf: (resource: Resource) => readonly Deployment[],
  sha: string,
  reader: Pick<RangeReader, 'hashOf' | 'mergeBase'>,
): Promise<readonly CommitPlace[]> {
  const contained = new Containment(reader, sha);
  const places: CommitPlace[] = [];
  for (const resource of resources) {
    const own = newestFirst(deploymentsOf(resource)).filter((one) =>
      isIn(one, placeOfResource(resource)),
    );
    places.push({ resource, ...(await placeIn(own, contained)) });
  }
  return places;
}

/** @param own the deployments of an app or job, newest first. */
async function placeIn(
  own: readonly Deployment[],
  contained: Containment,
): Promise<Pick<CommitPlace, 'where' | 'deployment'>> {
  const at = own.findIndex(hasSucceeded);
  const live = own[at];
  const isLive = live === undefined ? false : await contained.in(live);
  if (live !== undefined && isLive === true) return liveSince(own, at, contained);

  const later = at < 0 ? own : own.slice(0, at);
  const running = later.filter(isUnderWay);
  for (const one of running) {
    if ((await contained.in(one)) === true) return { where: { kind: 'coming' }, deployment: one };
  }
  // The first that ends is the one to wait for.
  const waitedFor = running.at(-1);
  if (waitedFor !== undefined) return { where: { kind: 'waits' }, deployment: waitedFor };
  if (isLive === undefined) return { where: { kind: 'unknown' }, deployment: live };
  for (const one of later.filter(({ state }) => stateMeaning(state) === 'failed')) {
    if ((await contained.in(one)) === true) return { where: { kind: 'failed' }, deployment: one };
  }
  for (const one of own.slice(at + 1).filter((before) => hasRun(before, own))) {
    if ((await contained.in(one)) === true) return { where: { kind: 'gone' }, deployment: live };
  }
  return { where: { kind: 'absent' }, deployment: live };
}

/** Whether a deployment is running, or waits for its turn. */
function isUnderWay(deployment: Deployment): boolean {
  const isQueued = stateMeaning(deployment.state) === 'running' && !hasEnded(deployment);
  return isRunning(deployment) || isQueued;
}

/** Goes back from what runs to the first deployment of the commit after which no other was without it. */
async function liveSince(
  own: readonly Deployment[],
  at: number,
  contained: Containment,
): Promise<Pick<CommitPlace, 'where' | 'deployment'>> {
  let first = own[at];
  let maybeEarlier = false;
  for (const one of own.slice(at + 1).filter((before) => hasRun(before, own))) {
    const has = await contained.in(one);
    maybeEarlier = has === undefined;
    if (has !== true) break;
    first = one;
  }
  const since = first && (runsSince(first) ?? deploymentTime(first));
  return { where: { kind: 'live', since, maybeEarlier }, deployment: first };
}

interface PlaceContext extends Texts {
  readonly timeFormat: TimeFormat;
}

/** The apps and jobs of an environment. */
interface PlacesOfEnvironment {
  readonly name: string;
  readonly places: readonly CommitPlace[];
}

/** The apps and jobs by environment, those where the commit is first. */
export function placesByEnvironment(
  places: readonly CommitPlace[],
  { t }: Pick<Texts, 't'>,
): readonly PlacesOfEnvironment[] {
  const groups = new Map<string, { name: string; places: CommitPlace[] }>();
  for (const place of places) {
    const { environment = {} } = place.resource;
    const key = environment.id?.toLowerCase() ?? environment.name ?? '';
    const group = getOrMake(groups, key, () => ({
      name: environmentName(environment, t),
      places: [],
    }));
    group.places.push(place);
  }
  const liveIn = (group: PlacesOfEnvironment): number => group.places.filter(isLive).length;
  return [...groups.values()].sort((a, b) => Number(liveIn(b) > 0) - Number(liveIn(a) > 0));
}

function isLive({ where }: CommitPlace): boolean {
  return where.kind === 'live';
}

/** Such as `2 of 3 apps and jobs · production since 14:02 · staging waits for 9f8e7d6`. Untrusted. */
export function whereaboutsText(places: readonly CommitPlace[], context: PlaceContext): string {
  const { counted } = context;
  const live = places.filter(isLive).length;
  return dotted([
    counted(places.length, '{1} of {0} app or job', '{1} of {0} apps and jobs', live),
    ...placesByEnvironment(places, context).map((one) => environmentText(one, context)),
  ]);
}

/** What is said of an environment in one line; undefined if it has nothing to do with the commit. */
function environmentText(
  { name, places }: PlacesOfEnvironment,
  { t, timeFormat }: PlaceContext,
): string | undefined {
  const of = (kind: Whereabouts['kind']) => places.find(({ where }) => where.kind === kind);
  const shaOf = (place: CommitPlace): string => shortSha(place.deployment?.commitSha) ?? '?';
  const [failed, coming, waits] = [of('failed'), of('coming'), of('waits')];
  if (coming !== undefined) return t('{0} deploys {1}', name, shaOf(coming));
  if (waits !== undefined) return t('{0} waits for {1}', name, shaOf(waits));
  if (failed !== undefined) return t('{0} failed with {1}', name, shaOf(failed));
  const live = places.filter(isLive);
  if (live.length === 0) return undefined;
  if (live.length < places.length) return t('{0} in part', name);
  const since = places.map(({ where }) => (where.kind === 'live' ? where.since : undefined));
  const last = since.some((one) => one === undefined)
    ? undefined
    : timeFormat.clockOrMoment(Math.max(...since.map((one) => one ?? 0)));
  return last === undefined ? name : t('{0} since {1}', name, last);
}

/** What an app or job is to the commit, such as `since 14:02`. Untrusted. */
export function placeText(
  { where, deployment }: CommitPlace,
  { t, timeFormat }: Pick<PlaceContext, 't' | 'timeFormat'>,
): string {
  const sha = shortSha(deployment?.commitSha) ?? '?';
  switch (where.kind) {
    case 'live': {
      const since = where.since === undefined ? undefined : timeFormat.clockOrMoment(where.since);
      if (since === undefined) return t('deployed');
      return where.maybeEarlier
        ? t('deployed since {0} or earlier', since)
        : t('deployed since {0}', since);
    }
    case 'coming':
      return t('deploying: {0}', sha);
    case 'waits':
      return t('not deployed: {0}, which does not have it, is being deployed first', sha);
    case 'failed':
      return t('not deployed: the deployment of {0} failed', sha);
    case 'gone':
      return t('not deployed any more: it runs {0}', sha);
    case 'absent':
      return deployment === undefined
        ? t('not deployed')
        : t('not deployed: it runs {0}, which does not have it', sha);
    case 'unknown':
      return deployment === undefined
        ? t('unknown')
        : t('unknown: it runs {0}, which is not in this repository', sha);
  }
}

/** The name of an app or job, or its short id. */
export function nameOfPlace({ resource }: CommitPlace): string {
  return nameOfResource(resource) ?? shortId(resource.id ?? '');
}

/** The codicon of what an app or job is to the commit. */
export const iconOfPlace: Readonly<Record<Whereabouts['kind'], string>> = {
  live: 'pass-filled',
  coming: 'sync',
  waits: 'clock',
  failed: 'error',
  gone: 'history',
  absent: 'circle-large-outline',
  unknown: 'question',
};

/**
 * The commit of a line in the output of `git blame`; undefined if it is not committed.
 *
 * @param line from 1.
 */
export function commitOfLine(blame: string, line: number): string | undefined {
  const hash = /^\^?([\da-f]{7,64})\s/.exec(blame.split('\n')[line - 1] ?? '')?.[1];
  return hash === undefined || /^0+$/.test(hash) ? undefined : hash;
}

/** The commit hash at a place of a line of text: a word of 7 to 64 hexadecimal digits. */
export function hashAt(text: string, character: number): string | undefined {
  for (const { 0: word, index } of text.matchAll(/(?<![\w-])[\da-f]{7,64}(?![\w-])/gi)) {
    if (index <= character && character <= index + word.length) return word.toLowerCase();
  }
  return undefined;
}
