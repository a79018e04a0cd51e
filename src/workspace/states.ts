import type { NodeStatus } from './nodes';
import type { Translate } from './translate';

/**
 * How much a state asks to be looked at: 0 nothing is known or to be said, 1 good, 2 under way,
 * 3 doubtful, 4 wrong.
 */
type Rank = 0 | 1 | 2 | 3 | 4;

/** Codicon, theme colour (empty: that of text), rank. */
type Look = readonly [icon: string, color: string, rank: Rank];

type Table = Readonly<Record<string, Look>>;

/** The icon of a state that is not known: it says nothing of good or bad. */
const neutral: Look = ['circle-large-outline', '', 0];

const good: Look = ['pass-filled', 'testing.iconPassed', 1];
const busy: Look = ['sync~spin', 'charts.blue', 2];
const waiting: Look = ['clock', 'testing.iconQueued', 2];
const doubtful: Look = ['warning', 'list.warningForeground', 3];
const wrong: Look = ['error', 'testing.iconFailed', 4];
const off: Look = ['circle-slash', 'disabledForeground', 0];

/*
 * The contract leaves every set of values open (its `openValueSets` assumption). What a table does
 * not hold is shown with its own text and the neutral icon. Keys are in lower case, without
 * separators: `timed_out`, `timed-out` and `timedOut` are one.
 */

export const deploymentStates: Table = {
  queued: waiting,
  pending: waiting,
  scheduled: waiting,
  building: busy,
  deploying: busy,
  running: busy,
  inprogress: busy,
  started: busy,
  cancelling: busy,
  succeeded: good,
  success: good,
  completed: good,
  failed: wrong,
  error: wrong,
  timedout: wrong,
  cancelled: off,
  canceled: off,
  superseded: ['history', 'disabledForeground', 0],
  rolledback: ['discard', 'list.warningForeground', 3],
  skipped: off,
};

/** States of an operation: an asynchronous action such as a clean-up. */
export const operationStates: Table = {
  ...deploymentStates,
  accepted: waiting,
  retrying: busy,
  removing: busy,
  canceling: busy,
  finished: good,
  done: good,
  aborted: off,
  expired: ['history', 'list.warningForeground', 3],
  deleted: ['trash', 'disabledForeground', 0],
  unknown: ['question', 'list.warningForeground', 3],
};

/** The states of a table after which nothing goes on, whether or not it is said when it ended. */
function endStatesOf(table: Table): ReadonlySet<string> {
  return new Set(
    Object.entries(table)
      .filter(([state, look]) => ![waiting, busy].includes(look) && state !== 'unknown')
      .map(([state]) => state),
  );
}

const endStates = endStatesOf(deploymentStates);
const operationEndStates = endStatesOf(operationStates);

/** What was observed of a resource, or is wanted. */
export const runtimeStates: Table = {
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

export const healthStates: Table = {
  healthy: good,
  passing: good,
  starting: busy,
  degraded: doubtful,
  unhealthy: wrong,
  failing: wrong,
  none: neutral,
  unknown: neutral,
};

export const driftStates: Table = {
  none: good,
  insync: good,
  synced: good,
  drifted: doubtful,
  outofsync: doubtful,
  unknown: neutral,
};

export const ingressStates: Table = {
  ready: good,
  healthy: good,
  running: good,
  pending: waiting,
  starting: busy,
  degraded: doubtful,
  notready: doubtful,
  failed: wrong,
  missing: wrong,
  disabled: off,
  none: neutral,
  unknown: neutral,
};

/** Evaluation states of alert rules, and states of HTTP checks. */
export const alertStates: Table = {
  ok: good,
  normal: good,
  resolved: good,
  healthy: good,
  pending: ['clock', 'list.warningForeground', 3],
  nodata: ['question', '', 0],
  unknown: neutral,
  error: doubtful,
};

/**
 * Evaluation states that mean that a rule fires. The contract names none, so this is its
 * `firingStates` assumption; every other state does not fire.
 */
const firingStates = new Set(['firing', 'alerting', 'alarm', 'triggered', 'breached', 'critical']);

/** Whether a rule fires: never while it is switched off. */
export function isFiring(rule: { evaluationState?: string; enabled?: boolean }): boolean {
  return rule.enabled !== false && firingStates.has(keyOf(rule.evaluationState ?? ''));
}

/** Whether a deployment has started and not come to its end. */
export function isRunning(deployment: {
  state?: string;
  startedAt?: string;
  finishedAt?: string;
}): boolean {
  const { state = '', startedAt, finishedAt } = deployment;
  return startedAt !== undefined && finishedAt === undefined && !endStates.has(keyOf(state));
}

/**
 * Whether what a deployment brought is there since: its state says so, or, where that is none that is
 * known, it has ended and names no error.
 */
export function hasSucceeded(deployment: {
  state?: string;
  finishedAt?: string;
  errorCode?: string;
  errorMessage?: string;
}): boolean {
  const { state = '', finishedAt, errorCode = '', errorMessage = '' } = deployment;
  const key = keyOf(state);
  if (Object.hasOwn(deploymentStates, key)) return deploymentStates[key] === good;
  return finishedAt !== undefined && errorCode === '' && errorMessage === '';
}

/** What has ended in these may have run before. */
const endedLater: ReadonlySet<string> = new Set(['superseded', 'rolledback']);

/** Whether what a deployment brought may have run, be it that something has taken its place since. */
export function mayHaveRun(deployment: Parameters<typeof hasSucceeded>[0]): boolean {
  return hasSucceeded(deployment) || endedLater.has(keyOf(deployment.state ?? ''));
}

/** Whether a deployment has come to its end, as far as it says. */
export function hasDeploymentEnded(deployment: { state?: string; finishedAt?: string }): boolean {
  return deployment.finishedAt !== undefined || endStates.has(keyOf(deployment.state ?? ''));
}

/** Whether an operation has come to its end; a state that nobody knows goes on until it says when. */
export function hasOperationEnded(operation: {
  state?: string;
  finishedAt?: string;
  deletedAt?: string;
}): boolean {
  const { state = '', finishedAt, deletedAt } = operation;
  return (
    finishedAt !== undefined || deletedAt !== undefined || operationEndStates.has(keyOf(state))
  );
}

/** Looks are shared: a long list has few states. */
const shared = new WeakMap<Table, Map<string, NodeStatus>>();
/** More states than these are made up by a server that makes up each. */
const maxShared = 500;

/** How a state is shown, with its own text: what the table says of it, else a neutral icon. */
export function statusOf(table: Table, state = ''): NodeStatus {
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

const stopped = new Set(['stopped', 'exited', 'completed']);

/** Whether what is observed is what is wanted; where either is not known, nothing speaks against it. */
export function isAsWanted(desired: string | undefined, observed: string | undefined): boolean {
  const [wanted, seen] = [keyOf(desired ?? ''), keyOf(observed ?? '')];
  if (wanted === '' || seen === '' || wanted === 'unknown' || seen === 'unknown') return true;
  return wanted === seen || (stopped.has(wanted) && stopped.has(seen));
}

/** Whether a state says that something does not run. */
export function isStopped(state: string | undefined): boolean {
  return stopped.has(keyOf(state ?? ''));
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

function status([icon, color, rank]: Look, state: string | undefined): NodeStatus {
  const words = state ?? '';
  return {
    icon,
    ...(color === '' ? {} : { color }),
    words,
    states: words === '' ? [] : [words],
    rank,
  };
}

/** The same for the same state, however it is written. */
function keyOf(state: string): string {
  return state.toLowerCase().replace(/[\s_-]+/g, '');
}
