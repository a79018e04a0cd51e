import * as errors from '../../../src/api/errors';
import type { AlertRule, Deployment, Resource, SecretListing } from '../../../src/api/types';
import type { PushEntry } from '../../../src/pushes/pushEntry';
import type { SyncEntry } from '../../../src/actions/kinds/sync';
import type * as labels from '../../../src/data/labels';
import type { ListingKind } from '../../../src/data/listings';
import type { CacheKey, Store } from '../../../src/data/store';
import type * as push from '../../../src/deployed/push';
import type { rangeTitle } from '../../../src/deployed/whatChanged';
import { type Compared } from '../../../src/logs/explorer/comparison';
import { day } from '../../../src/base/clock';
import { TimeFormat } from '../../../src/base/timeFormat';
import { counted, t, uuid } from '../trees/treeText';
import { recordWith } from './recordWith';

export const now = Date.UTC(2026, 10, 20, 12);
export const filters = { from: '2026-11-20T12:00:00Z', to: '2026-11-20T13:00:00Z' };
export const timeFormat = new TimeFormat(
  () => ({}),
  () => 'utc',
  () => now,
  'en',
);
export const [source, server] = [{ id: uuid(1) }, { id: uuid(2) }];

/** Refusing what is not valid, with the reason, is reading it. */
export function orRefused(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof errors.InvalidRequestError || error instanceof errors.ApiError)
      return error;
    throw error;
  }
}

export function resourceWith(text: string): Resource {
  return {
    ...{ id: uuid(3), name: text, kind: text, state: text, sourceRevision: text, [text]: text },
    environment: { id: uuid(4), name: text },
    config: {
      ...{ name: text, server: text, [text]: { [text]: text } },
      jobs: [
        { name: text, schedule: { cron: text, timezone: text } },
        { name: text, schedule: { cron: '*/5 * * * *', timezone: 'UTC' } },
      ],
    },
    runtimeState: {
      observedState: text,
      desiredState: text,
      healthStatus: text,
      driftReasons: [text],
    },
  };
}

export function deploymentWith(text: string): Deployment {
  return {
    ...{ id: text, resourceId: uuid(3), commitSha: text, gitRef: text, state: text, kind: text },
    ...{
      environment: 'preview',
      hostname: text,
      errorCode: text,
      errorMessage: text,
      [text]: text,
    },
    ...{ createdAt: text, startedAt: text, finishedAt: text },
  };
}

/** The secret keys of two environments: everything is this text. */
export function secretsWith(text: string): SecretListing {
  const binding = { stage: text, keys: [text], missingKeys: [`${text}.`], inheritedKeys: [text] };
  return {
    environments: [text],
    bindings: [
      { ...binding, environment: text },
      { ...binding, environment: `${text}.` },
    ],
  };
}

export function ruleWith(text: string): AlertRule {
  return {
    ...{ id: text, name: text, evaluationState: text, severity: text, deployableId: text },
    condition: { metric: text, operator: text, aggregation: text, threshold: 1, windowSeconds: 60 },
    httpCheck: { url: text, method: text },
    [text]: text,
  } as AlertRule;
}

/** What the trees and the names are made of: everything that the control plane lists is this text. */
export function contextWith(text: string): labels.DataContext {
  const known = (value: unknown) => ({ value, at: now, isLoading: false, error: undefined });
  const values: Readonly<Record<ListingKind, unknown>> = {
    resources: { resources: [resourceWith(text)] },
    deployments: { deployments: [deploymentWith(text), deploymentWith(`${text}.`)] },
    secrets: {
      bindings: [{ environment: text, stage: text, keys: [text], missingKeys: [text] }],
    },
    alerts: {
      rules: [ruleWith(text)],
      workloads: [{ id: uuid(3), name: text, sourceId: uuid(1) }],
      destinations: [{ id: text, name: text, kind: text }],
      providers: [{ id: text, name: text }],
    },
    repositories: { repositories: [{ id: text, name: text, webUrl: text }] },
    sourceList: { sources: [{ id: uuid(1), repositoryOwner: text, repositoryName: text }] },
    serverList: { servers: [{ id: uuid(2), name: text, canonicalIp: text }] },
    environments: { environments: [{ id: uuid(4), name: text, branch: text }] },
    lastRecord: { asOf: now, time: now - day, isPartial: false },
    integrations: { integrations: [{ id: text, name: text, provider: text, state: text }] },
  };
  const store = {
    formats: {},
    read: (kind: ListingKind) => known(values[kind]),
    entry: ({ kind }: CacheKey) => known(values[kind]),
  };
  return {
    // Only what is read of it.
    store: store as unknown as Store,
    t,
    counted,
    timeFormat,
    sources: () => [source],
    servers: () => [server],
    repositorySearch: () => text,
    checkedOut: () => undefined,
  };
}

export function appsWith(text: string): readonly push.PushedApp[] {
  return [
    {
      ...{ resourceId: uuid(3), name: text, isOptional: false, state: 'failed' },
      deployment: deploymentWith(text),
    },
  ];
}

export function environmentsWith(text: string): readonly push.PushedEnvironment[] {
  return [{ id: uuid(4), name: text, isPreview: false, apps: appsWith(text) }];
}

const entryBase = {
  id: uuid(9),
  connection: { name: 'shop', baseUrl: 'https://a.example', origin: 'https://a.example' },
  at: now,
  progress: { kind: 'following' },
} as const;

export function pushWith(text: string): PushEntry {
  return {
    ...entryBase,
    ...{ kind: 'push', sourceId: uuid(1), sourceName: text, repository: text, branch: text },
    ...{ upstream: text, sha: text, before: text, pushedAt: now },
    environments: environmentsWith(text),
    health: { kind: 'worse', kinds: [{ title: text, change: 'new' }] },
  };
}

export function syncWith(text: string): SyncEntry {
  return {
    ...entryBase,
    ...{ kind: 'sync', sourceId: uuid(1), sourceName: text, environmentId: uuid(4) },
    ...{ environmentName: text, deployments: [deploymentWith(text)] },
  } as unknown as SyncEntry;
}

export function comparedWith(text: string): Compared {
  const last = recordWith(text);
  const range = { from: now - day, to: now };
  const side = { search: { filter: {}, range }, records: [last], read: [range], isWhole: true };
  const counted = { count: 1, counts: [1], last };
  return {
    ...{ now: { ...side, isPartial: false }, before: { ...side, isPartial: true } },
    ...{ measure: 'time', factor: 1 },
    changes: [
      {
        ...{ key: text, template: text, change: 'new', factor: 1, surprise: 1, severity: 'info' },
        ...{ now: counted, before: counted },
      },
    ],
    apart: [{ field: text, value: text, share: 1, otherShare: 0 }],
  };
}

export function rangeWith(text: string): Parameters<typeof rangeTitle>[0] {
  const commit = { sha: text, title: text, author: text, at: now, parents: [] };
  return {
    from: text,
    to: `${text}.`,
    base: undefined,
    added: [commit],
    removed: [commit],
  };
}
