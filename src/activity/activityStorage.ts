import * as v from 'valibot';
import { readLenient } from '../api/readLenient';
import type { Deployment, Operation } from '../api/types';
import { cleanupText } from '../api/validateRequest';
import { isObject, type JsonObject, membersOf } from '../base/json';
import { maybe, readStored } from '../base/storedValue';
import { cut } from '../base/untrustedText';
import { isUuid } from '../data/targets';
import { type ActivityEntry, unknownReasons, unwatchedReasons } from './activityEntry';
import { readItemNames } from '../actions/itemNames';
import { unseenReasons } from '../pushes/pushHealth';

/**
 * The storage of entries, which all windows share. Each entry is a record of its own, so that windows
 * that write different entries do not interfere.
 */
export interface ActivityStorage {
  /** Returns all readable records. Never rejects. */
  list(): Promise<readonly unknown[]>;
  /** Returns undefined if there is no record or it cannot be read. Never rejects. */
  read(id: string): Promise<unknown>;
  /**
   * Resolves when the entry would survive a crash of this window.
   *
   * @throws if it cannot be saved.
   */
  write(entry: ActivityEntry): Promise<void>;
  /** Never rejects. */
  remove(id: string): Promise<void>;
}

const text = v.string();
const uuid = v.custom<string>(isUuid);
const number = v.pipe(v.number(), v.finite());
/** In the range of `Date`, in milliseconds. */
const time = v.pipe(number, v.minValue(-8.64e15), v.maxValue(8.64e15));
const object = v.custom<JsonObject>(isObject);

const problem = v.object({
  kind: v.fallback(text, 'other'),
  message: v.fallback(text, ''),
  status: maybe(number),
  code: maybe(text),
  requestId: maybe(text),
});

const progress = v.variant('kind', [
  v.object({ kind: v.picklist(['preparing', 'sending', 'following', 'over']) }),
  v.object({
    kind: v.literal('refused'),
    problem: v.fallback(problem, { kind: 'other', message: '' }),
  }),
  v.object({
    kind: v.literal('unknown'),
    why: v.fallback(v.picklist(unknownReasons), 'interrupted'),
    problem: maybe(problem),
  }),
  // An earlier version saved a 409 like this. It does not say that nothing is running.
  v.pipe(
    v.object({ kind: v.literal('conflict'), problem: maybe(problem) }),
    v.transform((old) => ({ ...old, kind: 'unknown' as const, why: 'noAnswer' as const })),
  ),
  v.object({
    kind: v.literal('left'),
    why: v.fallback(v.picklist(unwatchedReasons), 'stopped'),
    problem: maybe(problem),
  }),
]);

/** The members of all entries. */
const base = {
  id: uuid,
  connection: v.object({ name: text, baseUrl: text }),
  at: time,
  endedAt: maybe(time),
  heartbeat: maybe(v.object({ window: text, at: time })),
  progress,
};

const cleanUp = v.pipe(
  v.object({
    ...base,
    kind: v.literal('cleanUp'),
    serverId: uuid,
    serverName: maybe(text),
    items: v.pipe(v.unknown(), v.transform(readItemNames)),
    idempotencyKey: uuid,
    body: text,
    operationId: maybe(text),
    operation: maybe(v.pipe(object, v.transform(readOperation))),
    replayed: maybe(v.boolean()),
  }),
  // Only what was sent may be sent again.
  v.check(({ items, body }) => items.problem === undefined && body === cleanupText(items.names)),
  v.transform(({ items, serverName, ...entry }) => ({
    ...entry,
    items: items.names,
    serverName: serverName ?? entry.serverId,
  })),
);

const sync = v.pipe(
  v.object({
    ...base,
    kind: v.literal('sync'),
    sourceId: uuid,
    sourceName: maybe(text),
    environmentId: uuid,
    environmentName: maybe(text),
    sentAt: maybe(time),
    before: v.optional(v.pipe(v.fallback(object, {}), v.transform(readTimes)), {}),
    sync: maybe(v.pipe(object, v.transform(limitSize))),
    deployments: v.optional(v.pipe(v.unknown(), v.transform(readDeployments)), []),
  }),
  v.transform(({ sourceName, environmentName, sentAt, ...entry }) => ({
    ...entry,
    sentAt: sentAt ?? entry.at,
    sourceName: sourceName ?? entry.sourceId,
    environmentName: environmentName ?? entry.environmentId,
  })),
);

