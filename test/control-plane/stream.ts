import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LogPage, LogTailFilters } from '../../src/api/types';
import type { Context } from './context';
import { codeOf, errorBody, Failure } from './failure';
import type { Key } from './keys';
import { followLogs } from './search';

const pageRecords = 500;
const scanRecords = 20_000;

interface StreamRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly key: Key;
  readonly filters: LogTailFilters;
  readonly cursor: string | undefined;
}

function event(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}

/** Resolves at the next sign of life or after `ms`; what comes while nobody waits is remembered. */
function createBell(): { ring: () => void; wait: (ms: number) => Promise<void> } {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async wait(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
      wake = undefined;
    },
  };
}

/** The pages of a stream, with what a fault of the page makes of them. */
async function* events(
  context: Context,
  { request, reply, key, cursor }: StreamRequest,
  following: ReturnType<typeof followLogs>,
): AsyncGenerator<string> {
  const { keys, store, journal } = context;
  const bell = createBell();
  const stopListening = [store.onDidAppend(bell.ring), keys.onDidChange(bell.ring)];
  reply.raw.once('close', bell.ring);
  journal.streams++;
  const started = performance.now();
  const heartbeat = context.heartbeatSeconds > 0 ? context.heartbeatSeconds * 1000 : Infinity;
  let lastSent = started;
  let pages = 0;
  let lastCursor = cursor;
  let { fault } = request;
  /** The fault of this page, once. */
  const due = () => {
    const now = fault && pages >= ('afterPages' in fault ? (fault.afterPages ?? 0) : 0);
    const result = now ? fault : undefined;
    if (now) fault = undefined;
    return result;
  };

  try {
    // Without this, the client would wait for its headers until the first record.
    reply.raw.flushHeaders();
    for (;;) {
      const elapsed = performance.now() - started;
      if (reply.raw.destroyed || elapsed >= context.streamSeconds * 1000) return;
      const beforePage = fault?.kind;
      if (
        beforePage === 'revokeKey' ||
        beforePage === 'accessRevision' ||
        beforePage === 'errorEvent'
      ) {
        const now = due();
        if (now?.kind === 'revokeKey') keys.revoke(key.name);
        if (now?.kind === 'accessRevision') keys.change(key.name);
        if (now?.kind === 'errorEvent') {
          throw new Failure(
            now.status,
            now.message ?? 'This was asked for by a test.',
            now.code ?? codeOf(now.status),
          );
        }
      }
      if (keys.find(key.value) !== key) throw new Failure(401, 'The API key was revoked.');
      if (!key.permissions.has('logs.read')) {
        throw new Failure(403, 'The API key lacks the permission logs.read.');
      }

      const { records, behind } = following.next(pageRecords, scanRecords);
      if (records.length > 0) {
        const page = following.page(key, records, behind);
        journal.gave(records);
        yield* pageEvents(page, due(), lastCursor);
        lastCursor = page.followCursor;
        pages++;
        lastSent = performance.now();
      }
      if (behind) {
        if (records.length === 0) await nextTurn();
        continue;
      }
      const now = performance.now();
      if (now - lastSent >= heartbeat) {
        yield ': heartbeat\n\n';
        lastSent = now;
      }
      const untilEnd = started + context.streamSeconds * 1000 - now;
      await bell.wait(Math.max(1, Math.min(untilEnd, lastSent + heartbeat - now, 2 ** 31 - 1)));
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    yield event('error', JSON.stringify(errorBody(request, error.code, error.message)));
  } finally {
    journal.streams--;
    stopListening.forEach((stop) => stop());
  }
}

function* pageEvents(
  page: LogPage,
  fault: FastifyRequest['fault'],
  lastCursor: string | undefined,
): Generator<string> {
  const text = JSON.stringify(page);
  switch (fault?.kind) {
    case 'malformedJson':
      yield event('records', text.slice(0, -1 - Math.floor(text.length / 3)));
      return;
    case 'wrongSchema':
      yield event('records', JSON.stringify({ ...page, records: {}, followCursor: undefined }));
      return;
    case 'duplicatePage':
      yield event('records', text);
      yield event('records', text);
      return;
    case 'sameCursor':
      yield event(
        'records',
        JSON.stringify({ ...page, followCursor: lastCursor ?? page.followCursor }),
      );
      return;
    case 'partial':
      yield event('records', JSON.stringify({ ...page, partial: true }));
      return;
    case 'raw':
      yield fault.text;
      yield event('records', text);
      return;
    default:
      yield event('records', text);
  }
}

/**
 * Opens a log stream: pages as they come, until `streamSeconds` are over. Slow readers slow it down:
 * the next page is made only when there is room for it.
 */
export function openStream(context: Context, stream: StreamRequest): Readable {
  const { key, filters, cursor, reply } = stream;
  const following = followLogs(context, key, filters, cursor);
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  return Readable.from(events(context, stream, following), {
    objectMode: false,
    highWaterMark: 65_536,
  });
}
