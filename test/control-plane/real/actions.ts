import type { Operation } from '../../../src/api/types';
import { Failure } from '../failure';
import type { Key } from '../keys';
import type { Random } from '../random';
import type { Environment, Estate, Orphan, Row } from './estate';
import { uuidOf } from './estate';

const isoTime = (time: number): string => new Date(time).toISOString();

interface Times {
  readonly now: () => number;
  /** How long an action takes. */
  readonly stepSeconds: number;
}

interface CleanUp {
  readonly id: string;
  readonly at: number;
  readonly serverId: string;
  readonly requestedBy: string | null;
  readonly items: readonly Orphan[];
  readonly changes: object;
}

/** Who is named as the one that requested an action: a team's key is nobody. */
function requester({ ownerId }: Estate, { actor }: Key): string | null {
  return actor === 'team-key' ? null : ownerId;
}

/** Clean-ups of servers. What a clean-up has removed is no orphan any more. */
export class CleanUps {
  /** By server and idempotency key, of all keys of the workspace. */
  private readonly entries = new Map<string, CleanUp>();

  constructor(
    private readonly estate: Estate,
    private readonly random: Random,
    private readonly times: Times,
  ) {}

  /** The orphans of a server as its last check found them. */
  orphans(serverId: string): readonly Orphan[] {
    const removed = [...this.entries.values()]
      .filter((one) => one.serverId === serverId)
      .flatMap((one) => this.outcomeOf(one)?.cleaned ?? []);
    return (this.estate.orphans.get(serverId) ?? []).filter((one) => !removed.includes(one));
  }

  /**
   * Accepts a clean-up, or answers with the one of this idempotency key in its present state, whatever items it names.
   * An item whose name starts with `in-use` makes it fail.
   *
   * @throws 409 if an item is no orphan of the last check.
   */
  request(
    key: Key,
    serverId: string,
    idempotencyKey: string,
    items: readonly { readonly kind: string; readonly name: string }[],
  ): { operation: Operation; replayed: boolean } {
    const found = this.orphans(serverId);
    const asked = items.map(({ kind, name }) =>
      found.find((one) => one.kind === kind && one.name === name.trim()),
    );
    const orphans = asked.filter((one) => one !== undefined);
    if (orphans.length < items.length) {
      const message = 'The orphans have changed since they were listed. List them again.';
      throw new Failure(409, message, 'ORPHAN_SNAPSHOT_STALE');
    }
    const name = `${serverId} ${idempotencyKey.trim()}`;
    const known = this.entries.get(name);
    const entry = known ?? {
      id: this.random.uuid(),
      at: this.times.now(),
      serverId,
      requestedBy: requester(this.estate, key),
      items: orphans,
      changes: {},
    };
    this.entries.set(name, entry);
    return { operation: this.current(entry), replayed: known !== undefined };
  }

  all(): Operation[] {
    return [...this.entries.values()].map((entry) => this.current(entry));
  }

  changesOf(id: string): object | undefined {
    return [...this.entries.values()].find((entry) => entry.id === id)?.changes;
  }

  private endOf({ at }: CleanUp): number {
    return at + this.times.stepSeconds * 1000;
  }

  private outcomeOf(entry: CleanUp) {
    if (this.times.now() < this.endOf(entry)) return undefined;
    const stuck = entry.items.find(({ name }) => name.startsWith('in-use'));
    return { stuck, cleaned: stuck ? [] : entry.items, skipped: [] };
  }

  private current(entry: CleanUp): Operation {
    const { id, at, serverId, requestedBy, items, changes } = entry;
    const started = at + this.times.stepSeconds * 250;
    const isStarted = this.times.now() >= started;
    const outcome = this.outcomeOf(entry);
    const { stuck, cleaned = [], skipped = [] } = outcome ?? {};
    const state = outcome ? (stuck ? 'failed' : 'succeeded') : isStarted ? 'running' : 'queued';
    const changed = outcome ? this.endOf(entry) : isStarted ? started : at;
    const operation: Record<string, unknown> = {
      id,
      type: 'cleanup_orphans',
      state,
      phase: null,
      ...{ serverId, sourceId: null, resourceId: null, requestedBy },
      request: { type: 'cleanup_orphans', items },
      result: state === 'succeeded' ? { cleaned, skipped } : null,
      errorCode: stuck ? 'ORPHAN_IN_USE' : null,
      errorMessage: stuck ? `${stuck.name} is in use.` : null,
      createdAt: isoTime(at),
      updatedAt: isoTime(changed),
      startedAt: isStarted ? isoTime(started) : null,
      finishedAt: outcome ? isoTime(this.endOf(entry)) : null,
      ...{ deletedAt: null, cancelRequestedAt: null },
      ...changes,
    };
    return operation;
  }
}