const previewReporting = v.object({
  ...base,
  kind: v.literal('previewReporting'),
  attempted: maybe(number),
  succeeded: maybe(number),
  failed: maybe(number),
});

const pushEnds = ['live', 'failed', 'ended', 'overtaken'] as const;
const pushStates = ['waiting', 'deploying', ...pushEnds] as const;

const pushedApp = v.object({
  resourceId: uuid,
  name: text,
  isOptional: v.fallback(v.boolean(), false),
  state: v.picklist(pushStates),
  deployment: maybe(
    v.pipe(
      object,
      v.transform((one) => readDeployments([one])[0]),
    ),
  ),
  isRead: maybe(v.boolean()),
  isUnseen: maybe(v.boolean()),
  isRemoved: maybe(v.boolean()),
});

const health = v.variant('kind', [
  v.object({ kind: v.literal('healthy') }),
  v.object({
    kind: v.literal('worse'),
    kinds: v.array(v.object({ title: text, change: v.picklist(['new', 'more']) })),
  }),
  v.object({ kind: v.literal('unseen'), why: v.picklist(unseenReasons) }),
]);

const push = v.object({
  ...base,
  kind: v.literal('push'),
  sourceId: uuid,
  sourceName: text,
  repository: text,
  branch: text,
  upstream: maybe(text),
  sha: v.pipe(text, v.regex(/^[\da-f]{40,64}$/)),
  before: maybe(text),
  pushedAt: time,
  environments: v.array(
    v.object({
      id: maybe(text),
      name: maybe(text),
      isPreview: v.fallback(v.boolean(), false),
      branch: maybe(text),
      apps: v.array(pushedApp),
    }),
  ),
  outcome: maybe(v.picklist(pushEnds)),
  health: maybe(health),
});

const entry = v.variant('kind', [cleanUp, sync, previewReporting, push]);

/**
 * Reads an entry of any origin: another window, an earlier version, a broken disk. Never throws.
 * Returns undefined if it is not valid. A clean-up is valid only if its body matches its items.
 */
export function readActivityEntry(value: unknown): ActivityEntry | undefined {
  return readStored(entry, value);
}

function readOperation(value: JsonObject): Operation {
  return limitSize(readLenient('Operation', value).value);
}

/** How many deployments an entry has at most: the newest. */
export const maxDeployments = 50;

function readDeployments(value: unknown): readonly Deployment[] {
  const { deployments = [] } = readLenient('DeploymentListing', { deployments: value }).value;
  return deployments.slice(0, maxDeployments).map((one) => limitSize(one));
}

function readTimes(value: JsonObject): Readonly<Record<string, number>> {
  const times = Object.entries(value).filter(
    (entry): entry is [string, number] => isUuid(entry[0]) && v.is(time, entry[1]),
  );
  return Object.fromEntries(times);
}

/** Deeper than any schema of the contract. */
const maxDepth = 8;
/** The number of members and items on all levels. */
const maxMembers = 200;
/** In UTF-16 units. */
const maxText = 2000;
/** For `logs`, the output of an action, in UTF-16 units. */
const maxLogs = 200_000;

/**
 * Copies a response and limits its size so that it can be saved: cuts long texts with a `…`, and leaves
 * out members that are too deep or too many.
 */
export function limitSize<T extends object>(value: T): T {
  let members = 0;

  function copy(one: unknown, name: string, depth: number): unknown {
    if (typeof one === 'string') return cut(one, name === 'logs' ? maxLogs : maxText);
    if (typeof one !== 'object' || one === null) return one;
    if (depth >= maxDepth) return undefined;
    if (Array.isArray(one)) {
      const items: readonly unknown[] = one;
      return items.filter(() => ++members <= maxMembers).map((item) => copy(item, '', depth + 1));
    }
    const entries = Object.entries(one)
      .filter(() => ++members <= maxMembers)
      .map(([key, inner]): [string, unknown] => [key, copy(inner, key, depth + 1)])
      .filter(([, inner]) => inner !== undefined);
    // Uses entries because an assignment to a member `__proto__` would set the prototype.
    return Object.fromEntries(entries);
  }

  const copied = copy(value, '', 0);
  // The copy still has the type, because leniently read members may be missing.
  return membersOf(copied) as T;
}
