import type { LogRecord } from '../../api/types';
import { second } from '../../base/clock';
import { isObject, parseJson } from '../../base/json';
import { lazy } from '../../base/textFormat';
import { recordSize } from './recordSize';
import {
  announcesTrace,
  continuedTrace,
  mayBeginTrace,
  mayContinueTrace,
  traceStateOf,
  type TraceState,
} from './traceLines';

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

/** Consecutive records of one container that are, or may become, one entry. */
class Entry {
  /** The records after the first one. */
  private more: LogRecord[] | undefined;
  private body: string;
  private trace: { readonly state: TraceState | undefined } | undefined;

  /** @param since when its first record came, on a monotonic clock. */
  constructor(
    readonly first: LogRecord,
    readonly since: number,
  ) {
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
      if (this.more === undefined) this.body = withoutBreak(this.body);
      this.body += `\n${withoutBreak(record.body)}`;
      this.trace = { state };
    }
    (this.more ??= []).push(record);
    return true;
  }

  /** Whether it may have another record, by what it says. */
  get mayGoOn(): boolean {
    return this.state !== undefined || isCut(this.last.body) || announcesTrace(this.body);
  }

  /** When its last record was logged, in milliseconds since 1970; NaN if that is not known. */
  get end(): number {
    return Date.parse(this.last.timestamp);
  }

  /** A record for all of it. */
  toRecord(): LogRecord {
    const { first, more } = this;
    if (more === undefined) return first;
    const parts = [first, ...more];
    const entry: LogRecord = {
      ...first,
      body: this.body,
      traceId: parts.find(({ traceId }) => traceId !== null)?.traceId ?? null,
      truncated: this.last.truncated,
    };
    joined.set(entry, parts);
    return entry;
  }

  private get last(): LogRecord {
    return this.more?.at(-1) ?? this.first;
  }

  /** Read when it matters: after most records, nothing asks for it. */
  private get state(): TraceState | undefined {
    this.trace ??= { state: traceStateOf(this.body) };
    return this.trace.state;
  }

  private hasRoomFor({ body, timestamp }: LogRecord): boolean {
    const count = (this.more?.length ?? 0) + 1;
    if (count >= mostRecords || this.body.length + body.length > mostUnits) return false;
    const at = Date.parse(timestamp);
    const gap = Math.abs(at - Date.parse(this.last.timestamp));
    const span = Math.abs(at - Date.parse(this.first.timestamp));
    return gap <= longestGap && span <= longestSpan;
  }

  /** The rest of the line that the last record has the beginning of; undefined if it is something else. */
  private restOfLine(body: string): string | undefined {
    const { body: last } = this.last;
    if (!isCut(last)) return undefined;
    const isWhole = encoder().encode(last).length === cutAt;
    return isWhole || isObject(parseJson(this.body + body)) ? body : undefined;
  }
}

function withoutBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** A quick look whether a body tells what the next one may be. */
function announcesNext(body: string): boolean {
  return body.length >= cutAt / 3 || mayBeginTrace(body) || announcesTrace(body);
}

/** Whether their keys are the same. A record may be compared with a thousand: no key is made. */
function isSameContainer(a: LogRecord, b: LogRecord): boolean {
  return (
    a.stream === b.stream &&
    a.containerId === b.containerId &&
    a.workloadId === b.workloadId &&
    (a.containerId !== '' ||
      (a.serverId === b.serverId && (a.deploymentId ?? '') === (b.deploymentId ?? '')))
  );
}

function isPlain(one: LogRecord | Entry): one is LogRecord {
  return !(one instanceof Entry);
}

/** How many records of others may be between two of one entry. */
const mostBetween = 1000;

/**
 * Makes entries of records: those of one container and stream that follow each other and are one stack trace or one line
 * that was cut are one entry. Each record is in exactly one, and those of a container stay in order.
 */
