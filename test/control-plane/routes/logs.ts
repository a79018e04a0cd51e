import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { searchLogs } from '../search';
import { openStream } from '../stream';
import { bodies, checked } from '../validation';
import { addOperation } from './api';

export function registerLogs(app: FastifyInstance, context: Context): void {
  addOperation(app, 'post_logs_query', ({ request, key }) => {
    const page = searchLogs(context, key, checked(bodies.LogQueryRequest, request.body));
    context.journal.gave(page.records);
    return request.fault?.kind === 'partial' ? { ...page, partial: true } : page;
  });

  addOperation(app, 'post_logs_tail', ({ request, reply, key }) => {
    const { filters, cursor } = checked(bodies.LogTailRequest, request.body);
    return openStream(context, { request, reply, key, filters, cursor });
  });
}
