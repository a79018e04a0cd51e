import type { Translate } from '../base/textFormat';
import {
  alertStates,
  doubtful,
  neutral,
  off,
  otherWorkIcons,
  type StateIcon,
  type StateIcons,
  workIcons,
} from './stateIcons';
import { isFiring, keyOf, meaningOf } from '../data/states';
import type { NodeStatus } from './nodes';

/** Shared, because a long list has few different states. */
const shared = new WeakMap<StateIcons, Map<string, NodeStatus>>();
/** Limits what a server with ever new states can fill. */
const maxShared = 500;

/** The status of a deployment or an operation. */
export function workStatus(state?: string): NodeStatus {
  const meaning = meaningOf(state);
  if (meaning === undefined) return statusOf(otherWorkIcons, state);
  const { own, icon } = workIcons[meaning];
  return statusOf(own, state, icon);
}

/** The status of a state with its own text: the icon of the table, otherwise that of all others. */
export function statusOf(table: StateIcons, state = '', other = neutral): NodeStatus {
  const known = shared.get(table) ?? new Map<string, NodeStatus>();
  const found = known.get(state);
  if (found !== undefined) return found;
  const key = keyOf(state);
  const made = status((Object.hasOwn(table, key) ? table[key] : undefined) ?? other, state);
  if (known.size >= maxShared) known.clear();
  shared.set(table, known.set(state, made));
  return made;
}

/** The status of an alert rule. */
export function alertStatus(
  rule: { evaluationState?: string; enabled?: boolean; severity?: string },
  t: Translate,
): NodeStatus {
  const { evaluationState, enabled, severity } = rule;
  if (enabled === false) {
    const { words } = status(off, evaluationState);
    const states = [t('off'), ...(words === '' ? [] : [words])];
    return { ...plain('bell-slash', 'disabledForeground'), words: states.join(', '), states };
  }
  if (!isFiring(rule)) return statusOf(alertStates, evaluationState);
  const isMild = ['info', 'warning', 'low', 'minor'].includes(keyOf(severity ?? ''));
  const color = isMild ? 'list.warningForeground' : 'testing.iconFailed';
  return status(['bell-dot', color, isMild ? 3 : 4], evaluationState);
}

/** The status of something without a state. */
export function plain(icon: string, color?: string): NodeStatus {
  return { icon, ...(color === undefined ? {} : { color }), words: '', states: [], rank: 0 };
}

/** The status of a row with something failing below it. */
export function failed(icon: string, words: string): NodeStatus {
  return { ...plain(icon, 'testing.iconFailed'), words, rank: 4 };
}

/** The status with the highest rank; the first of equals. */
export function worst(statuses: readonly NodeStatus[]): NodeStatus | undefined {
  return statuses.reduce<NodeStatus | undefined>(
    (found, one) => (found === undefined || one.rank > found.rank ? one : found),
    undefined,
  );
}

/** The status of something doubtful, with the reason in words. */
export function warning(words: string): NodeStatus {
  return status(doubtful, words);
}

function status([icon, color, rank]: StateIcon, state: string | undefined): NodeStatus {
  const words = state ?? '';
  return {
    icon,
    ...(color === '' ? {} : { color }),
    words,
    states: words === '' ? [] : [words],
    rank,
  };
}
