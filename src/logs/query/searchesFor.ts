import type { AlertRule } from '../../api/types';
import { day, minute, second } from '../../api/units';
import { isId } from './fields';
import type { LogFilter } from './filter';
import type { NameOf } from './print';
import { printSearch } from './searchQuery';

/** Where an alert rule does not say over which time it looks. In milliseconds. */
const defaultWindow = 5 * minute;
/** No alert rule looks back for longer; a server that says so says nonsense. In milliseconds. */
const longestWindow = 366 * day;

/** All that a filter asks for from a moment on, as a query. `since` in milliseconds since 1970. */
export function searchSince(filter: LogFilter, since: number | undefined, nameOf?: NameOf): string {
  const range = since === undefined ? {} : { from: isoOf(since) };
  return printSearch({ filter, range }, nameOf);
}

/**
 * What an alert rule looked at when it was evaluated last: its workload on its server, over its window
 * before the evaluation.
 */
export function searchForRule(
  { deployableId, evaluatedAt, condition }: AlertRule,
  serverId: string | undefined,
  nameOf?: NameOf,
): string {
  const filter: LogFilter = {
    ...(deployableId !== undefined && isId(deployableId) ? { workloadIds: [deployableId] } : {}),
    ...(serverId !== undefined && isId(serverId) ? { serverIds: [serverId] } : {}),
  };
  const seconds = condition?.windowSeconds ?? condition?.http?.intervalSeconds;
  const window =
    seconds === undefined || !(seconds > 0)
      ? defaultWindow
      : Math.min(seconds * second, longestWindow);
  const end = Date.parse(evaluatedAt ?? '');
  if (Number.isNaN(end)) {
    return printSearch({ filter, range: { last: `${Math.ceil(window / second)}s` } }, nameOf);
  }
  const range = { from: isoOf(end - window), to: isoOf(end) };
  return printSearch({ filter, range }, nameOf);
}

function isoOf(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}
