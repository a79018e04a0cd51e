import {
  busy,
  deploymentStates,
  good,
  keyOf,
  operationStates,
  waiting,
  type StateIcons,
} from './tree/stateIcons';

/** The states of a table after which nothing goes on, whether or not it is said when it ended. */
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
