import type { LogRecord } from '../../api/types';
import { second } from '../../base/clock';
import { isObject, parseJson } from '../../base/json';
import { lazy } from '../../base/textFormat';
import { recordSize } from './recordSize';
import { announcesTrace, continuedTrace, traceStateOf, type TraceState } from './traceLines';

/** What an entry of several records can have: records, and UTF-16 units of their bodies. */
const mostRecords = 500;
const mostUnits = 128 * 1024;
/** How far the timestamps of neighbors, and of the first and the last record, are apart; in milliseconds. */
const longestGap = second / 2;
const longestSpan = 5 * second;
/** How far apart what is one entry may be, in milliseconds. */
export const farthestPart = longestSpan + longestGap;
/** How long an entry may wait for its next record, in milliseconds: also the longest that it is held back. */
export const longestHold = second / 2;

/** How long in a row some entries may wait, in milliseconds: a position moves only while none does. */
const longestWait = 2 * second;

/** The bytes after which container runtimes cut a line. */
const cutAt = 16 * 1024;
/** JSON that is cut elsewhere is at least so long, in UTF-16 units. */
const shortestCut = 8000;

/** The records of entries that have several. */
const joined = new WeakMap<LogRecord, readonly LogRecord[]>();

/** The records that an entry was made of, oldest first: of most, the record itself. */
export function entryRecords(entry: LogRecord): readonly LogRecord[] {
  return joined.get(entry) ?? [entry];
}

/** What only the records of one container and stream have in common. */
export function containerKeyOf(record: LogRecord): string {
  const { containerId, workloadId, deploymentId, serverId, stream } = record;
  return containerId === ''
    ? `${workloadId}\n${deploymentId ?? ''}\n${serverId}\n${stream}`
    : `${containerId}\n${workloadId}\n${stream}`;
}

/** Whether other records may be one entry with this one. */
export function mayBeJoined({ body }: LogRecord): boolean {
  return (
    isCut(body) || announcesTrace(body) || continuedTrace(traceStateOf(body), body) !== undefined
  );
}

/** Whether the rest of a line is in the next record. */
function isCut(body: string): boolean {
  if (body.length < cutAt / 3) return false;
  if (body.length <= cutAt && encoder().encode(body).length === cutAt) return true;
  return isJsonStart(body) && !isObject(parseJson(body));
}

function isJsonStart(body: string): boolean {
  return body.length >= shortestCut && body.startsWith('{');
}

const encoder = lazy(() => new TextEncoder());

/** Consecutive records of one container that are one entry. */
class Entry {
  private readonly parts: [LogRecord, ...LogRecord[]];
  private body: string;
  private trace: { readonly state: TraceState | undefined } | undefined;
  /** Whether a newer record of the container is not part of it. */
  isClosed = false;

  /**
   * @param key that of its container.
   * @param since when its first record came, on a monotonic clock.
   */
  constructor(
    readonly key: string,
    first: LogRecord,
    readonly since: number,
  ) {
    this.parts = [first];
    this.body = first.body;
  }

  /** Adds a record if it continues the entry. */
  add(record: LogRecord): boolean {
    if (this.last.truncated || !this.hasRoomFor(record)) return false;
    const rest = this.restOfLine(record.body);
    if (rest !== undefined) {
      this.body += rest;
      this.trace = undefined;
    } else {
      // JSON has its stack in it.
      const state = this.body.startsWith('{') ? undefined : continuedTrace(this.state, record.body);
      if (state === undefined) return false;
      if (this.parts.length === 1) this.body = withoutBreak(this.body);
      this.body += `\n${withoutBreak(record.body)}`;
      this.trace = { state };
    }
    this.parts.push(record);
    return true;
  }

  /** Whether the next record may be a part of it. */
  get mayGoOn(): boolean {
    return (
      !this.isClosed &&
      (this.state !== undefined || isCut(this.last.body) || announcesTrace(this.body))
    );
  }

