import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { page, queryAnswer } from '../../api/inMemoryServer';
import { sampleRecord } from '../sampleRecord';
import { idAt } from './simulatedServer';

const pageSize = 500;
const eventStream = { 'content-type': 'text/event-stream' };
const [beforeId, afterId] = JSON.stringify(sampleRecord({ eventId: '*' })).split('*');
const [beforeRecords, afterRecords] = JSON.stringify({ ...page, followCursor: '*' })
  .replace('"records":[]', '"records":[#]')
  .split('#');

/** An event with so many records of the log that `idAt` numbers; its cursor says what is behind it. */
export function pageText(from: number, count = pageSize): string {
  const records = Array.from(
    { length: count },
    (_, index) => `${beforeId}${idAt(from + index)}${afterId}`,
  );
  const text = `${beforeRecords}${records.join()}${afterRecords}`;
  return `event: records\ndata: ${text.replace('"*"', `"${from + count}"`)}\n\n`;
}

/**
 * A control plane that has no history and leaves each stream to its listener, its headers too where it
 * `isSilent`; `encoding` is what these say of it.
 */
export function pageServer(
  onStream: (response: ServerResponse, cursor: number) => void | Promise<void>,
  options: { readonly encoding?: 'gzip'; readonly isSilent?: boolean } = {},
): Server {
  return createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (request.url?.endsWith('/logs/query')) {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ ...queryAnswer, followCursor: '0' }));
        return;
      }
      const { cursor } = JSON.parse(body) as { cursor: string };
      const { encoding, isSilent } = options;
      if (encoding) response.setHeader('content-encoding', encoding);
      if (!isSilent) response.writeHead(200, eventStream).flushHeaders();
      void onStream(response, Number(cursor));
    });
  });
}

/** Sends records as fast as they are taken; resolves once the last one is on its way. */
export async function sendAll(response: ServerResponse, from: number, to: number): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  for (let at = from; at < to && !closed.signal.aborted; at += pageSize) {
    if (response.write(pageText(at, Math.min(pageSize, to - at)))) continue;
    await once(response, 'drain', closed).catch(() => undefined);
  }
}
