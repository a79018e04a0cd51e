import type { AlertListing, AlertRule, Deployment, Resource, SecretBinding } from '../api/types';
import { untilAborted } from '../base/clock';
import { environmentOf } from '../data/deployments';
import { nameOfResource } from '../data/labels';
import { isFiring } from '../data/states';
import { listings } from '../data/listings';
import type { CacheEntry, CacheKey, Store } from '../data/store';
import type { Compared, ComparedSide } from '../logs/explorer/comparison';
import type { PatternChange } from '../logs/explorer/patternChanges';
import { bodyText } from '../logs/record/readableBody';
import { count, type Entry, type ToolAnswer, Excerpt } from './answer';
import { problemAnswer } from './toolProblems';

/*
 * Short summaries for language models, as plain data. Members are picked one by one, so that nothing
 * else that a server sends gets through. Texts come from the server and are untrusted.
 */

/** An app or a job with its state. */
export function resourceOutline(resource: Resource): object {
  const { id, kind, environment, runtimeState, config, archivedAt } = resource;
  const { desiredState, observedState, healthStatus, driftStatus, driftReasons, ingressStatus } =
    runtimeState ?? {};
  return {
    id,
    name: nameOfResource(resource),
    kind,
    environment: environment && {
      id: environment.id,
      name: environment.name,
      branch: environment.branch,
      disconnectedAt: environment.disconnectedAt,
    },
    server: config?.server,
    wanted: desiredState,
    observed: observedState,
    health: healthStatus,
    ingress: ingressStatus,
    drift: driftStatus,
    driftReasons,
    checkedAt: runtimeState?.checkedAt,
    archivedAt,
  };
}

/** A deployment with its result. */
export function deploymentOutline(deployment: Deployment): object {
  const { id, commitSha, gitRef, state, kind, trigger, targetEnvironment } = deployment;
  return {
    id,
    state,
    commit: commitSha,
    ref: gitRef,
    kind,
    trigger,
    environment: environmentOf(deployment),
    environmentId: targetEnvironment?.id,
    serverId: deployment.serverId,
    createdAt: deployment.createdAt,
    startedAt: deployment.startedAt,
    finishedAt: deployment.finishedAt,
    errorCode: deployment.errorCode,
    errorMessage: deployment.errorMessage,
  };
}

/** An alert rule with its state. */
export function ruleOutline(
  rule: AlertRule,
  workloads: NonNullable<AlertListing['workloads']>,
): object {
  const { id, name, enabled, severity, environment, evaluationState, condition, httpCheck } = rule;
  const watched = workloads.find((one) => one.id === rule.deployableId && one.id !== undefined);
  const { metric, operator, threshold, windowSeconds, aggregation, http } = condition ?? {};
  return {
    id,
    name,
    firing: isFiring(rule),
    state: evaluationState,
    enabled,
    severity,
    environment,
    workload: watched?.name ?? rule.deployableId,
    condition: condition && {
      metric,
      operator,
      threshold,
      windowSeconds,
      aggregation,
      http: http && {
        method: http.method,
        url: withoutParameters(http.url),
        intervalSeconds: http.intervalSeconds,
        expectedStatusMin: http.expectedStatusMin,
        expectedStatusMax: http.expectedStatusMax,
      },
    },
    observed: rule.observedValue,
    evaluatedAt: rule.evaluatedAt,
    httpCheck: httpCheck && {
      state: httpCheck.state,
      status: httpCheck.status_code,
      latencyMs: httpCheck.latency_ms,
      reason: httpCheck.reason,
      checkedAt: httpCheck.checked_at,
    },
  };
}

/** The key names that a stage of an environment has, and those that are missing. */
export function secretKeysOutline(binding: SecretBinding): object {
  const { environment, stage, declared, keys, missingKeys, inheritedKeys } = binding;
  return {
    environment,
    stage,
    declared,
    keys,
    missingKeys,
    inheritedKeys,
    pendingChanges: binding.pendingChanges,
    updatedAt: binding.updatedAt,
  };
}

/** A URL without the parts that may be secret: user, query and fragment. */
function withoutParameters(url: string | undefined): string | undefined {
  return url?.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}

/** A resource to list, such as the alert rules of a server. */
interface ListedTopic<T> {
  readonly key: CacheKey;
  readonly known: () => CacheEntry<T>;
  /** Its name and id. */
  readonly head?: () => object;
}

