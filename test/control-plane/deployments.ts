import type { Deployment } from '../../src/api/types';
import { hour, minute, second } from '../../src/base/clock';
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
  readonly plan: readonly Step[];
  /** Members that a test has changed. */
  readonly changes: object;
}

interface Step extends Pick<DeploymentStep, 'state' | 'members'> {
  readonly at: number;
}

export type Deployments = ReturnType<typeof createDeployments>;

/** How many each app and job has at the start. */
const earlier = 5;
const past = ['succeeded', 'superseded', 'failed', 'succeeded', 'cancelled', 'superseded'] as const;
const triggers = ['push', 'manual', 'push', 'rollback', 'schedule'] as const;
const finished: readonly string[] = ['succeeded', 'failed', 'cancelled', 'superseded'];
const isoTime = (time: number): string => new Date(time).toISOString();

export function createDeployments(
  world: World,
  random: Random,
  options: { readonly now: () => number; readonly stepSeconds: number },
) {
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
  function historyOf(workload: Workload, index: number): Entry[] {
    const preview = world.previews.find((one) => one.workload === workload);
    return Array.from({ length: earlier }, (_, age): Entry => {
      const release = world.releases[age];
      const hours = age * 31 + index * 2 + random.int(20) + 1;
      const at = world.startedAt - (release?.hoursAgo ?? hours) * hour;
      const state =
        age === 0 ? 'succeeded' : release ? 'superseded' : past[(age + index) % past.length]!;
      const deployment = create(workload, {
        createdAt: isoTime(at),
        trigger: random.pick(triggers),
        ...(age === 0 ? { id: workload.deploymentId, commitSha: workload.source.revision } : {}),
        ...(release ? { id: workload.releaseIds[age], commitSha: release.sha } : {}),
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
        const begun = isoTime(world.startedAt - 2 * minute);
        return {
          deployment: { ...deployment, createdAt: begun, trigger: 'manual' },
          plan: [{ at: world.startedAt - 1.5 * minute, state: 'running' }],
          changes: {},
        };
      }
      const failure = {
        errorCode: 'health_check_failed',
        errorMessage: 'No healthy answer within 120 s.',
      };
      return {
        deployment: state === 'failed' ? { ...deployment, ...failure } : deployment,
        plan: [
          { at: at + 20 * second, state: 'running' },
          { at: at + 90 * second, state },
        ],
        changes: {},
      };
    });
  }

  const byResource = new Map(
    world.workloads.map((workload, index) => [workload.id, historyOf(workload, index)]),
  );

  /** Computed when requested, so that a test has no timer to wait for or to stop. */
  function current({ deployment, plan, changes }: Entry): Deployment {
    const now = options.now();
    const steps = plan.filter(({ at }) => at <= now);
    const last = steps.at(-1);
    const started = steps.find(({ state }) => state !== 'queued');
    return {
      ...deployment,
      state: last?.state ?? 'queued',
      updatedAt: last ? isoTime(last.at) : (deployment.createdAt ?? isoTime(now)),
      ...(started ? { startedAt: isoTime(started.at) } : {}),
      ...(last && finished.includes(last.state) ? { finishedAt: isoTime(last.at) } : {}),
      ...steps.reduce<Members>((all, { members }) => ({ ...all, ...members }), {}),
      ...changes,
    };
  }

  function start(workload: Workload, given: Deployment, steps: readonly DeploymentStep[]): Entry {
    const now = options.now();
    const plan = steps.map(({ afterSeconds, ...step }): Step => ({
      ...step,
      at: now + afterSeconds * second,
    }));
    const deployment = create(workload, { createdAt: isoTime(now), ...given });
    const entry: Entry = { deployment, plan, changes: {} };
    byResource.get(workload.id)?.push(entry);
    return entry;
  }

  /** What was pushed last to the branch of each source. */
  const pushed = new Map<Source, string | undefined>();
  const headOf = (source: Source): string => pushed.get(source) ?? source.revision;

  return {
    /** The commit that a sync of a source deploys. */
    headOf,

    /** The deployments of a resource in their current state, newest first. */
    list(resourceId: string): Deployment[] {
      return (byResource.get(resourceId) ?? [])
        .map(current)
        .sort((a, b) => ((a.createdAt ?? '') < (b.createdAt ?? '') ? 1 : -1));
    },

    /** Starts one for every app of the source; each passes through its states from now on. */
    sync(source: Source): Deployment[] {
      const steps = ['building', 'deploying', 'running', 'succeeded'].map((state, index) => ({
        afterSeconds: (index + 1) * options.stepSeconds,
        state,
      }));
      return world.workloads
        .filter((workload) => workload.source === source && workload.kind === 'app')
        .map((workload) => start(workload, { commitSha: headOf(source), trigger: 'sync' }, steps))
        .map(current);
    },

    /**
     * Starts one of an app or job, which passes through these steps from now on; returns its id.
     *
     * @param given its members that differ from the usual ones.
     */
    deploy(resourceId: string, given: Deployment, steps: readonly DeploymentStep[]): string {
      const workload = world.workloads.find(({ id }) => id === resourceId);
      if (workload === undefined) throw new Error(`There is no app or job ${resourceId}.`);
      const deployment = { trigger: 'push', ...given };
      if (deployment.trigger === 'push' && deployment.kind !== 'rollback') {
        pushed.set(workload.source, deployment.commitSha);
      }
      return start(workload, deployment, steps).deployment.id ?? '';
    },

    /** The id of the last deployment started here that runs; undefined while none does. */
    running: (resourceId: string): string | undefined =>
      byResource
        .get(resourceId)
        ?.slice(earlier)
        .map(current)
        .filter(({ state }) => state === 'succeeded')
        .at(-1)?.id,

    /** Where the members are kept that a test changes of a deployment; undefined if there is none. */
    changesOf: (id: string): object | undefined =>
      [...byResource.values()].flat().find(({ deployment }) => deployment.id === id)?.changes,
  };
}
