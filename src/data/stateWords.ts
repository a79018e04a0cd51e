import { lazy, type Translate } from '../base/textFormat';
import { stateKey, stateMeaning } from './states';

/** How states are said, by `stateKey`. Several spellings of one state are said alike. */
type Said = Readonly<Record<string, (t: Translate) => string>>;

const work: Said = {
  queued: (t) => t('queued'),
  pending: (t) => t('pending'),
  scheduled: (t) => t('scheduled'),
  waiting: (t) => t('waiting'),
  accepted: (t) => t('accepted'),
  created: (t) => t('created'),
  starting: (t) => t('starting'),
  started: (t) => t('started'),
  building: (t) => t('building'),
  deploying: (t) => t('deploying'),
  running: (t) => t('running'),
  inprogress: (t) => t('in progress'),
  processing: (t) => t('processing'),
  removing: (t) => t('removing'),
  retrying: (t) => t('retrying'),
  cancelling: (t) => t('canceling'),
  canceling: (t) => t('canceling'),
  succeeded: (t) => t('succeeded'),
  succeededwithwarnings: (t) => t('succeeded with warnings'),
  success: (t) => t('succeeded'),
  successful: (t) => t('succeeded'),
  completed: (t) => t('completed'),
  complete: (t) => t('completed'),
  finished: (t) => t('finished'),
  done: (t) => t('done'),
  deployed: (t) => t('deployed'),
  ready: (t) => t('ready'),
  failed: (t) => t('failed'),
  failure: (t) => t('failed'),
  error: (t) => t('error'),
  errored: (t) => t('error'),
  timedout: (t) => t('timed out'),
  cancelled: (t) => t('canceled'),
  canceled: (t) => t('canceled'),
  aborted: (t) => t('aborted'),
  skipped: (t) => t('skipped'),
  expired: (t) => t('expired'),
  deleted: (t) => t('deleted'),
  superseded: (t) => t('superseded'),
  rolledback: (t) => t('rolled back'),
  replaced: (t) => t('replaced'),
  inactive: (t) => t('inactive'),
};

const steps: Said = {
  waitingforserver: (t) => t('waiting for the server'),
  preparing: (t) => t('preparing'),
  validatingcredentials: (t) => t('checking credentials'),
  checkingserver: (t) => t('checking the server'),
  fetchingsource: (t) => t('fetching the source'),
  resolvingsecrets: (t) => t('resolving secrets'),
  transferring: (t) => t('transferring'),
  runningpredeploy: (t) => t('running pre-deploy'),
  startingcandidate: (t) => t('starting the candidate'),
  checkinghealth: (t) => t('checking health'),
  configuringrouting: (t) => t('configuring routing'),
  provisioningtls: (t) => t('provisioning TLS'),
  checkingpublicendpoint: (t) => t('checking the public endpoint'),
  switchingtraffic: (t) => t('switching traffic'),
  runningpostdeploy: (t) => t('running post-deploy'),
  cleaningup: (t) => t('cleaning up'),
};

/** Of resources, their health, drift and ingress, and of alert rules, with how severe these are. */
const observed: Said = {
  restarting: (t) => t('restarting'),
  stopping: (t) => t('stopping'),
  paused: (t) => t('paused'),
  stopped: (t) => t('stopped'),
  exited: (t) => t('exited'),
  dead: (t) => t('dead'),
  crashed: (t) => t('crashed'),
  crashlooping: (t) => t('crash-looping'),
  missing: (t) => t('missing'),
  unknown: (t) => t('unknown'),
  healthy: (t) => t('healthy'),
  passing: (t) => t('passing'),
  degraded: (t) => t('degraded'),
  unhealthy: (t) => t('unhealthy'),
  failing: (t) => t('failing'),
  none: (t) => t('none'),
  insync: (t) => t('in sync'),
  synced: (t) => t('in sync'),
  drifted: (t) => t('drifted'),
  outofsync: (t) => t('out of sync'),
  notready: (t) => t('not ready'),
  reconnecting: (t) => t('reconnecting'),
  disabled: (t) => t('disabled'),
  ok: (t) => t('OK'),
  normal: (t) => t('normal'),
  resolved: (t) => t('resolved'),
  nodata: (t) => t('no data'),
  blocked: (t) => t('blocked'),
  firing: (t) => t('firing'),
  alerting: (t) => t('alerting'),
  alarm: (t) => t('alarm'),
  triggered: (t) => t('triggered'),
  breached: (t) => t('breached'),
  critical: (t) => t('critical'),
  warning: (t) => t('warning'),
  info: (t) => t('info'),
};

const said = lazy(() => new Map(Object.entries({ ...work, ...steps, ...observed })));

/** A state in the user's language; one that is not known as the server says it, untrusted. */
export function stateInWords(state: string, t: Translate): string {
  return said().get(stateKey(state))?.(t) ?? state.replaceAll('_', ' ');
}

/**
 * The state of a deployment or an operation in words. One of unknown meaning is named as a state, so that it is not
 * taken for a result. Untrusted.
 */
export function workText(state: string | undefined, t: Translate): string | undefined {
  if (state === undefined) return undefined;
  const words = stateInWords(state, t);
  return stateMeaning(state) === undefined ? t('in state {0}', words) : words;
}
