import { isTimeSet } from '../api/utcTime';

/*
 * What the states of the API mean. The contract names no values: these tables are its `workStates` and
 * `firingStates` assumptions. How states look is in `trees/status.ts`.
 */

/** What a state of a deployment or an operation means. All but `running` are final. */
export const meanings = ['running', 'succeeded', 'failed', 'cancelled', 'replaced'] as const;
export type Meaning = (typeof meanings)[number];

const words: Readonly<Record<Meaning, string>> = {
  running:
    'queued pending scheduled waiting accepted created starting started building deploying running ' +
    'inprogress processing removing deleting retrying cancelling canceling ' +
    // The steps of a deployment.
    'waitingforserver preparing validatingcredentials checkingserver fetchingsource resolvingsecrets transferring ' +
    'runningpredeploy startingcandidate checkinghealth configuringrouting provisioningtls checkingpublicendpoint ' +
    'switchingtraffic runningpostdeploy cleaningup',
  succeeded:
    'succeeded succeededwithwarnings success successful completed complete finished done deployed live ready ' +
    // What a preview is if the deployment that it runs is one of these.
    'healthy',
  failed: 'failed failure error errored timedout cleanupfailed',
  cancelled: 'cancelled canceled aborted skipped expired deleted',
  /** Another deployment has taken its place, whether it ran before or not: `hasRun` in deployments.ts tells. */
  replaced: 'superseded rolledback replaced inactive',
};

/** By the key of the state. */
type Meanings = ReadonlyMap<string, Meaning>;

const assumed: Meanings = new Map(
  meanings.flatMap((meaning) => words[meaning].split(' ').map((key) => [key, meaning] as const)),
);

let own: Meanings = new Map();

/** Longer than a word for a state, in UTF-16 units: the rest says nothing, and a row reads its states many times. */
const longestState = 200;

/** The same key for all spellings of a state: `timed_out`, `timed-out` and `timedOut`. */
export function stateKey(state: string): string {
  return state
    .slice(0, longestState)
    .toLowerCase()
    .replace(/[\s_-]+/g, '');
}

/**
 * Sets what the states of this control plane mean, where that differs from what is assumed.
 *
 * @param states the value of the setting `controlPlane.api.states`: state to meaning. Anything else in
 *   it is ignored.
 */
export function setOwnMeanings(states: Readonly<Record<string, unknown>>): void {
  own = new Map(
    Object.entries(states).flatMap(([state, given]): [string, Meaning][] => {
      const meaning = meanings.find((one) => one === given);
      return meaning === undefined ? [] : [[stateKey(state), meaning]];
    }),
  );
}

/** Undefined if the meaning of a state is not known. */
export function stateMeaning(state = ''): Meaning | undefined {
  const key = stateKey(state);
  return own.get(key) ?? assumed.get(key);
}

/** A deployment or an operation, as far as it says whether it has ended. */
interface Work {
  readonly state?: string;
  readonly finishedAt?: string;
  /** Only of an operation. */
  readonly deletedAt?: string;
}

/**
 * Whether a deployment or an operation has ended: it has an end time or a final state. If the meaning
 * of its state is not known and it has no end time, only watching can tell.
 */
export function hasEnded({ state, finishedAt, deletedAt }: Work): boolean {
  const meaning = stateMeaning(state);
  const isFinal = meaning !== undefined && meaning !== 'running';
  return finishedAt !== undefined || isTimeSet(deletedAt ?? '') || isFinal;
}

/** Whether a deployment has started and not ended. */
export function isRunning(deployment: Work & { readonly startedAt?: string }): boolean {
  return deployment.startedAt !== undefined && !hasEnded(deployment);
}

/**
 * Whether a deployment succeeded: its state says so. A word whose meaning is not known never does, nor does an end
 * without an error.
 */
export function hasSucceeded({ state }: Pick<Work, 'state'>): boolean {
  return stateMeaning(state) === 'succeeded';
}

/** The evaluation states in which a rule fires. A rule in any other state does not fire. */
const firingStates = new Set(['firing', 'alerting', 'alarm', 'triggered', 'breached', 'critical']);

let ownFiring: ReadonlyMap<string, boolean> = new Map();

/**
 * Sets in which evaluation states rules of this control plane fire, where that differs from what is assumed.
 *
 * @param states the value of the setting `controlPlane.api.firingStates`: state to whether a rule fires in it. Anything
 *   else in it is ignored.
 */
export function setOwnFiringStates(states: Readonly<Record<string, unknown>>): void {
  ownFiring = new Map(
    Object.entries(states).flatMap(([state, fires]): [string, boolean][] =>
      typeof fires === 'boolean' ? [[stateKey(state), fires]] : [],
    ),
  );
}

/** Whether a rule fires. A rule that is turned off never does. */
export function isFiring(rule: { evaluationState?: string; enabled?: boolean }): boolean {
  const key = stateKey(rule.evaluationState ?? '');
  return rule.enabled !== false && (ownFiring.get(key) ?? firingStates.has(key));
}

const stopped = new Set(['stopped', 'exited', 'completed']);

/** Whether the observed state is the desired one. True if either is unknown. */
export function isAsWanted(desired: string | undefined, observed: string | undefined): boolean {
  const [wanted, seen] = [stateKey(desired ?? ''), stateKey(observed ?? '')];
  if (wanted === '' || seen === '' || wanted === 'unknown' || seen === 'unknown') return true;
  return wanted === seen || (stopped.has(wanted) && stopped.has(seen));
}

/** Whether a state means that something does not run. */
export function isStopped(state: string | undefined): boolean {
  return stopped.has(stateKey(state ?? ''));
}
