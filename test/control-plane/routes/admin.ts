import type { FastifyInstance } from 'fastify';
import type { LogRecord, Permission } from '../../../src/api/types';
import type { Admin, Members } from '../context';
import { Failure } from '../failure';
import type { Fault } from '../faults';

/**
 * The same as `Admin`, for tests that run in another process. No part of the API: below `/_admin`, no
 * CORS, refused to web pages and to other machines.
 */
export function registerAdmin(app: FastifyInstance, admin: Admin): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const local = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.ip);
    if (!local || request.headers.origin !== undefined) throw new Failure(403, 'Only from here.');
    done();
  });

  // Longer than the API's own limit, for what is to be too long there.
  const bodyLimit = 64 * 1024 * 1024;
  app.post<{ Body: Fault | Fault[] }>('/faults', { bodyLimit }, ({ body }) => {
    [body].flat().forEach((fault) => admin.fault(fault));
    return { pending: admin.pendingFaults() };
  });
  app.get('/faults', () => ({ pending: admin.pendingFaults() }));
  app.post<{ Body: { count?: number; records?: Partial<LogRecord>[] } }>(
    '/emit',
    { bodyLimit },
    ({ body }) => ({
      eventIds: admin.emit(body.records ?? body.count ?? 1).map(({ eventId }) => eventId),
    }),
  );
  app.get<{ Querystring: { from?: string } }>('/emitted', ({ query }) =>
    admin.emitted(query.from === undefined ? undefined : Number(query.from)),
  );
  app.get('/operations', () => ({ operations: admin.operations() }));
  app.get('/sent', () => admin.sent());
  app.get('/requests', () => ({ streams: admin.streams(), requests: admin.requests() }));
  app.post<{ Body: { name: string; permissions: Permission[]; value?: string } }>(
    '/keys',
    ({ body }) => ({ key: admin.addKey(body.name, body.permissions, body.value) }),
  );
  app.post<{ Params: { name: string } }>('/keys/:name/revoke', ({ params }) => {
    admin.revokeKey(params.name);
    return {};
  });
  app.post<{ Params: { name: string } }>('/keys/:name/restore', ({ params }) => {
    admin.restoreKey(params.name);
    return {};
  });
  app.post<{ Params: { name: string }; Body: { permissions?: Permission[] } | undefined }>(
    '/keys/:name/access',
    ({ params, body }) => {
      admin.changeAccess(params.name, body?.permissions);
      return {};
    },
  );
  app.post<{ Params: { id: string }; Body: Members }>('/things/:id', ({ params, body }) => {
    admin.change(params.id, body);
    return {};
  });
  app.post<{ Body: { logsPerSecond: number } }>('/rate', ({ body }) => {
    admin.setRate(body.logsPerSecond);
    return {};
  });
  app.post<{ Body: { downMs: number } }>('/restart', (request, reply) => {
    const { downMs } = request.body;
    reply.raw.once('close', () => void admin.restart(downMs));
    return {};
  });
  app.post('/reset', () => {
    admin.reset();
    return {};
  });
}
