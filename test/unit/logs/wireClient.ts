import type { CallOptions, ControlPlaneClient } from '../../../src/api/client';
import { queryPageOf, queryRequestOf, tailRequestOf } from '../../../src/api/cursors';
import { type LogStreamItem, streamItemOf, type StreamItem } from '../../../src/api/logStream';
import type { LogQueryRequest, LogQueryResponse, LogTailRequest } from '../../../src/api/types';

/** Answers requests as they are sent. */
export interface WireServer {
  queryLogs(request: LogQueryRequest, options: CallOptions): Promise<LogQueryResponse>;
  openLogStream(
    request: LogTailRequest,
    options: CallOptions,
  ): Promise<AsyncIterable<readonly StreamItem[]>>;
}

/** The client of such a server, at noon: its cursors are bound to their filters, as usual. */
export function wireClient<Part extends Partial<WireServer>>(
  server: Part,
): Pick<ControlPlaneClient, (keyof Part & keyof WireServer) | 'serverNow'> {
  const client: Pick<ControlPlaneClient, keyof WireServer | 'serverNow'> = {
    serverNow: () => Date.UTC(2026, 10, 20, 12),
    async queryLogs(query, options) {
      const request = queryRequestOf(query);
      if (server.queryLogs === undefined) throw new Error('There are no log queries here.');
      const answer = await server.queryLogs(request, options);
      return queryPageOf(request, answer, 'cursor' in query ? query.cursor : undefined);
    },
    async openLogStream(tail, options) {
      const request = tailRequestOf(tail);
      if (server.openLogStream === undefined) throw new Error('There are no streams here.');
      return itemsOf(await server.openLogStream(request, options), request.filters);
    },
  };
  return client;
}

async function* itemsOf(
  stream: AsyncIterable<readonly StreamItem[]>,
  filters: LogTailRequest['filters'],
): AsyncGenerator<readonly LogStreamItem[]> {
  for await (const items of stream) yield items.map((item) => streamItemOf(filters, item));
}
