import type { FollowTarget } from '../../data/followTarget';
import type { AlertRule } from '../../api/types';
import { dotted, joined } from '../../base/textFormat';
import { isUuid, shortId } from '../../data/targets';
import { detailsOf } from '../details';
import { createKeys, makeNode, type TreeNode } from '../nodes';
import type { DataContext } from '../../data/dataContext';
import { alertStatus } from '../status';

/** The ids of the rows from the root to the row of a rule. */
export function rulePath(serverId: string, ruleId: string): readonly string[] {
  const server = `server ${serverId}`;
  const rules = `${server}/rules`;
  return [server, rules, createKeys(rules, 'rule')(ruleId)];
}

export function ruleNodes(
  context: DataContext,
  parent: string,
  serverId: string,
  rules: readonly AlertRule[],
): readonly TreeNode[] {
  const keyOf = createKeys(parent, 'rule');
  return rules.map((rule) => {
    const { id, name } = rule;
    return makeNode({
      id: keyOf(id ?? name),
      kind: 'rule',
      label: ruleLabel(rule, context),
      description: ruleText(rule, context),
      status: alertStatus(rule, context.t),
      target: { id, name, serverId, follow: ruleFollow(rule, serverId, context) },
      record: rule,
      details: () => detailsOf(rule, context),
    });
  });
}

type Words = Pick<DataContext, 't' | 'timeFormat'>;

/** Its name, otherwise its condition, otherwise its short id. */
export function ruleLabel(rule: AlertRule, context: Words): string {
  const { id, name } = rule;
  const label = name ?? conditionText(rule, context);
  return label ?? (id === undefined ? context.t('Alert rule') : shortId(id));
}

/** The logs of the workload that a rule watches, otherwise those of its server. */
export function ruleFollow(rule: AlertRule, serverId: string, context: Words): FollowTarget {
  const { deployableId } = rule;
  const filter = isUuid(deployableId) ? { workloadIds: [deployableId] } : { serverIds: [serverId] };
  return { filter, label: ruleLabel(rule, context) };
}

/**
 * When a rule fires, such as `cpuPercent above 80, average over 5 min`, or the request of its HTTP check.
 * Undefined if the condition is empty.
 */
function conditionText({ condition }: AlertRule, { t, timeFormat }: Words): string | undefined {
  if (condition === undefined) return undefined;
  const { metric, operator, threshold, windowSeconds, aggregation, http } = condition;
  const span = windowSeconds === undefined ? undefined : timeFormat.duration(windowSeconds * 1000);
  const comparison = joined([metric, operator, threshold?.toString()], ' ');
  const window =
    span === undefined
      ? aggregation
      : aggregation === undefined
        ? t('over {0}', span)
        : t('{0} over {1}', aggregation, span);
  const check = http === undefined ? [] : httpText(http, { t, timeFormat });
  return joined([comparison, window, ...check], ', ') || undefined;
}

type HttpCondition = NonNullable<NonNullable<AlertRule['condition']>['http']>;

function httpText(http: HttpCondition, { t, timeFormat }: Words): (string | undefined)[] {
  const { method, url, intervalSeconds, expectedStatusMin: min, expectedStatusMax: max } = http;
  return [
    joined([method, url], ' '),
    intervalSeconds === undefined
      ? undefined
      : t('every {0}', timeFormat.duration(intervalSeconds * 1000)),
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
  const time = latency === undefined ? undefined : timeFormat.duration(latency);
  const result =
    status === undefined
      ? time
      : time === undefined
        ? String(status)
        : t('{0} in {1}', status, time);
  const found = result ?? state;
  if (reason === undefined || reason === '') return found;
  return found === undefined ? reason : t('{0}: {1}', found, reason);
}

/** The state, condition and last result of a rule. */
export function ruleText(rule: AlertRule, words: Words): string {
  const { evaluationState, severity, observedValue, enabled, name } = rule;
  const condition = conditionText(rule, words);
  return dotted([
    enabled === false ? words.t('off') : undefined,
    evaluationState,
    severity,
    name === undefined ? undefined : condition,
    observedValue === undefined ? undefined : words.t('observed {0}', observedValue),
    checkText(rule, words),
  ]);
}
