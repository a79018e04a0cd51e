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
