import type { AlertListing, AlertRule } from '../../api/types';
import { dotted, joined, type Translate } from '../../base/textFormat';
import type { DataContext } from '../../data/labels';
import { isFiring } from '../../data/states';
import { stateInWords } from '../../data/stateWords';
import { type FollowTarget, isUuid, shortId } from '../../data/targets';
import { factsOf, timeText, createKeys, makeNode, type TreeNode } from '../nodes';
import { alertStatus } from '../status';

/** The ids of the rows from the root to the row of a rule. */
export function rulePath(serverId: string, ruleId: string): readonly string[] {
  const server = `server ${serverId}`;
  const rules = `${server}/rules`;
  return [server, rules, createKeys(rules, 'rule')(ruleId)];
}

/** @param workloads those of the server, for the name of what a rule watches. */
export function ruleNodes(
  context: DataContext,
  parent: string,
  serverId: string,
  { rules = [], workloads = [] }: AlertListing,
): readonly TreeNode[] {
  const { t } = context;
  const keyOf = createKeys(parent, 'rule');
  return rules.map((rule) => {
    const { id, name, evaluatedAt, deployableId } = rule;
    const status = alertStatus(rule, t);
    return makeNode({
      id: keyOf(id ?? name),
      kind: 'rule',
      isSortable: true,
      // It fires, or is about to.
      isUrgent: status.rank > 2,
      label: isFiring(rule) ? firingLabel(rule, context) : ruleLabel(rule, context),
      description: rowText(rule, context),
      status,
      target: { id, name, serverId, follow: ruleFollow(rule, serverId, context) },
      record: rule,
      sentence: () => ruleText(rule, context),
      details: () =>
        factsOf('AlertRule', rule, context, [
          [t('Status'), joined([rule.enabled === false ? t('off') : '', stateOf(rule, t)], ', ')],
          [t('Evaluated'), evaluatedAt === undefined ? undefined : timeText(evaluatedAt, context)],
          [t('Workload'), workloads.find((one) => one.id === deployableId)?.name],
          [t('Environment'), rule.environment],
        ]),
    });
  });
}

type Words = Pick<DataContext, 't' | 'timeFormat'>;

/** Its name, otherwise its condition, otherwise its short id. */
export function ruleLabel(rule: AlertRule, words: Words): string {
  const { id, name, condition } = rule;
  // A name that only repeats the condition says it in the words of the API.
  const { metric, operator, threshold } = condition ?? {};
  const repeated = joined([metric, operator, threshold?.toString()], ' ');
  const limit = limitText(rule);
  if (name !== undefined) {
    return limit === undefined || repeated === '' ? name : name.replace(repeated, () => limit);
  }
  const http = condition?.http === undefined ? undefined : requestText(condition.http);
  return limit ?? http ?? (id === undefined ? words.t('Alert rule') : shortId(id));
}

/**
 * The label with the value that is beyond the limit, such as `web-api: error rate 6.4 > 2`, or after the status of an
 * HTTP check, such as `503 · web-api: GET /healthz`: in a narrow view, what follows the label is cut.
 */
function firingLabel(rule: AlertRule, words: Words): string {
  const label = ruleLabel(rule, words);
  const limit = limitText(rule);
  const withValue =
    limit === undefined ? label : label.replace(limit, () => limitText(rule, true) ?? '');
  return dotted([rule.httpCheck?.status_code?.toString(), withValue]);
}

/** The logs of the workload that a rule watches, otherwise those of its server. */
export function ruleFollow(rule: AlertRule, serverId: string, words: Words): FollowTarget {
  const { deployableId } = rule;
  const filter = isUuid(deployableId) ? { workloadIds: [deployableId] } : { serverIds: [serverId] };
  return { filter, label: ruleLabel(rule, words) };
}

/** Shows a value of a metric; undefined for what is none in its unit. */
type ShowValue = (value: number, words: Words) => string | undefined;

/** The units that names of metrics end with. */
const units: readonly (readonly [ending: RegExp, show: ShowValue])[] = [
  [/ percent$/, (value) => `${value} %`],
  [/ (?:ms|millis|milliseconds)$/, (value, { timeFormat }) => timeFormat.duration(value)],
  [/ seconds$/, (value, { timeFormat }) => timeFormat.duration(value * 1000)],
  [/ bytes$/, (value) => `${value} B`],
];

/** The name of a metric in words, and how its values are shown: `errorRatePercent` is `error rate`, in `%`. */
function metricOf(name: string): { name: string; show: ShowValue } {
  const spaced = name
    .slice(0, 100)
    .replaceAll('_', ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(?:cpu|http|io)\b/g, (word) => word.toUpperCase())
    .trim();
  const [ending, show] = units.find(([end]) => end.test(spaced)) ?? [/$/, String];
  return { name: spaced.replace(ending, ''), show };
}

const isAbove = /^(?:above|greater|gt|>)/i;
const isBelow = /^(?:below|less|lt|<)/i;