  /** A record for all of it. */
  toRecord(): LogRecord {
    const [first] = this.parts;
    if (this.parts.length === 1) return first;
    const entry: LogRecord = {
      ...first,
      body: this.body,
      traceId: first.traceId ?? this.parts.find(({ traceId }) => traceId !== null)?.traceId ?? null,
      truncated: this.last.truncated,
    };
    joined.set(entry, this.parts);
    return entry;
  }

  private get last(): LogRecord {
    return this.parts.at(-1) ?? this.parts[0];
  }

  /** Read when it matters: after most records, nothing asks for it. */
  private get state(): TraceState | undefined {
    this.trace ??= { state: traceStateOf(this.body) };
    return this.trace.state;
  }

  private hasRoomFor({ body, timestamp }: LogRecord): boolean {
    if (this.parts.length >= mostRecords || this.body.length + body.length > mostUnits)
      return false;
    const at = Date.parse(timestamp);
    const gap = Math.abs(at - Date.parse(this.last.timestamp));
    const span = Math.abs(at - Date.parse(this.parts[0].timestamp));
    return gap <= longestGap && span <= longestSpan;
  }

  /** The rest of the line that the last record has the beginning of; undefined if it is something else. */
  private restOfLine(body: string): string | undefined {
    const { body: last } = this.last;
    if (last.length < cutAt / 3 || !isCut(last)) return undefined;
    const isWhole = encoder().encode(last).length === cutAt;
    return isWhole || isObject(parseJson(this.body + body)) ? body : undefined;
  }
}

function withoutBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/**
 * Makes entries of records: those of one container and stream that follow each other and are one stack trace or one line
 * that was cut are one entry. Each record is in exactly one, and those of a container stay in order.
 */
export class RecordJoiner {
  /** The last one of each container. */
  private readonly open = new Map<string, Entry>();
  /** In the order of their first records. */
  private entries: Entry[] = [];
  /** Since when some have been held back; undefined if none is. */
  private heldSince: number | undefined;

  /** Whether nothing was added that was not read. */
  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** @param now on a monotonic clock, in milliseconds. */
  add(record: LogRecord, now = 0): void {
    const key = containerKeyOf(record);
    const last = this.open.get(key);
    if (last?.add(record) === true) return;
    if (last !== undefined) last.isClosed = true;
    const entry = new Entry(key, record, now);
    this.open.set(key, entry);
    this.entries.push(entry);
  }

  /**
   * Removes and returns entries in the order of their first records: all but those that the next record may be a part
   * of. These wait for it, at most `longestHold`, and after two seconds with others in turn, none does.
   */
  read(now: number): readonly LogRecord[] {
    const hasWaited = now - (this.heldSince ?? now) >= longestWait;
    const isHeld = (entry: Entry): boolean =>
      !hasWaited && now - entry.since < longestHold && entry.mayGoOn;
    const held = this.entries.filter(isHeld);
    const ready =
      held.length === 0 ? this.entries : this.entries.filter((one) => !held.includes(one));
    this.entries = held;
    this.heldSince = held.length === 0 ? undefined : (this.heldSince ?? now);
    this.open.clear();
    for (const entry of held) this.open.set(entry.key, entry);
    return ready.map((entry) => entry.toRecord());
  }

  /** Removes and returns all entries. */
  readAll(): readonly LogRecord[] {
    return this.read(Infinity);
  }

  /** How long the oldest of those that wait may do so from now on; undefined if none waits. */
  dueIn(now: number): number | undefined {
    const [oldest] = this.entries;
    return oldest && Math.max(0, oldest.since + longestHold - now);
  }
}

/** The memory of an entry with all its records by an estimate, in bytes: see `recordSize`. */
export function entrySize(entry: LogRecord): number {
  const parts = joined.get(entry) ?? [];
  return parts.reduce((sum, part) => sum + recordSize(part), recordSize(entry));
}

/**
 * Records as entries, in the order of the first records.
 *
 * @param records oldest first.
 * @param joinLines whether entries can have several records.
 */
export function joinRecords(records: readonly LogRecord[], joinLines = true): readonly LogRecord[] {
  if (!joinLines) return records;
  const joiner = new RecordJoiner();
  for (const record of records) joiner.add(record);
  return joiner.readAll();
}
