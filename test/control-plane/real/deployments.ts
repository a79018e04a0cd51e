import { hour, minute, second } from '../../../src/base/clock';
import type { DeploymentStep } from '../deployments';
import type { Random } from '../random';
import type { World } from '../world';
import type { Deployable, Estate } from './estate';
import { endStates } from './schemas';

type Given = Readonly<Record<string, unknown>>;

interface Step {
  readonly at: number;
  readonly state: string;
  readonly members?: Given | undefined;
}

/** A deployment, its states over time, and its members that a test has changed. */
interface Entry {
  readonly deployment: Given & { readonly id: string; readonly sourceId: string };
  readonly steps: readonly Step[];
  readonly isLater: boolean;
  readonly changes: Record<string, unknown>;
}

const isoTime = (time: number): string => new Date(time).toISOString();
/** How the deployments before the newest one ended: what was replaced stays a success. */
const earlier = ['succeeded_with_warnings', 'failed', 'succeeded', 'skipped', 'cancelled'];

/** Deployments of what is no preview, which are all that is listed. */
export class RealDeployments {
  private readonly byDeployable: ReadonlyMap<string, Entry[]>;

  constructor(
    private readonly estate: Estate,
    private readonly world: World,
    private readonly random: Random,
    private readonly now: () => number,
  ) {
    this.byDeployable = new Map(
      estate.deployables.map((one, index) => [one.id, this.history(one, index)]),
    );
  }

  /** Newest first. */
  of(deployableId: string): object[] {
    return this.sorted(this.byDeployable.get(deployableId) ?? []);
  }

  /** All of a source, or of the workspace, newest first. */
  all(sourceId?: string): object[] {
    const entries = [...this.byDeployable.values()].flat();
    return this.sorted(
      entries.filter(({ deployment }) => (sourceId ?? deployment.sourceId) === deployment.sourceId),
    );
  }

  deploy(deployableId: string, given: Given, steps: readonly DeploymentStep[]): string {
    const deployable = this.estate.deployables.find(({ id }) => id === deployableId);
    const entries = this.byDeployable.get(deployableId);
    if (!deployable || !entries)
      throw new Error(`There is nothing to deploy with the id ${deployableId}.`);
    const now = this.now();
    const entry: Entry = {
      deployment: { ...this.create(deployable, now), ...given },
      steps: steps.map(({ afterSeconds, ...step }) => ({
        ...step,
        at: now + afterSeconds * second,
      })),
      isLater: true,
      changes: {},
    };
    entries.push(entry);
    return entry.deployment.id;
  }

  running(deployableId: string): string | undefined {
    const entries = this.byDeployable.get(deployableId) ?? [];
    return entries
      .filter((entry) => entry.isLater && this.current(entry)['state'] === 'succeeded')
      .at(-1)?.deployment.id;
  }

  changesOf(id: string): object | undefined {
    return [...this.byDeployable.values()].flat().find(({ deployment }) => deployment.id === id)
      ?.changes;
  }

  private sorted(entries: readonly Entry[]): object[] {
    const created = (one: Given): string => String(one['createdAt']);
    return entries
      .map((entry) => this.current(entry))
      .sort((a, b) => (created(a) < created(b) ? 1 : -1));
  }

  private current({ deployment, steps, changes }: Entry): Given {
    const past = steps.filter(({ at }) => at <= this.now());
    const last = past.at(-1);
    const started = past.find(({ state }) => state !== 'queued');
    const isOver = last !== undefined && (endStates as readonly string[]).includes(last.state);
    const whole: Given = {
      ...deployment,
      state: last?.state ?? 'queued',
      updatedAt: last ? isoTime(last.at) : deployment['createdAt'],
      startedAt: started ? isoTime(started.at) : null,
      finishedAt: isOver ? isoTime(last.at) : null,
      ...past.reduce<Given>((all, { members }) => ({ ...all, ...members }), {}),
      ...changes,
    };
    const isByHand = this.requestedByHand(whole);
    const trigger = whole['kind'] === 'rollback' ? 'rollback' : isByHand ? 'manual' : 'auto_deploy';
    return { ...whole, trigger };
  }

  /** What a test gives as a trigger is only a hint: the server computes it. */
  private requestedByHand({ trigger }: Given): boolean {
    return trigger === 'manual';
  }

  private create({ id, kind, server, environment }: Deployable, at: number) {
    const { source } = environment;
    return {
      id: this.random.uuid(),
      appId: id,
      serverId: server.id,
      sourceId: source.id,
      commitSha: this.random.hex(40),
      manifestDigest: `sha256:${this.random.hex(64)}`,
      deployableKind: kind,
      // Of every deployment that is no preview, whatever its environment is called.
      environment: 'production',
      kind: 'deploy',
      createdAt: isoTime(at),
      targetEnvironment: {
        ...{ id: environment.id, name: environment.name, branch: environment.branch },
        mappingRevision: environment.row['mappingRevision'],
      },
      ...{ errorCode: null, errorMessage: null, gitRef: null, hostname: null },
      imageDigest: `sha256:${this.random.hex(64)}`,
      imagePlatform: 'linux/amd64',
      sourceInputDigest: `sha256:${this.random.hex(64)}`,
      githubDeploymentId: String(1_000_000 + this.random.int(9_000_000)),
    };
  }

  private history(deployable: Deployable, index: number): Entry[] {
    const { releases, startedAt } = this.world;
    const past = Array.from(
      { length: Math.max(3, deployable.deploymentIds.length) },
      (_, age): Entry => {
        const release = deployable.deploymentIds.length > 1 ? releases[age] : undefined;
        const hours = age * 31 + index * 2 + this.random.int(20) + 1;
        const at = startedAt - (release?.hoursAgo ?? hours) * hour;
        const isNewest = age === 0;
        const state = isNewest || release ? 'succeeded' : earlier[(age + index) % earlier.length]!;
        const created = this.create(deployable, at);
        const id = deployable.deploymentIds[age] ?? created.id;
        const { revision } = deployable.environment.source;
        const deployment = {
          ...created,
          id,
          commitSha: release?.sha ?? (isNewest ? revision : created.commitSha),
          trigger: this.random.pick(['auto_deploy', 'manual']),
          kind: age === 1 && index % 4 === 0 ? 'rollback' : 'deploy',
          ...endOf(state),
        };
        return {
          deployment,
          steps: [
            { at: at + 20 * second, state: 'building' },
            { at: at + 90 * second, state },
          ],
          isLater: false,
          changes: {},
        };
      },
    );
    if (deployable.name !== 'search' || releases.length > 0) return past;
    // One rollout is in progress, and stays so.
    const begun = startedAt - 7 * minute;
    const deployment = { ...this.create(deployable, begun), trigger: 'manual' };
    const steps = [{ at: begun + second, state: 'waiting_for_server' }];
    return [{ deployment, steps, isLater: false, changes: {} }, ...past];
  }
}

function endOf(state: string): Given {
  if (state === 'failed') {
    return { errorCode: 'HEALTH_CHECK_FAILED', errorMessage: 'No healthy answer within 120 s.' };
  }
  if (state === 'skipped') {
    return {
      errorCode: 'DEPLOYMENT_SUPERSEDED',
      errorMessage: 'A newer deployment was requested.',
    };
  }
  return {};
}
