import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { Failure } from '../failure';
import { bodies, checked } from '../validation';
import { addOperation } from './api';
import { named } from './workspace';

/** What changes something. */
export function registerActions(app: FastifyInstance, context: Context): void {
  const { world, operations, deployments, now } = context;
  /** Reports to the git provider that failed; the last of them fails once more. */
  let failedReports = 3;

  addOperation(app, 'post_servers_cleanup_orphans', ({ request, reply, key, parameters }) => {
    const { items } = checked(bodies.CleanupRequest, request.body);
    const { id } = named(world.servers, parameters['serverId'], 'server');
    const idempotencyKey = String(parameters['Idempotency-Key']);
    reply.status(202);
    return operations.cleanUp(key, { serverId: id, idempotencyKey, items });
  });

  addOperation(app, 'post_sources_environments_syncs', ({ reply, parameters }) => {
    const source = named(world.sources, parameters['sourceId'], 'source');
    const environmentId = String(parameters['environmentId']).toLowerCase();
    if (source.environmentId !== environmentId) {
      throw new Failure(404, `There is no environment ${environmentId} of ${source.name}.`);
    }
    if (source.disconnected) {
      throw new Failure(409, 'The environment is disconnected.', 'environment_disconnected');
    }
    const started = deployments.sync(source);
    reply.status(202);
    return {
      sync: {
        id: context.newId(),
        state: 'accepted',
        sourceId: source.id,
        environmentId,
        commitSha: source.revision,
        deploymentIds: started.map(({ id }) => id),
        createdAt: new Date(now()).toISOString(),
      },
    };
  });

  addOperation(app, 'post_retry_preview_reporting', () => {
    const attempted = failedReports;
    failedReports = attempted > 1 ? 1 : 0;
    return { attempted, failed: failedReports, succeeded: attempted - failedReports };
  });
}