/**
 * Refreshes resources and lists what they contain. If some of them fail, the answer says how many and
 * why.
 *
 * @throws the signal's reason.
 */
export async function listing<T>(
  store: Store,
  places: readonly ListedTopic<T>[],
  noun: string,
  outlinesOf: (value: T) => readonly object[],
  signal: AbortSignal,
): Promise<ToolAnswer> {
  await untilAborted(store.refreshAll(places.map(({ key }) => key)), signal);
  const entries: Entry[] = [];
  let found = 0;
  const problems: ToolAnswer[] = [];
  for (const { key, known, head } of places) {
    const { value, error } = known();
    // A model would take an old value for the current one.
    if (error !== undefined) problems.push(problemAnswer(error, listings[key.kind].permission));
    else if (value !== undefined) {
      const outlines = outlinesOf(value);
      found += outlines.length;
      entries.push(...(head === undefined ? [] : [head()]), ...outlines);
    }
  }
  const [problem] = problems;
  if (problem !== undefined && problems.length === places.length) return problem;
  return {
    words: [
      `${count(found, noun)} found, one per line as JSON; unknown values are left out.`,
      ...(problem === undefined
        ? []
        : [
            `${problems.length} of ${places.length} places could not be read. ${problem.words.join(' ')}`,
          ]),
    ],
    data: { entries, keep: 'first', noun: 'line' },
  };
}

/** The most patterns and values that are listed. */
const mostPatterns = 60;
const mostValues = 10;
/** Limits of texts in UTF-16 units. */
export const longestTemplate = 1000;
export const longestExample = 500;
const longestValue = 200;

/** What was compared, as our own sentences. */
export function comparisonWords({ now, before, measure, changes }: Compared): readonly string[] {
  const range = (side: ComparedSide): string => {
    const { from, to } = side.search.range;
    const read = side.read.map((one) => `${isoOf(one.from)} to ${isoOf(one.to)}`).join(' and ');
    return `${isoOf(from)} to ${isoOf(to)}, ${count(side.records.length, 'record')}${
      side.isWhole ? ', all' : `, the newest ones, of ${read}`
    }`;
  };
  return [
    `Side A ("now"): ${range(now)}.`,
    `Side B ("before"): ${range(before)}.`,
    measure === 'time'
      ? 'Factors are by the time that was read.'
      : 'Factors are by the number of records, because the sides are of different apps or environments.',
    ...(now.isWhole && before.isWhole ? [] : ['Rare patterns may be missing.']),
    ...(now.isPartial || before.isPartial
      ? ['The control plane returned only part of the matching records.']
      : []),
    ...(changes.length > mostPatterns
      ? [`Only the ${mostPatterns} most surprising of ${changes.length} patterns are listed.`]
      : []),
    'First the values that set side A apart, then one pattern per line, the most surprising first. "rare": too rare to tell.',
  ];
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}

/**
 * The differences as untrusted data.
 *
 * @param isClean whether secrets were removed before patterns were made, which can cut one to pieces. Otherwise there
 *   are whole texts only.
 */
export function comparisonEntries(
  { apart, changes }: Compared,
  isClean: boolean,
): readonly Entry[] {
  const isWhole = (value = ''): boolean => isClean || value.length < longestValue;
  return [
    ...apart
      .filter(({ value }) => isWhole(value))
      .slice(0, mostValues)
      .map(({ field, value, share, otherShare }) => ({
        setsApart: new Excerpt(field, longestValue),
        value: value === undefined ? 'any' : new Excerpt(value, longestValue),
        shareNow: rounded(share),
        shareBefore: rounded(otherShare),
      })),
    ...changes.slice(0, mostPatterns).map((change) => entryOf(change, isClean)),
  ];
}

function entryOf(
  { template, change, factor, severity, now, before }: PatternChange,
  isClean: boolean,
): object {
  const last = now.last ?? before.last;
  return {
    change,
    ...(Number.isFinite(factor) ? { factor: rounded(factor) } : {}),
    now: now.count,
    before: before.count,
    severity,
    ...(isClean ? { message: new Excerpt(template, longestTemplate) } : {}),
    ...(last === undefined
      ? {}
      : {
          workload: new Excerpt(last.workloadName || last.service, 100),
          lastSeen: last.timestamp,
          example: new Excerpt(bodyText(last, 'readable'), longestExample),
        }),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
