import type { Meaning } from '../data/states';

/** How much attention a state needs: 0 unknown, 1 good, 2 under way, 3 doubtful, 4 failed. */
type Rank = 0 | 1 | 2 | 3 | 4;

/** Codicon, theme colour (empty: that of text), rank. */
export type StateIcon = readonly [icon: string, color: string, rank: Rank];

/** The icons of the states of one kind of object, by `keyOf` the state. */
export type StateIcons = Readonly<Record<string, StateIcon>>;

/** The icon of an unknown state. */
export const neutral: StateIcon = ['circle-large-outline', '', 0];

const good: StateIcon = ['pass-filled', 'testing.iconPassed', 1];
/** What is good because nothing happens: it must not draw attention from what does. */
const quiet: StateIcon = ['pass', 'descriptionForeground', 1];
const busy: StateIcon = ['sync~spin', 'charts.blue', 2];
const waiting: StateIcon = ['clock', 'testing.iconQueued', 2];
export const doubtful: StateIcon = ['warning', 'list.warningForeground', 3];
const wrong: StateIcon = ['error', 'testing.iconFailed', 4];
export const off: StateIcon = ['circle-slash', 'disabledForeground', 0];

/*
 * The contract leaves every set of values open (its `openValueSets` assumption). An unknown value is
 * shown with its own text and the neutral icon. Keys are those of `keyOf`.
 */

/** The icons of deployments and operations by what their state means; some states have their own. */
export const workIcons: Readonly<
  Record<Meaning, { readonly icon: StateIcon; readonly own: StateIcons }>
> = {
  running: {
    icon: busy,
    own: { queued: waiting, pending: waiting, scheduled: waiting, waiting, accepted: waiting },
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
export const otherWorkIcons: StateIcons = {
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
  ok: quiet,
  normal: quiet,
  resolved: quiet,
  healthy: quiet,
  pending: ['clock', 'list.warningForeground', 3],
  nodata: ['question', '', 0],
  unknown: neutral,
  error: doubtful,
};
