/** How much attention a state needs: 0 unknown, 1 good, 2 under way, 3 doubtful, 4 failed. */
type Rank = 0 | 1 | 2 | 3 | 4;

/** Codicon, theme colour (empty: that of text), rank. */
export type StateIcon = readonly [icon: string, color: string, rank: Rank];

/** The icons of the states of one kind of object, by `keyOf` the state. */
export type StateIcons = Readonly<Record<string, StateIcon>>;

/** The icon of an unknown state. */
export const neutral: StateIcon = ['circle-large-outline', '', 0];

export const good: StateIcon = ['pass-filled', 'testing.iconPassed', 1];
export const busy: StateIcon = ['sync~spin', 'charts.blue', 2];
export const waiting: StateIcon = ['clock', 'testing.iconQueued', 2];
export const doubtful: StateIcon = ['warning', 'list.warningForeground', 3];
const wrong: StateIcon = ['error', 'testing.iconFailed', 4];
export const off: StateIcon = ['circle-slash', 'disabledForeground', 0];

/*
 * The contract leaves every set of values open (its `openValueSets` assumption). An unknown value is
 * shown with its own text and the neutral icon. Keys are in lower case and without separators, so that
 * `timed_out`, `timed-out` and `timedOut` are the same.
 */

export const deploymentStates: StateIcons = {
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
export const operationStates: StateIcons = {
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
  failed: wrong,
  missing: wrong,
  disabled: off,
  none: neutral,
  unknown: neutral,
};

/** Evaluation states of alert rules, and states of HTTP checks. */
export const alertStates: StateIcons = {
  ok: good,
  normal: good,
  resolved: good,
  healthy: good,
  pending: ['clock', 'list.warningForeground', 3],
  nodata: ['question', '', 0],
  unknown: neutral,
  error: doubtful,
};

/** The same key for all spellings of a state. */
export function keyOf(state: string): string {
  return state.toLowerCase().replace(/[\s_-]+/g, '');
}

/** The final states of a table. They count even if no end time is given. */
function endStatesOf(table: StateIcons): ReadonlySet<string> {
  return new Set(
    Object.entries(table)
      .filter(([state, look]) => ![waiting, busy].includes(look) && state !== 'unknown')
      .map(([state]) => state),
  );
}

const endStates = endStatesOf(deploymentStates);
const operationEndStates = endStatesOf(operationStates);

/**
 * The evaluation states in which a rule fires. The contract names none: this is its `firingStates`
 * assumption. A rule in any other state does not fire.
 */
const firingStates = new Set(['firing', 'alerting', 'alarm', 'triggered', 'breached', 'critical']);

/** Whether a rule fires. A rule that is turned off never does. */
export function isFiring(rule: { evaluationState?: string; enabled?: boolean }): boolean {
  return rule.enabled !== false && firingStates.has(keyOf(rule.evaluationState ?? ''));
}

/** Whether a deployment has started and not ended. */
export function isRunning(deployment: {
  state?: string;
  startedAt?: string;
  finishedAt?: string;
}): boolean {
  const { state = '', startedAt, finishedAt } = deployment;
  return startedAt !== undefined && finishedAt === undefined && !endStates.has(keyOf(state));
}

/** Whether a deployment succeeded: by its state or, if that is unknown, because it ended without an error. */
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

/** Final states of deployments that may have succeeded before. */
const endedLater: ReadonlySet<string> = new Set(['superseded', 'rolledback']);

/** Whether the code of a deployment may have run, even if another deployment has replaced it since. */
export function mayHaveRun(deployment: Parameters<typeof hasSucceeded>[0]): boolean {
  return hasSucceeded(deployment) || endedLater.has(keyOf(deployment.state ?? ''));
}

/** Whether a deployment has ended: it has an end time or a final state. */
export function hasDeploymentEnded(deployment: { state?: string; finishedAt?: string }): boolean {
  return deployment.finishedAt !== undefined || endStates.has(keyOf(deployment.state ?? ''));
}

/** Whether an operation has ended. With an unknown state it is running until it has an end time. */
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

const stopped = new Set(['stopped', 'exited', 'completed']);

/** Whether the observed state is the desired one. True if either is unknown. */
export function isAsWanted(desired: string | undefined, observed: string | undefined): boolean {
  const [wanted, seen] = [keyOf(desired ?? ''), keyOf(observed ?? '')];
  if (wanted === '' || seen === '' || wanted === 'unknown' || seen === 'unknown') return true;
  return wanted === seen || (stopped.has(wanted) && stopped.has(seen));
}

/** Whether a state means that something does not run. */
export function isStopped(state: string | undefined): boolean {
  return stopped.has(keyOf(state ?? ''));
}
