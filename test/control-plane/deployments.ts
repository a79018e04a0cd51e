import type { Deployment } from '../../src/api/types';
import type { Members } from './admin';
import type { Random } from './random';
import type { Source, Workload, World } from './world';

/** A state that a deployment has from a time on. */
export interface DeploymentStep {
  readonly afterSeconds: number;
  readonly state: string;
  /** Members that it has from then on, such as the code of an error. */
  readonly members?: Members;
}

/** A deployment and its states over time. */
interface Entry {
  readonly deployment: Deployment;
  /** Members that a test has changed. */
  changes?: Members;
  readonly plan: readonly {
    readonly at: number;
    readonly state: string;
    readonly members?: Members | undefined;
  }[];
}

export interface Deployments {
  /** The deployments of a resource in their current state, newest first. */
  list(resourceId: string): Deployment[];
  /** Starts one for every app of the source; each passes through its states from now on. */
  sync(source: Source): Deployment[];
  /**
   * Starts one of an app or job, which passes through these steps from now on; returns its id.
   *
   * @param given its members that differ from the usual ones.
   */
  deploy(resourceId: string, given: Deployment, steps: readonly DeploymentStep[]): string;
  /** The id of the last deployment started here that runs; undefined while none does. */
  running(resourceId: string): string | undefined;
  /** Changes members of the deployment with this id; false if there is none. */
  change(id: string, members: Members): boolean;
}

const hour = 3_600_000;
/** How many each app and job has at the start. */
const earlier = 5;
const past = ['succeeded', 'superseded', 'failed', 'succeeded', 'cancelled', 'superseded'] as const;
const triggers = ['push', 'manual', 'push', 'rollback', 'schedule'] as const;
const finished: readonly string[] = ['succeeded', 'failed', 'cancelled', 'superseded'];

export function createDeployments(
  world: World,
  random: Random,
  options: { now: () => number; stepSeconds: number },
): Deployments {
  const byResource = new Map<string, Entry[]>();

  function create(workload: Workload, given: Deployment): Deployment {
    const { source, server, kind, id } = workload;
    return {
      id: random.uuid(),
      appId: id,
      commitSha: random.hex(40),
      gitRef: `refs/heads/${source.branch}`,
      codehostDeploymentId: String(1_000_000 + random.int(9_000_000)),
      hostname: `${workload.name}.shop.example`,
      imageDigest: `sha256:${random.hex(64)}`,
      imagePlatform: 'linux/amd64',
      manifestDigest: `sha256:${random.hex(64)}`,
      sourceInputDigest: `sha256:${random.hex(64)}`,
      serverId: server.id,
      sourceId: source.id,
      deployableKind: kind,
      environment: 'production',
      kind: 'deploy',
      targetEnvironment: {
        id: source.environmentId,
        name: 'production',
        branch: source.branch,
        mappingRevision: source.revision.slice(0, 12),
      },
      ...given,
    };
  }

  /** Five for each: the current one, older ones, and that of the preview if there is one. */
  function history(workload: Workload, index: number): Entry[] {
    const preview = world.previews.find((one) => one.workload === workload);
    return Array.from({ length: earlier }, (_, age) => {
      const release = world.releases[age];
      const hours = age * 31 + index * 2 + random.int(20) + 1;
      const at = world.startedAt - (release?.hoursAgo ?? hours) * hour;
      const state =
        age === 0 ? 'succeeded' : release ? 'superseded' : past[(age + index) % past.length]!;
      const deployment = create(workload, {
        createdAt: new Date(at).toISOString(),
        trigger: random.pick(triggers),
        ...(age === 0 ? { id: workload.deploymentId, commitSha: workload.source.revision } : {}),
        ...(release ? { id: workload.releaseIds[age], commitSha: release.sha } : {}),
        ...(state === 'failed'
          ? { errorCode: 'health_check_failed', errorMessage: 'No healthy answer within 120 s.' }
          : {}),
        ...(age === 4 && preview
          ? {
              id: preview.deploymentId,
              environment: 'preview',
              deployableKind: 'preview',
              gitRef: `refs/heads/${preview.branch}`,
              trigger: 'pull_request',
            }
          : {}),
      });
      // One rollout is in progress, and stays so.
      if (workload.name === 'search' && age === 1 && !release) {
        const plan = [{ at: world.startedAt - 90_000, state: 'running' }];
        const createdAt = new Date(world.startedAt - 120_000).toISOString();
        const { errorCode: _code, errorMessage: _message, ...begun } = deployment;
        return { deployment: { ...begun, createdAt, trigger: 'manual' }, plan };
      }
      return {
        deployment,
        plan: [
          { at: at + 20_000, state: 'running' },
          { at: at + 90_000, state },
        ],
      };
    });
  }

  world.workloads.forEach((workload, index) => {
    byResource.set(workload.id, history(workload, index));
  });

  /** Computed when requested, so that a test has no timer to wait for or to stop. */
  function current({ deployment, plan, changes }: Entry): Deployment {
    const now = options.now();
    const steps = plan.filter(({ at }) => at <= now);
    const last = steps.at(-1);
    const started = steps.find(({ state }) => state !== 'queued');
    const time = (at: number): string => new Date(at).toISOString();
    return {
      ...deployment,
      state: last?.state ?? 'queued',
      updatedAt: last ? time(last.at) : (deployment.createdAt ?? time(now)),
      ...(started ? { startedAt: time(started.at) } : {}),
      ...(last && finished.includes(last.state) ? { finishedAt: time(last.at) } : {}),
      ...steps.reduce<Members>((all, { members }) => ({ ...all, ...members }), {}),
      ...changes,
    };
  }

  return {
    list: (resourceId) =>
      (byResource.get(resourceId) ?? [])
        .map(current)
        .sort((one, other) => ((one.createdAt ?? '') < (other.createdAt ?? '') ? 1 : -1)),
    sync(source) {
      const now = options.now();
      return world.workloads
        .filter((workload) => workload.source === source && workload.kind === 'app')
        .map((workload) => {
          const deployment = create(workload, {
            createdAt: new Date(now).toISOString(),
            commitSha: source.revision,
            trigger: 'sync',
          });
          const plan = ['building', 'deploying', 'running', 'succeeded'].map((state, index) => ({
            at: now + (index + 1) * options.stepSeconds * 1000,
            state,
          }));
          const entry = { deployment, plan };
          byResource.get(workload.id)?.push(entry);
          return current(entry);
        });
    },
    deploy(resourceId, given, steps) {
      const workload = world.workloads.find(({ id }) => id === resourceId);
      if (workload === undefined) throw new Error(`There is no app or job ${resourceId}.`);
      const now = options.now();
      const createdAt = new Date(now).toISOString();
      const deployment = create(workload, { createdAt, trigger: 'push', ...given });
      const plan = steps.map(({ afterSeconds, state, members }) => ({
        at: now + afterSeconds * 1000,
        state,
        members,
      }));
      byResource.get(workload.id)?.push({ deployment, plan });
      return deployment.id ?? '';
    },
    running: (resourceId) =>
      byResource
        .get(resourceId)
        ?.slice(earlier)
        .map(current)
        .filter(({ state }) => state === 'succeeded')
        .at(-1)?.id,
    change(id, members) {
      const entry = [...byResource.values()].flat().find(({ deployment }) => deployment.id === id);
      if (entry) entry.changes = { ...entry.changes, ...members };
      return entry !== undefined;
    },
  };
}