interface Sync {
  readonly id: string;
  readonly at: number;
  readonly environment: Environment;
  readonly requestedBy: string | null;
  readonly keyId: string;
  readonly actor: string;
  readonly changes: object;
}

/** Syncs of environments, which import the configuration and deploy nothing. */
export class Syncs {
  private readonly entries: Sync[] = [];

  constructor(
    private readonly estate: Estate,
    private readonly random: Random,
    private readonly times: Times,
  ) {}

  /**
   * Each call queues one. By a caller who may not deploy, it pauses the automatic deployment of the environment.
   */
  request(key: Key, environment: Environment): Row {
    if (!key.permissions.has('deployment.create')) environment.row['autoDeployPaused'] = true;
    const entry: Sync = {
      id: this.random.uuid(),
      at: this.times.now(),
      environment,
      requestedBy: requester(this.estate, key),
      keyId: uuidOf(key.value),
      actor: key.actor,
      changes: {},
    };
    this.entries.push(entry);
    return this.row(entry);
  }

  /** The outcomes of the syncs of a source, newest first. */
  of(sourceId: string): Row[] {
    return this.entries
      .filter(({ environment }) => environment.source.id === sourceId)
      .map((entry) => this.outcome(entry))
      .reverse();
  }

  /** An environment with what its last sync says. */
  environmentRow({ id, row }: Environment): Row {
    const own = this.entries.filter(({ environment }) => environment.id === id);
    const last = own.at(-1);
    if (last === undefined) return row;
    const { status, finishedAt, issues } = this.row(last);
    const succeeded = own.filter((entry) => this.row(entry)['status'] === 'succeeded').at(-1);
    return {
      ...row,
      latestSuccessfulSyncId: succeeded?.id ?? row['latestSuccessfulSyncId'],
      latestSyncStatus: status,
      latestSyncFinishedAt: finishedAt,
      latestSyncIssues: issues ?? [],
    };
  }

  changesOf(id: string): object | undefined {
    return this.entries.find((entry) => entry.id === id)?.changes;
  }

  private row({ id, at, environment, requestedBy, keyId, actor, changes }: Sync): Row {
    const { source, issues } = environment;
    const ms = this.times.stepSeconds * 1000;
    const now = this.times.now();
    const isStarted = now >= at + ms / 4;
    const isOver = now >= at + ms;
    const ending = issues.length > 0 ? 'failed' : 'succeeded';
    const hasImported = isOver && issues.length === 0;
    return {
      id,
      sourceId: source.id,
      sourceEnvironmentId: environment.id,
      mappingRevision: environment.row['mappingRevision'],
      deployAfterSync: false,
      status: isOver ? ending : isStarted ? 'running' : 'queued',
      commitSha: isStarted ? source.revision : null,
      manifestDigest: hasImported ? `sha256:${source.revision}` : null,
      rawManifest: hasImported ? 'version: 2\n' : null,
      normalizedManifest: hasImported ? { version: 2 } : null,
      reconciliation: hasImported ? { created: 0, updated: 1, archived: 0 } : null,
      issues: isOver && issues.length > 0 ? issues : null,
      requestedBy,
      requestedByKeyId: keyId,
      requestedByActor: actor,
      startedAt: isStarted ? isoTime(at + ms / 4) : null,
      finishedAt: isOver ? isoTime(at + ms) : null,
      createdAt: isoTime(at),
      ...changes,
    };
  }

  private outcome(entry: Sync): Row {
    const { id, name, branch } = entry.environment;
    const row = this.row(entry);
    const shown = ['status', 'commitSha', 'manifestDigest', 'mappingRevision', 'issues'];
    const times = ['reconciliation', 'createdAt', 'startedAt', 'finishedAt'];
    return {
      id: entry.id,
      ...Object.fromEntries([...shown, ...times].map((member) => [member, row[member]])),
      environment: { id, name, branch },
    };
  }
}
