import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { LogRecord, Severity } from '../../src/api/types';
import type { Random } from './random';

const pollMs = 250;
const chunkBytes = 65_536;
/** How many bytes at the end of an existing file are read first. */
const historyBytes = 65_536;
const maxEntryLines = 200;
const maxBodyCharacters = 65_536;

/** Follows files; each entry becomes a record. */
export interface Ingest {
  /** Reads every file once, and passes on new complete entries. */
  poll(): Promise<void>;
  stop(): Promise<void>;
}

const levels: readonly [RegExp, Severity][] = [
  [/\b(?:fatal|panic|critical|emerg(?:ency)?)\b/i, 'fatal'],
  [/\b(?:error|err|severe|exception|traceback)\b/i, 'error'],
  [/\w(?:Error|Exception)\b/, 'error'],
  [/\bwarn(?:ing)?\b/i, 'warn'],
  [/\b(?:info|notice)\b/i, 'info'],
  [/\bdebug\b/i, 'debug'],
  [/\btrace\b/i, 'trace'],
];

/**
 * Guesses the severity of an entry: the first word for a level near the start of its first line.
 */
export function guessSeverity(entry: string): Severity {
  const [line = ''] = entry.slice(0, 200).split('\n');
  let first = Infinity;
  let guess: Severity = 'unknown';
  for (const [pattern, severity] of levels) {
    const at = line.search(pattern);
    if (at >= 0 && at < first) [first, guess] = [at, severity];
  }
  return guess;
}

/** Whether a line continues the entry: part of a stack trace, or indented. */
function continues(entry: readonly string[], line: string): boolean {
  if (/^(?:\s+\S|Caused by:|\}|\])/.test(line)) return true;
  // Python writes the error last, without an indent.
  return entry[0]?.startsWith('Traceback ') === true && /^\s/.test(entry.at(-1) ?? '');
}

/**
 * Joins lines to entries. Holds the last one back, since more lines may follow, until another entry
 * begins or two polls find nothing new.
 */
function createEntries(): { add(text: string): string[]; flush(): string[] } {
  let rest = '';
  let entry: string[] = [];
  const finish = (): string[] => {
    const finished = entry.length > 0 ? [entry.join('\n')] : [];
    entry = [];
    return finished;
  };
  return {
    add(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      return lines.flatMap((raw) => {
        const line = raw.replace(/\r$/, '');
        if (entry.length > 0 && entry.length < maxEntryLines && continues(entry, line)) {
          entry.push(line);
          return [];
        }
        const finished = finish();
        if (line.trim() !== '') entry.push(line);
        return finished;
      });
    },
    flush: finish,
  };
}

/**
 * Follows one file like `tail -F`: its current end, growth, truncation, and a new file at its path.
 */
function createFollower(
  file: string,
  onEntry: (entry: string) => void,
): { poll(): Promise<void>; stop(): Promise<void> } {
  let handle: FileHandle | undefined;
  let inode = 0;
  let position = 0;
  let decoder = new StringDecoder('utf8');
  const entries = createEntries();
  let started = false;
  const buffer = Buffer.alloc(chunkBytes);

  async function start(opened: FileHandle): Promise<void> {
    const { ino, size } = await opened.stat();
    handle = opened;
    inode = ino;
    decoder = new StringDecoder('utf8');
    position = started ? 0 : Math.max(0, size - historyBytes);
    if (position > 0) {
      // The first line may be incomplete.
      const { bytesRead } = await opened.read(buffer, 0, chunkBytes, position);
      position += buffer.subarray(0, bytesRead).indexOf(10) + 1;
    }
    started = true;
  }

  /** Reads to the end; true if there was anything. */
  async function drain(from: FileHandle): Promise<boolean> {
    let any = false;
    for (;;) {
      const { bytesRead } = await from.read(buffer, 0, chunkBytes, position);
      if (bytesRead === 0) return any;
      any = true;
      position += bytesRead;
      entries.add(decoder.write(buffer.subarray(0, bytesRead))).forEach(onEntry);
    }
  }

  async function reopened(): Promise<FileHandle | undefined> {
    const other = await open(file, 'r').catch(() => undefined);
    if (!other) return undefined;
    if (handle && (await other.stat()).ino === inode) {
      await other.close();
      return undefined;
    }
    return other;
  }

  return {
    async poll() {
      let any = false;
      if (handle) {
        if ((await handle.stat()).size < position) {
          position = 0;
          decoder = new StringDecoder('utf8');
        }
        any = await drain(handle);
      }
      const other = await reopened();
      if (other) {
        // The old file may have grown until it was moved away.
        if (handle) await drain(handle);
        await handle?.close();
        await start(other);
        any = (await drain(other)) || any;
      }
      if (!any) entries.flush().forEach(onEntry);
    },
    async stop() {
      await handle?.close();
      handle = undefined;
    },
  };
}

/**
 * Follows log files of this machine; the file name is the workload. Fails if a path is a folder.
 */
export function createIngest(
  files: readonly string[],
  random: Random,
  emit: (record: Partial<LogRecord>) => void,
): Ingest {
  const followers = files.map((file) => {
    const name = path.basename(file);
    const ids = random.fork(path.resolve(file));
    const workload = { workloadId: ids.uuid(), workloadName: name, service: name };
    const containerId = ids.hex(64);
    return createFollower(file, (entry) => {
      emit({
        ...workload,
        containerId,
        deploymentId: null,
        severity: guessSeverity(entry),
        attributes: { 'log.file.path': path.resolve(file) },
        body: entry.slice(0, maxBodyCharacters),
        truncated: entry.length > maxBodyCharacters,
      });
    });
  });
  let polling: Promise<unknown> = Promise.resolve();
  const poll = async (): Promise<void> => {
    // One poll at a time: two at once would read the same bytes.
    const looked = polling.then(() => Promise.all(followers.map((follower) => follower.poll())));
    polling = looked.catch(() => undefined);
    await looked;
  };
  const timer = setInterval(() => {
    poll().catch((error: unknown) => console.error(error));
  }, pollMs);
  return {
    poll,
    async stop() {
      clearInterval(timer);
      await polling;
      await Promise.all(followers.map((follower) => follower.stop()));
    },
  };
}
