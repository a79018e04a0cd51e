import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { searchLogs } from '../search';
import { openStream } from '../stream';
import { bodies, checked } from '../validation';
import { addOperation } from './api';

export function registerLogs(app: FastifyInstance, context: Context): void {
  addOperation(app, 'post_logs_query', ({ request, key }) => {
    const body = checked(bodies.LogQueryRequest, request.body);
    const most = request.fault?.kind === 'sparse' ? request.fault.records : Infinity;
    const page = searchLogs(context, key, { ...body, limit: Math.min(body.limit ?? 50, most) });
    context.journal.gave(page.records);
    switch (request.fault?.kind) {
      case 'partial':
        return { ...page, partial: true };
      case 'sameCursor':
        return { ...page, nextCursor: body.cursor ?? page.nextCursor, hasMore: true };
      default:
        return page;
    }
  });

  addOperation(app, 'post_logs_tail', ({ request, reply, key }) => {
    const { filters, cursor } = checked(bodies.LogTailRequest, request.body);
    return openStream(context, { request, reply, key, filters, cursor });
  });
}
