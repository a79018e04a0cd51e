import {
  busy,
  deploymentStates,
  good,
  keyOf,
  operationStates,
  waiting,
  type StateIcons,
} from './tree/stateIcons';

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
