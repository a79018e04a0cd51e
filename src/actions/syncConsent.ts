import * as v from 'valibot';
import { Emitter, type Event } from '../base/event';
import { listOf, readStored, type Storage } from '../base/storedValue';
import { StoredPerConnection } from '../connection/perConnection';
import type { Session } from '../connection/session';
import type { EnvironmentTarget } from './environmentDeployments';
import { isLikeProduction } from './targetNames';

/** How many environments are read of those that are stored for a connection. */
const mostEnvironments = 100;

const environments = listOf(v.string(), mostEnvironments);

/** What decides whether a sync may be sent without a question. */
export interface SyncRequest {
  readonly target: EnvironmentTarget;
  /** The name from the API; undefined if it is not known. */
  readonly environmentName: string | undefined;
  /** Whether the user picked the environment from the list of the command. An argument is not a choice. */
  readonly isPicked: boolean;
  /** Whether the sync would pause the automatic deployment of the environment. */
  readonly pausesDeployment: boolean;
  /** Whether another sync of the environment is running. */
  readonly isRunning: boolean;
  /** Whether the name of the source comes from the open folder or another program. */
  readonly isNamedByOthers: boolean;
}

/** The environments of the current connection that the user does not want to be asked about. */
export class SyncConsent {
  private readonly changes = new Emitter<void>();
  private readonly stored: StoredPerConnection<readonly string[]>;

  constructor(session: Pick<Session, 'state'>, storage: Storage) {
    this.stored = new StoredPerConnection(session, storage, 'syncsWithoutQuestion', (value) =>
      readStored(environments, value),
    );
  }

  /** Fires when the user gave one or took all back. */
  get onDidChange(): Event<void> {
    return this.changes.event;
  }

  /** Whether there is any. */
  get isAny(): boolean {
    return (this.stored.value ?? []).length > 0;
  }

  /** Whether a sync of the environment needs no question if nothing else speaks for one. */
  covers(target: EnvironmentTarget): boolean {
    return this.stored.value?.includes(keyOf(target)) ?? false;
  }

  /** Whether the sync needs no question. */
  isGiven(request: SyncRequest): boolean {
    return canGiveConsent(request) && this.covers(request.target);
  }

  give(target: EnvironmentTarget): void {
    const key = keyOf(target);
    const others = (this.stored.value ?? []).filter((one) => one !== key);
    this.stored.set([key, ...others]);
    this.changes.fire();
  }

  /** Every sync asks again. */
  withdraw(): void {
    this.stored.set(undefined);
    this.changes.fire();
  }
}

/** Whether the user may choose not to be asked again. It is asked anew if the name changes. */
export function canGiveConsent(request: SyncRequest): boolean {
  const { environmentName, isPicked, isRunning, isNamedByOthers, pausesDeployment } = request;
  const isHarmless = environmentName !== undefined && !isLikeProduction(environmentName);
  return isHarmless && isPicked && !isRunning && !isNamedByOthers && !pausesDeployment;
}

function keyOf({ sourceId, environmentId }: EnvironmentTarget): string {
  return `${sourceId} ${environmentId}`.toLowerCase();
}
