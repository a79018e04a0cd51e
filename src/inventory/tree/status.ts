import type { NodeStatus } from './nodes';
import {
  alertStates,
  doubtful,
  keyOf,
  neutral,
  off,
  type StateIcon,
  type StateIcons,
} from './stateIcons';
import { isFiring } from '../states';
import type { Translate } from '../../text/textFormat';

/** Looks are shared: a long list has few states. */
const shared = new WeakMap<StateIcons, Map<string, NodeStatus>>();
/** More states than these are made up by a server that makes up each. */
const maxShared = 500;

/** How a state is shown, with its own text: what the table says of it, else a neutral icon. */
export function statusOf(table: StateIcons, state = ''): NodeStatus {
  const known = shared.get(table) ?? new Map<string, NodeStatus>();
  const found = known.get(state);
  if (found !== undefined) return found;
  const key = keyOf(state);
  const look = status((Object.hasOwn(table, key) ? table[key] : undefined) ?? neutral, state);
  if (known.size >= maxShared) known.clear();
  shared.set(table, known.set(state, look));
  return look;
}

/** How an alert rule or an HTTP check is shown. */
export function alertStatus(
  rule: { evaluationState?: string; enabled?: boolean; severity?: string },
  t: Translate,
): NodeStatus {
  const { evaluationState, enabled, severity } = rule;
  if (enabled === false) {
    const { words } = status(off, evaluationState);
    const states = [t('switched off'), ...(words === '' ? [] : [words])];
    return { ...plain('bell-slash', 'disabledForeground'), words: states.join(', '), states };
  }
  if (!isFiring(rule)) return statusOf(alertStates, evaluationState);
  const isMild = ['info', 'warning', 'low', 'minor'].includes(keyOf(severity ?? ''));
  const color = isMild ? 'list.warningForeground' : 'testing.iconFailed';
  return status(['bell-dot', color, isMild ? 3 : 4], evaluationState);
}

/** The look of something that has no state. */
export function plain(icon: string, color?: string): NodeStatus {
  return { icon, ...(color === undefined ? {} : { color }), words: '', states: [], rank: 0 };
}

/** Of several looks that which asks most to be looked at; the first of equals. */
export function worst(looks: readonly NodeStatus[]): NodeStatus | undefined {
  return looks.reduce<NodeStatus | undefined>(
    (found, look) => (found === undefined || look.rank > found.rank ? look : found),
    undefined,
  );
}

/** The mark of something doubtful, with what it is about. */
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
