import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { LogRecord, Severity } from '../../src/api/types';
import type { Random } from './random';

const pollMs = 250;
/** How many bytes at the end of an existing file are read first. */
const historyBytes = 65_536;
const maxEntryLines = 200;
const maxBodyCharacters = 65_536;

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
 * Follows one file like `tail -F`: its last lines, growth, truncation, and a new file at its path. Joins
 * lines to entries, and holds the last one back, since more lines may follow, until another entry begins
 * or a poll finds nothing new.
 */
class Follower {
  private opened: FileHandle | undefined;
  private position = 0;
  private entry: string[] = [];

  constructor(
    private readonly file: string,
    private readonly onEntry: (entry: string) => void,
  ) {}

  async poll(): Promise<void> {
    const lines = await this.newLines();
    for (const line of lines) {
      const isMore = this.entry.length > 0 && this.entry.length < maxEntryLines;
      if (!isMore || !continues(this.entry, line)) this.finish();
      if (line.trim() !== '') this.entry.push(line);
    }
    if (lines.length === 0) this.finish();
  }

  private finish(): void {
    if (this.entry.length > 0) this.onEntry(this.entry.join('\n'));
    this.entry = [];
  }

  async stop(): Promise<void> {
    await this.opened?.close();
  }

  /** The whole lines since the last call; none if there is no file yet. */
  private async newLines(): Promise<string[]> {
    const found = await open(this.file, 'r').catch(() => undefined);
    // What was written before it was moved away comes first.
    const lines = await this.read();
    if (found === undefined) return lines;
    const [{ ino, size }, before] = [await found.stat(), await this.opened?.stat()];
    if (ino === before?.ino) {
      await found.close();
      return lines;
    }
    await this.opened?.close();
    this.opened = found;
    this.position = before === undefined ? Math.max(0, size - historyBytes) : 0;
    const isCut = this.position > 0;
    return [...lines, ...(await this.read()).slice(isCut ? 1 : 0)];
  }

  private async read(): Promise<string[]> {
    if (this.opened === undefined) return [];
    const { size } = await this.opened.stat();
    if (size < this.position) this.position = 0;
    const bytes = Buffer.alloc(size - this.position);
    await this.opened.read(bytes, 0, bytes.length, this.position);
    const end = bytes.lastIndexOf('\n') + 1;
    this.position += end;
    return bytes.toString('utf8', 0, end).split(/\r?\n/).slice(0, -1);
  }
}

export type Ingest = ReturnType<typeof createIngest>;

/** Follows log files of this machine; each entry becomes a record of a workload with its name. */
export function createIngest(
  files: readonly string[],
  random: Random,
  emit: (record: Partial<LogRecord>) => void,
) {
  const followers = files.map((file) => {
    const name = path.basename(file);
    const ids = random.fork(path.resolve(file));
    const workload = { workloadId: ids.uuid(), workloadName: name, service: name };
    const containerId = ids.hex(64);
    return new Follower(file, (entry) => {
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

  /** Reads every file once, and passes on new complete entries. Fails if a path is a folder. */
  async function poll(): Promise<void> {
    // One poll at a time: two at once would read the same bytes.
    const looked = polling.then(() => Promise.all(followers.map((follower) => follower.poll())));
    polling = looked.catch(() => undefined);
    await looked;
  }

  const timer = setInterval(() => {
    poll().catch((error: unknown) => console.error(error));
  }, pollMs);
  return {
    poll,
    async stop(): Promise<void> {
      clearInterval(timer);
      await polling;
      await Promise.all(followers.map((follower) => follower.stop()));
    },
  };
}
