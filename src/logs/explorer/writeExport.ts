import type { LogRecord } from '../../api/types';
import type { ExportFormat } from './exportFormat';
import type { ExportEnd } from './exportRecords';

/** Where an export is written, piece by piece. */
export interface ExportSink {
  /** False where it holds no more: then nothing of the text is in it. @throws where it is broken. */
  write(text: string): Promise<boolean>;
  /** Writes the last of it, which always finds room, and what was held back. @throws likewise. */
  end(text: string): Promise<void>;
}

/** Why an export ended; all but `complete` leave something out, and the file says so. */
export type ExportOutcome =
  | ExportEnd
  /** The sink holds no more. */
  | 'full'
  /** Somebody did not want to wait any longer. */
  | 'cancelled'
  | 'failed';

export interface Exported {
  readonly outcome: ExportOutcome;
  readonly records: number;
  /** Of what `failed`. */
  readonly error?: unknown;
}

export interface WriteRequest {
  readonly format: ExportFormat;
  /** As `exportRecords` answers them. */
  readonly batches: AsyncGenerator<readonly LogRecord[], ExportEnd>;
  readonly sink: ExportSink;
  readonly signal: AbortSignal;
  /** Why a file is not complete, in words that it ends with. */
  readonly describe: (outcome: Exclude<ExportOutcome, 'complete'>, error: unknown) => string;
  /** ISO UTC. */
  readonly now: () => string;
}

/**
 * Writes records as they come. What has come by then stays where the rest fails, behind it why there
 * is no more.
 *
 * @throws what the sink throws: then nothing is sure about the file.
 */
export async function writeExport(request: WriteRequest): Promise<Exported> {
  const { format, batches, sink, signal, describe, now } = request;
  let records = 0;
  await sink.write(format.head);

  async function write(): Promise<ExportOutcome> {
    for (;;) {
      const next = await readNext(batches);
      if ('error' in next) {
        if (signal.aborted) return 'cancelled';
        failure = next.error;
        return 'failed';
      }
      const { done, value } = next.result;
      if (done === true) return value;
      if (!(await sink.write(value.map(format.record).join('')))) {
        // What it asks for next is not wanted.
        await batches.return('complete');
        return 'full';
      }
      records += value.length;
    }
  }

  let failure: unknown;
  const outcome = await write();
  const end = outcome === 'complete' ? '' : format.partial(describe(outcome, failure), now());
  await sink.end(end);
  return { outcome, records, ...(outcome === 'failed' ? { error: failure } : {}) };
}

type Batches = WriteRequest['batches'];

/** What comes next, or why nothing does: a failure of the sink is another matter. */
async function readNext(
  batches: Batches,
): Promise<
  { readonly result: Awaited<ReturnType<Batches['next']>> } | { readonly error: unknown }
> {
  try {
    return { result: await batches.next() };
  } catch (error) {
    return { error };
  }
}

/** Written at a time: what is formatted at once takes a few milliseconds. */
const atOnce = 1000;

interface LoadedRecords {
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** Whether the server left out some of it. */
  readonly isPartial: boolean;
  /** Lets others have their turn. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Records that are there already, as `exportRecords` answers those that are fetched. */
export async function* loadedRecords({
  records,
  isPartial,
  pause,
  signal,
}: LoadedRecords): AsyncGenerator<readonly LogRecord[], ExportEnd> {
  for (let start = 0; start < records.length; start += atOnce) {
    signal.throwIfAborted();
    yield records.slice(start, start + atOnce);
    await pause();
  }
  return isPartial ? 'partial' : 'complete';
}
