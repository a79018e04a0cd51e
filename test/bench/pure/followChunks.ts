import { createClient } from '../../../src/api/createClient';
import type { Clock } from '../../../src/base/clock';
import { createFormatter } from '../../../src/logs/record/logLine';
import type { ChannelLines } from '../../../src/logs/tail/channelLines';
import { Tail } from '../../../src/logs/tail/tail';

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** The defaults of `controlPlane.api.*`. */
const settings = {
  timeoutSeconds: 20,
  segments: { monitorAlerts: 'a', repositories: 'b', previewReporting: 'c' },
  parameters: {
    alertsDeployable: 'a',
    secretsEnvironment: 'b',
    repositoriesSearch: 'c',
    repositoriesPage: 'd',
  },
  operationPath: '',
};

/** The length of a piece that the channel appends. */
const pieceLength = 64 * 1024;

/** A tail of everything that resumes at a cursor, so that it requests only the stream. */
export function createBenchTail(
  fetch: (request: Request) => Promise<Response>,
  onDidReceive: () => void,
  baseUrl = 'http://127.0.0.1',
): Tail {
  const client = createClient({
    baseUrl,
    token: () => Promise.resolve('key'),
    fetch,
    clock,
    random: Math.random,
    settings: () => settings,
  });
  const tail = new Tail(
    { client, clock, random: Math.random, readKey: () => Promise.resolve('key') },
    {
      filter: {},
      initialLines: 0,
      position: {
        from: new Date(Date.now() - 3_600_000).toISOString(),
        to: new Date(Date.now() + 360 * 86_400_000).toISOString(),
        cursor: 'start',

        seen: [],
      },
    },
  );
  tail.onDidChange((what) => {
    if (what === 'records') onDidReceive();
  });
  return tail;
}

/** The answer to a stream request: these chunks, as fast as they are read, without an end. */
function endlessAnswer(chunks: readonly Uint8Array[]): Response {
  let index = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks[index++];
      if (chunk) controller.enqueue(chunk);
      else await new Promise(() => undefined);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/**
 * Follows a stream of these chunks and makes the text that the channel appends, in pieces of its
 * length, until all records are text.
 *
 * @param store also takes the entries, as the channel's store does. @returns the length of the
 * text.
 */
export async function followChunks(
  chunks: readonly Uint8Array[],
  records: number,
  store?: ChannelLines,
): Promise<number> {
  const format = createFormatter({ timeZone: 'local', showAttributes: false });
  let piece = '';
  let length = 0;
  let left = records;
  let isCut = false;
  const end = (): void => {
    // Reading a character makes the engine build the concatenated text.
    if (piece.charCodeAt(0) > 0) length += piece.length;
    if (isCut) length += store?.text().length ?? 0;
    isCut = false;
    piece = '';
  };
  await new Promise<void>((resolve) => {
    const tail = createBenchTail(
      () => Promise.resolve(endlessAnswer(chunks)),
      // Once for all pages of a chunk, since no timer runs in between.
      () => queueMicrotask(flush),
    );
    const flush = (): void => {
      for (const output of tail.take()) {
        if (output.kind !== 'records') continue;
        for (const record of output.records) {
          const text = format(record);
          if (piece.length + text.length > pieceLength) end();
          if (store?.append(record, text) === false) isCut = true;
          piece += text;
        }
        left -= output.records.length;
      }
      if (left > 0) return;
      end();
      tail.stop();
      resolve();
    };
    tail.start();
  });
  return length;
}
