import * as v from 'valibot';
import { StoredPerConnection } from '../connection/perConnection';
import { listOf, readStored, type Storage } from '../base/storedValue';
import type { ConnectionSession } from '../connection/session';
import type { EnvironmentTarget } from './environmentDeployments';

/** Names that many people give to what their users use. `non-prod` counts too: asking costs little. */
const production = /prod|(?<![a-z])(?:prd|live|main|master)(?![a-z])/i;

/** How many environments are remembered for a connection. */
const mostEnvironments = 100;

const environments = listOf(v.string(), mostEnvironments);

/** What decides whether a sync may be sent without a question. */
export interface SyncRequest {
  readonly target: EnvironmentTarget;
  /** The name from the API; undefined if it is not known. */
  readonly environmentName: string | undefined;
  /** Whether the user picked the environment from the list of the command. An argument is not a choice. */
  readonly isPicked: boolean;
  /** Whether another sync of the environment is running. */
  readonly isRunning: boolean;
  /** Whether the name of the source comes from the settings of the open folder. */
  readonly isNamedByFolder: boolean;
}

/** The environments of the current connection that the user does not want to be asked about. */
export interface SyncConsent {
  /** Whether the sync needs no question. */
  isGiven(request: SyncRequest): boolean;
  give({ target }: Pick<SyncRequest, 'target'>): void;
}

export function createSyncConsent(
  session: Pick<ConnectionSession, 'state'>,
  storage: Storage,
): SyncConsent {
  const stored = new StoredPerConnection(session, storage, 'syncsWithoutQuestion', (value) =>
    readStored(environments, value),
  );
  return {
    isGiven: (request) => canGiveConsent(request) && !!stored.value?.includes(keyOf(request)),
    give(request) {
      const key = keyOf(request);
      const others = (stored.value ?? []).filter((one) => one !== key);
      stored.set([key, ...others].slice(0, mostEnvironments));
    },
  };
}

/** Whether the user may choose not to be asked again. It is asked anew if the name changes. */
export function canGiveConsent(request: SyncRequest): boolean {
  const { environmentName, isPicked, isRunning, isNamedByFolder } = request;
  const isHarmless = environmentName !== undefined && !production.test(environmentName);
  return isHarmless && isPicked && !isRunning && !isNamedByFolder;
}

function keyOf({ target }: Pick<SyncRequest, 'target'>): string {
  return `${target.sourceId} ${target.environmentId}`.toLowerCase();
}