/** Such as `error rate > 2`; undefined without a metric. */
function limitText({ condition, observedValue }: AlertRule, withValue = false): string | undefined {
  const { metric, operator = '', threshold } = condition ?? {};
  if (metric === undefined) return undefined;
  const { name } = metricOf(metric);
  const sign = isAbove.test(operator) ? '>' : isBelow.test(operator) ? '<' : operator;
  const value = withValue ? observedValue?.toString() : undefined;
  return joined([name, value, sign, threshold?.toString()], ' ') || undefined;
}

function inMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

type HttpCondition = NonNullable<NonNullable<AlertRule['condition']>['http']>;

function requestText({ method, url }: HttpCondition): string | undefined {
  return joined([method, url], ' ') || undefined;
}

function httpText(http: HttpCondition, { t, timeFormat }: Words): (string | undefined)[] {
  const { expectedStatusMin: min, expectedStatusMax: max } = http;
  const interval = timeFormat.duration(inMilliseconds(http.intervalSeconds));
  return [
    interval === undefined ? undefined : t('every {0}', interval),
    min !== undefined && max !== undefined && min !== max
      ? t('status {0} to {1}', min, max)
      : (min ?? max) === undefined
        ? undefined
        : t('status {0}', min ?? max ?? ''),
  ];
}

/** The result of the last HTTP check, such as `503 in 5 sec: status 503, wanted 200 to 299`. */
function checkText({ httpCheck }: AlertRule, { t, timeFormat }: Words): string | undefined {
  if (httpCheck === undefined) return undefined;
  const { status_code: status, latency_ms: latency, reason, state } = httpCheck;
  const time = timeFormat.duration(latency);
  const result =
    status === undefined
      ? time
      : time === undefined
        ? String(status)
        : t('{0} in {1}', status, time);
  const found = result ?? (state === undefined ? undefined : stateInWords(state, t));
  return joined([found, reason], ': ') || undefined;
}

/** What the row says beside its label: what is wrong comes first. */
function rowText(rule: AlertRule, words: Words): string {
  const { t } = words;
  const { enabled } = rule;
  const off = enabled === false ? t('off') : undefined;
  const value = valueText(rule, words);
  if (!isFiring(rule)) return dotted([off, stateOf(rule, t), value, checkText(rule, words)]);
  const limit = limitText(rule);
  const isInLabel = limit !== undefined && ruleLabel(rule, words).includes(limit);
  const beyond = isInLabel ? undefined : (limitText(rule, true) ?? value);
  const { status_code: status, latency_ms: latency, reason } = rule.httpCheck ?? {};
  // The label has the status.
  const check =
    status === undefined ? [checkText(rule, words)] : [reason, words.timeFormat.duration(latency)];
  return dotted([beyond, ...check, severityText(rule, words)]);
}

function severityText({ severity }: AlertRule, { t }: Words): string | undefined {
  return severity === undefined ? undefined : stateInWords(severity, t);
}

function stateOf({ evaluationState }: AlertRule, t: Translate): string | undefined {
  return evaluationState === undefined ? undefined : stateInWords(evaluationState, t);
}

function valueText({ condition, observedValue }: AlertRule, words: Words): string | undefined {
  if (observedValue === undefined) return undefined;
  const { metric } = condition ?? {};
  return metric === undefined ? String(observedValue) : metricOf(metric).show(observedValue, words);
}

/** In one sentence, such as `Error rate 6.4 %, limit 2 %, average over 5 min, critical`. */
export function ruleText(rule: AlertRule, words: Words): string {
  const { t, timeFormat } = words;
  const { condition, enabled } = rule;
  const { windowSeconds, aggregation, http } = condition ?? {};
  const span = timeFormat.duration(inMilliseconds(windowSeconds));
  const window =
    span === undefined
      ? aggregation
      : aggregation === undefined
        ? t('over {0}', span)
        : t('{0} over {1}', aggregation, span);
  const text = joined(
    [
      ...measured(rule, words),
      window,
      ...(http === undefined ? [] : [requestText(http)]),
      checkText(rule, words),
      ...(http === undefined ? [] : httpText(http, words)),
      severityText(rule, words),
      enabled === false ? t('off') : undefined,
    ],
    ', ',
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The value of the metric and its limit. */
function measured(rule: AlertRule, words: Words): (string | undefined)[] {
  const { t } = words;
  const { metric, operator = '', threshold } = rule.condition ?? {};
  if (metric === undefined) return [];
  const { name, show } = metricOf(metric);
  const limit = threshold === undefined ? undefined : show(threshold, words);
  return [
    joined([name, valueText(rule, words)], ' '),
    limit === undefined || operator === ''
      ? joined([operator, limit], ' ')
      : isAbove.test(operator)
        ? t('limit {0}', limit)
        : isBelow.test(operator)
          ? t('lower limit {0}', limit)
          : `${operator} ${limit}`,
  ];
}
