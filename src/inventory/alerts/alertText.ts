import type { AlertRule } from '../../api/types';
import type { TreeContext } from '../tree/nodes';
import { dotted } from '../../text/wordLists';

type Words = Pick<TreeContext, 't' | 'moments'>;

/**
 * When a rule fires, in words: `cpuPercent above 80, average over 5 min`, or what an HTTP check asks
 * for. Undefined where the condition says nothing.
 */
export function conditionWords(
  { condition }: AlertRule,
  { t, moments }: Words,
): string | undefined {
  if (condition === undefined) return undefined;
  const { metric, operator, threshold, windowSeconds, aggregation, http } = condition;
  const span = windowSeconds === undefined ? undefined : moments.duration(windowSeconds * 1000);
  const comparison = joined([metric, operator, threshold]);
  const window =
    span === undefined
      ? aggregation
      : aggregation === undefined
        ? t('over {0}', span)
        : t('{0} over {1}', aggregation, span);
  const words = [
    comparison,
    window,
    ...(http === undefined ? [] : httpWords(http, { t, moments })),
  ];
  return words.filter((word) => word !== undefined && word !== '').join(', ') || undefined;
}

type HttpCondition = NonNullable<NonNullable<AlertRule['condition']>['http']>;

function httpWords(http: HttpCondition, { t, moments }: Words): (string | undefined)[] {
  const { method, url, intervalSeconds, expectedStatusMin: min, expectedStatusMax: max } = http;
  return [
    joined([method, url]),
    intervalSeconds === undefined
      ? undefined
      : t('every {0}', moments.duration(intervalSeconds * 1000)),
    min !== undefined && max !== undefined && min !== max
      ? t('status {0} to {1}', min, max)
      : (min ?? max) === undefined
        ? undefined
        : t('status {0}', min ?? max ?? ''),
  ];
}

/** What the last HTTP check found, such as `503 in 5 sec: status 503, wanted 200 to 299`. */
function checkWords({ httpCheck }: AlertRule, { t, moments }: Words): string | undefined {
  if (httpCheck === undefined) return undefined;
  const { status_code: status, latency_ms: latency, reason, state } = httpCheck;
  const time = latency === undefined ? undefined : moments.duration(latency);
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

/** What there is to say of a rule beside its name. */
export function ruleWords(rule: AlertRule, words: Words): string {
  const { evaluationState, severity, observedValue, enabled, name } = rule;
  const condition = conditionWords(rule, words);
  return dotted([
    enabled === false ? words.t('switched off') : undefined,
    evaluationState,
    severity,
    name === undefined ? undefined : condition,
    observedValue === undefined ? undefined : words.t('observed {0}', observedValue),
    checkWords(rule, words),
  ]);
}

function joined(parts: readonly (string | number | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}
