import type { LogRecord } from '../../api/types';
import type { ExportFormat } from './exportFormat';
import type { ExportEnd } from './exportRecords';

/** The target of an export. */
export interface ExportSink {
  /** Returns false, without writing anything, if there is no room. @throws if writing fails. */
  write(text: string): Promise<boolean>;
  /** Writes the last text, which always fits, and closes it. @throws if writing fails. */
  end(text: string): Promise<void>;
}

/** Why an export ended. All but `complete` are noted in the file. */
export type ExportOutcome =
  | ExportEnd
  /** The target has no more room. */
  | 'full'
  /** The user cancelled it. */
  | 'cancelled'
  | 'failed';

export interface Exported {
  readonly outcome: ExportOutcome;
  readonly records: number;
  /** The error if it failed. */
  readonly error?: unknown;
}

export interface WriteRequest {
  readonly format: ExportFormat;
  /** As returned by `exportRecords`. */
  readonly batches: AsyncGenerator<readonly LogRecord[], ExportEnd>;
  readonly sink: ExportSink;
  readonly signal: AbortSignal;
  /** The text at the end of an incomplete file. */
  readonly describe: (outcome: Exclude<ExportOutcome, 'complete'>, error: unknown) => string;
  /** ISO UTC. */
  readonly now: () => string;
}

/**
 * Writes records as they arrive. After a failure, the records that came before stay in the file, followed
 * by the reason.
 *
 * @throws what the sink throws: the file may then be damaged.
 */
export async function writeExport(request: WriteRequest): Promise<Exported> {
  const { format, batches, sink, signal, describe, now } = request;
  let records = 0;
  let ended: { readonly outcome: ExportOutcome; readonly error?: unknown } | undefined;
  await sink.write(format.head);
  // A batch whose text cannot be made has the records before the bad one.
  while (ended === undefined) {
    const { texts, ...rest } = await readNext(batches, format);
    ended = rest.ended;
    if (ended?.outcome === 'failed' && signal.aborted) ended = { outcome: 'cancelled' };
    if (texts.length === 0) continue;
    if (await sink.write(texts.join(''))) records += texts.length;
    else ended = { outcome: 'full' };
  }
  // After a full or unreadable batch, no more requests are needed.
  await batches.return('complete');
  const { outcome, error } = ended;
  await sink.end(outcome === 'complete' ? '' : format.partial(describe(outcome, error), now()));
  return { outcome, records, ...(outcome === 'failed' ? { error } : {}) };
}

/** The text of each of the next records, and why there are no more; errors of the sink are thrown. */
async function readNext(
  batches: WriteRequest['batches'],
  format: ExportFormat,
): Promise<{
  readonly texts: readonly string[];
  readonly ended?: { readonly outcome: ExportOutcome; readonly error?: unknown };
}> {
  const texts: string[] = [];
  try {
    const { done, value } = await batches.next();
    if (done === true) return { texts, ended: { outcome: value } };
    for (const record of value) texts.push(format.record(record));
    return { texts };
  } catch (error) {
    return { texts, ended: { outcome: 'failed', error } };
  }
}

/** The number of records that are formatted at once, which takes a few milliseconds. */
const atOnce = 1000;

interface LoadedRecords {
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** Whether the server left out records. */
  readonly isPartial: boolean;
  /** Lets other tasks run. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Returns loaded records like `exportRecords` returns those that it fetches. */
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
