import { BoundedMap } from '../base/boundedMap';
import { getOrMake } from '../base/maps';
import type { Translate } from '../base/textFormat';
import { isFiring, type Meaning, stateKey, stateMeaning } from '../data/states';
import { stateInWords } from '../data/stateWords';
import type { NodeStatus } from './nodes';

/** How much attention a state needs: 0 unknown, 1 good, 2 under way, 3 doubtful, 4 failed. */
type Rank = 0 | 1 | 2 | 3 | 4;

/** Codicon, theme colour (empty: that of text), rank. */
type StateIcon = readonly [icon: string, color: string, rank: Rank];

/** The icons of the states of one kind of object, by `stateKey` of the state. */
type StateIcons = Readonly<Record<string, StateIcon>>;

const neutral: StateIcon = ['circle-large-outline', '', 0];

const good: StateIcon = ['pass-filled', 'testing.iconPassed', 1];
/** What is good because nothing happens: it must not draw attention from what does. */
const quiet: StateIcon = ['pass', 'descriptionForeground', 1];
const busy: StateIcon = ['sync~spin', 'charts.blue', 2];
const waiting: StateIcon = ['clock', 'testing.iconQueued', 2];
const doubtful: StateIcon = ['warning', 'list.warningForeground', 3];
const wrong: StateIcon = ['error', 'testing.iconFailed', 4];
const off: StateIcon = ['circle-slash', 'disabledForeground', 0];

/*
 * The contract leaves every set of values open (its `openValueSets` assumption). An unknown value is
 * shown with its own text and the neutral icon. Keys are those of `stateKey`.
 */

/** The icons of deployments and operations by what their state means; some states have their own. */
const workIcons: Readonly<Record<Meaning, { readonly icon: StateIcon; readonly own: StateIcons }>> =
  {
    running: {
      icon: busy,
      own: {
        queued: waiting,
        pending: waiting,
        scheduled: waiting,
        waiting,
        accepted: waiting,
        waitingforserver: waiting,
      },
    },
    succeeded: { icon: good, own: {} },
    failed: { icon: wrong, own: {} },
    cancelled: {
      icon: off,
      own: {
        expired: ['history', 'list.warningForeground', 3],
        deleted: ['trash', 'disabledForeground', 0],
      },
    },
    replaced: {
      icon: ['history', 'disabledForeground', 0],
      own: { rolledback: ['discard', 'list.warningForeground', 3] },
    },
  };

/** The icons of states of deployments and operations whose meaning is not known. */
const otherWorkIcons: StateIcons = {
  unknown: ['question', 'list.warningForeground', 3],
};

/** Observed and desired states of a resource. */
export const runtimeStates: StateIcons = {
  running: good,
  starting: busy,
  created: waiting,
  restarting: doubtful,
  stopping: busy,
  paused: off,
  stopped: off,
  exited: off,
  scheduled: waiting,
  completed: good,
  dead: wrong,
  crashed: wrong,
  crashlooping: wrong,
  failed: wrong,
  missing: wrong,
  unknown: neutral,
};

export const healthStates: StateIcons = {
  healthy: good,
  passing: good,
  starting: busy,
  degraded: doubtful,
  unhealthy: wrong,
  failing: wrong,
  none: neutral,
  unknown: neutral,
};

export const driftStates: StateIcons = {
  none: good,
  insync: good,
  synced: good,
  drifted: doubtful,
  outofsync: doubtful,
  unknown: neutral,
};

export const ingressStates: StateIcons = {
  ready: good,
  healthy: good,
  running: good,
  pending: waiting,
  starting: busy,
  degraded: doubtful,
  notready: doubtful,
  reconnecting: doubtful,
  stopped: doubtful,
  failed: wrong,
  missing: wrong,
  disabled: off,
  none: neutral,
  unknown: neutral,
};

/** Evaluation states of alert rules, and states of HTTP checks. */
const alertStates: StateIcons = {
  ok: quiet,
  normal: quiet,
  resolved: quiet,
  healthy: quiet,
  pending: ['clock', 'list.warningForeground', 3],
  nodata: ['question', '', 0],
  unknown: neutral,
  error: doubtful,
  // Of a check: its request was not answered as expected, or was not allowed.
  failed: doubtful,
  blocked: doubtful,
};

/** Shared, because a long list has few different states. */
const shared = new WeakMap<StateIcons, BoundedMap<string, NodeStatus>>();
/** Limits what a server with ever new states can fill. */
const maxShared = 500;

/** The status of a deployment or an operation. */
export function workStatus(state?: string): NodeStatus {
  const meaning = stateMeaning(state);
  if (meaning === undefined) return stateStatus(otherWorkIcons, state);
  const { own, icon } = workIcons[meaning];
  return stateStatus(own, state, icon);
}

/** The status of the row of a deployment, with its state in words. */
export function deploymentStatus(state: string | undefined, t: Translate): NodeStatus {
  return inWords(workStatus(state), state, t);
}

/** A status that says its state in the user's language. */
function inWords(look: NodeStatus, state: string | undefined, t: Translate): NodeStatus {
  if (state === undefined) return look;
  const words = stateInWords(state, t);
  return words === look.words ? look : { ...look, words, states: [words] };
}

/** The status of a state with its own text: the icon of the table, otherwise that of all others. */
export function stateStatus(table: StateIcons, state = '', other = neutral): NodeStatus {
  const known = getOrMake(shared, table, () => new BoundedMap<string, NodeStatus>(maxShared));
  return getOrMake(known, state, () => {
    const key = stateKey(state);
    const icon = Object.hasOwn(table, key) ? table[key] : undefined;
    return status(icon ?? other, state);
  });
}

export function alertStatus(
  rule: { evaluationState?: string; enabled?: boolean; severity?: string },
  t: Translate,
): NodeStatus {
  const { evaluationState, enabled, severity } = rule;
  if (enabled === false) {
    const states = [
      t('off'),
      ...(evaluationState === undefined ? [] : [stateInWords(evaluationState, t)]),
    ];
    return { ...plain('bell-slash', 'disabledForeground'), words: states.join(', '), states };
  }
  if (!isFiring(rule)) {
    return inWords(stateStatus(alertStates, evaluationState), evaluationState, t);
  }
  const isMild = ['info', 'warning', 'low', 'minor'].includes(stateKey(severity ?? ''));
  const color = isMild ? 'list.warningForeground' : 'testing.iconFailed';
  return inWords(status(['bell-dot', color, isMild ? 3 : 4], evaluationState), evaluationState, t);
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
