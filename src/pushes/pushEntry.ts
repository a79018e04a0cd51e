import * as v from 'valibot';
import { storedMembers, storedTime, storedUuid } from '../activity/activityEntry';
import { readDeployments } from '../activity/activityStorage';
import { isObject, type JsonObject } from '../base/json';
import { maybe } from '../base/storedValue';
import { pushEnds, type PushedEnvironment, pushStates } from '../deployed/push';

/** Why the errors could not be compared. */
const unseenReasons = [
  'noPermission',
  'failed',
  'noRecords',
  'noneBefore',
  'tooMany',
  'partial',
  'replaced',
] as const;
export type UnseenReason = (typeof unseenReasons)[number];

const pushedApp = v.object({
  resourceId: storedUuid,
  name: v.string(),
  isOptional: v.fallback(v.boolean(), false),
  state: v.picklist(pushStates),
  deployment: maybe(
    v.pipe(
      v.custom<JsonObject>(isObject),
      v.transform((one) => readDeployments([one])[0]),
    ),
  ),
  isRead: maybe(v.boolean()),
  isUnseen: maybe(v.boolean()),
  isRemoved: maybe(v.boolean()),
});

/** A kind of error that is new or more frequent since a push was live. Its title is untrusted. */
const worseKind = v.pipe(
  v.object({ title: v.string(), change: v.picklist(['new', 'more']) }),
  v.readonly(),
);
export type WorseKind = v.InferOutput<typeof worseKind>;

/** What the errors of the apps say five minutes after a push was live. */
const health = v.pipe(
  v.variant('kind', [
    v.object({ kind: v.literal('healthy') }),
    v.object({
      kind: v.literal('worse'),
      /** The most frequent first. */
      kinds: v.pipe(v.array(worseKind), v.readonly()),
    }),
    v.object({ kind: v.literal('unseen'), why: v.picklist(unseenReasons) }),
  ]),
  v.readonly(),
);
export type PushHealth = v.InferOutput<typeof health>;

export const storedPush = v.pipe(
  v.object({
    ...storedMembers,
    kind: v.literal('push'),
    sourceId: storedUuid,
    sourceName: v.string(),
    /** The URI of the repository, as text. */
    repository: v.string(),
    branch: v.string(),
    /** The remote branch with its remote, such as `origin/main`. */
    upstream: maybe(v.string()),
    /** The pushed commit, in lower case. */
    sha: v.pipe(v.string(), v.regex(/^[\da-f]{40,64}$/)),
    /** What the remote branch pointed to before; undefined if it is new. */
    before: maybe(v.string()),
    /** When it was pushed or, if Git does not say that, seen, in milliseconds since 1970 by the server's clock. */
    pushedAt: storedTime,
    environments: v.pipe(
      v.array(
        v.object({
          id: maybe(v.string()),
          name: maybe(v.string()),
          isPreview: v.fallback(v.boolean(), false),
          branch: maybe(v.string()),
          apps: v.array(pushedApp),
        }),
      ),
      v.transform((all): readonly PushedEnvironment[] => all),
    ),
    /** What it has come to. It is said once, even if an app that failed is tried again later. */
    outcome: maybe(v.picklist(pushEnds)),
    /** Undefined until it is known, and if it was not live. */
    health: maybe(health),
  }),
  v.readonly(),
);

/** A push of the checked-out branch, which nothing was sent for: it is only watched. */
export type PushEntry = v.InferOutput<typeof storedPush>;