export class RecordJoiner {
  /** In the order of their first records. Records that nothing tells to have more are as they came. */
  private entries: (LogRecord | Entry)[] = [];
  /** Whether one of them tells what the next record may be: only then, plain records are looked at. */
  private hasOpen = false;
  /** Since when some have been held back; undefined if none is. */
  private heldSince: number | undefined;

  /** Whether nothing was added that was not read. */
  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** @param now on a monotonic clock, in milliseconds. */
  add(record: LogRecord, now = 0): void {
    const { entries } = this;
    const { body } = record;
    const isPart = mayContinueTrace(body);
    if ((this.hasOpen || isPart) && this.addToLast(record, now, isPart)) {
      this.hasOpen = true;
      return;
    }
    const isOpen = announcesNext(body);
    this.hasOpen ||= isOpen;
    entries.push(isOpen || isPart ? new Entry(record, now) : record);
  }

  /**
   * Removes and returns entries in the order of their first records: all but those that the next record may be a part
   * of. These wait for it, at most `longestHold`, and after two seconds with others in turn, none does. What was logged
   * long before the last record that came waits for nothing: old stack traces stay where they are among other lines.
   */
  read(now: number): readonly LogRecord[] {
    const { entries } = this;
    if (entries.every(isPlain)) {
      // Most are: none is copied.
      this.entries = [];
      this.hasOpen = false;
      this.heldSince = undefined;
      return entries;
    }
    const ready: LogRecord[] = [];
    const held: Entry[] = [];
    const mayHold = now - (this.heldSince ?? now) < longestWait;
    const newest = entries.at(-1);
    const end = newest && (newest instanceof Entry ? newest.end : Date.parse(newest.timestamp));
    const isHeld = (entry: Entry, place: number): boolean =>
      mayHold &&
      !((end ?? 0) - entry.end > farthestPart) &&
      now - entry.since < longestHold &&
      entry.mayGoOn &&
      this.lastOf(entry.first) === place;
    let place = 0;
    for (const one of entries) {
      if (!(one instanceof Entry)) ready.push(one);
      else if (isHeld(one, place)) held.push(one);
      else ready.push(one.toRecord());
      place++;
    }
    this.entries = held;
    this.hasOpen = held.length > 0;
    this.heldSince = held.length === 0 ? undefined : (this.heldSince ?? now);
    return ready;
  }

  /** Removes and returns all entries. */
  readAll(): readonly LogRecord[] {
    return this.read(Infinity);
  }

  /** How long the oldest of those that wait may do so from now on; undefined if none waits. */
  dueIn(now: number): number | undefined {
    const oldest = this.entries.find((one) => one instanceof Entry);
    return oldest && Math.max(0, oldest.since + longestHold - now);
  }

  /**
   * Adds a record to the last entry of its container if it continues that.
   *
   * @param isPart whether it may continue what does not tell so.
   */
  private addToLast(record: LogRecord, now: number, isPart: boolean): boolean {
    const place = this.lastOf(record);
    const last = this.entries[place];
    if (last === undefined || !(isPart || last instanceof Entry)) return false;
    const entry = last instanceof Entry ? last : new Entry(last, now);
    if (!entry.add(record)) return false;
    this.entries[place] = entry;
    return true;
  }

  /** The place of the last entry of the container and stream of a record; -1 if there is none. */
  private lastOf(record: LogRecord): number {
    const { entries } = this;
    for (let place = entries.length - 1; place >= entries.length - mostBetween; place--) {
      const one = entries[place];
      if (one === undefined) return -1;
      if (isSameContainer(one instanceof Entry ? one.first : one, record)) return place;
    }
    return -1;
  }
}

/** The memory of an entry with all its records by an estimate, in bytes: see `recordSize`. */
export function entrySize(entry: LogRecord): number {
  const parts = joined.get(entry);
  const size = recordSize(entry);
  return parts === undefined ? size : parts.reduce((sum, part) => sum + recordSize(part), size);
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
