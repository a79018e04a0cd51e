import type { LogRecord } from '../../api/types';
import { BoundedMap } from '../../base/boundedMap';
import { getOrMake } from '../../base/maps';
import { copyText } from '../../base/textFormat';
import type { CodePosition } from '../../trees/nodes';
import type { LookBudget } from '../record/pathMapping';
import { placeOfAttributes, readableBody } from '../record/readableBody';
import { findFrames, type StackFrame } from '../record/stackFrames';

/** A position in a stack trace. */
export type ErrorFrame = Pick<StackFrame, 'path' | 'line' | 'column' | 'language'>;

/**
 * The place in the workspace that a frame means; undefined if there is none, and null if it was not looked for,
 * because the budget is used up or there were too many.
 *
 * @param workloadId whose frame it is.
 */
export type FindPlace = (
  frame: ErrorFrame,
  budget: LookBudget,
  workloadId: string,
) => Promise<CodePosition | null | undefined>;

/** How much of a stack is read: UTF-16 units, lines, and frames of all lines and of one. */
const longestStack = 32_768;
const mostLines = 200;
const mostFrames = 60;
const mostOnLine = 3;
/** How many of the innermost frames are looked at, and how many of those in the workspace count. */
const deepest = 30;
const mostPlaces = 8;
/** How much is remembered: stacks in UTF-16 units, and places, of all workloads. Errors repeat few of each. */
const mostText = 1_000_000;
const mostFound = 5000;

/** Attributes with a stack, as OpenTelemetry and others name them. */
const stackAttributes = ['exception.stacktrace', 'error.stack', 'error.stack_trace', 'stack'];

/** What was found for a workload, whose own folders decide where several files fit. */
interface Known {
  /** By the frames, as `frameKey` names them. */
  readonly found: Map<string, CodePosition | undefined>;
  /** Which of these were not looked for. */
  readonly unknown: Set<string>;
  /** By the frames of a stack, which are the same object for the same stack. */
  places: WeakMap<readonly ErrorFrame[], readonly CodePosition[]>;
}

/** Finds the lines of the workspace in the stacks of records, innermost first. */
export class PlaceFinder {
  private readonly framesOf = createFrameReader();
  private readonly workloads = new Map<string, Known>();
  private count = 0;

  constructor(private readonly find: FindPlace) {}

  /** Returns them at once if all their frames were looked for before, as in nearly every record. */
  of(
    record: LogRecord,
    budget: LookBudget,
  ): readonly CodePosition[] | Promise<readonly CodePosition[]> {
    const frames = this.framesOf(record);
    if (frames.length === 0) return [];
    const known = this.knownOf(record.workloadId);
    const places = known.places.get(frames) ?? placesIn(frames, known.found);
    if (places === undefined) return this.look(record.workloadId, frames, budget);
    known.places.set(frames, places);
    return places;
  }

  /** Whether there are frames that were not looked for. */
  get isIncomplete(): boolean {
    return [...this.workloads.values()].some(({ unknown }) => unknown.size > 0);
  }

  /** Looks for places again from now on: for all, or for those that were not looked for. */
  forget(which: 'all' | 'unknown'): void {
    if (which === 'all') this.forgetAll();
    for (const known of this.workloads.values()) {
      for (const frame of known.unknown) known.found.delete(frame);
      known.unknown.clear();
      known.places = new WeakMap();
    }
  }

  private forgetAll(): void {
    this.workloads.clear();
    this.count = 0;
  }

  private knownOf(workloadId: string): Known {
    if (this.count + this.workloads.size > mostFound) this.forgetAll();
    const nothing = (): Known => ({ found: new Map(), unknown: new Set(), places: new WeakMap() });
    return getOrMake(this.workloads, workloadId, nothing);
  }

  private async look(
    workloadId: string,
    frames: readonly ErrorFrame[],
    budget: LookBudget,
  ): Promise<readonly CodePosition[]> {
    const here = new Map<string, CodePosition | undefined>();
    for (const frame of frames.slice(0, deepest)) {
      const key = frameKey(frame);
      const before = this.knownOf(workloadId).found;
      if (before.has(key)) here.set(key, before.get(key));
      if (here.has(key)) continue;
      const place = await this.find(frame, budget, workloadId);
      here.set(key, place ?? undefined);
      const { found, unknown } = this.knownOf(workloadId);
      found.set(key, place ?? undefined);
      if (place === null) unknown.add(key);
      this.count++;
    }
    return placesIn(frames, here) ?? [];
  }
}

/** A text that is part of no other: the path may be one of a large body. */
function frameKey({ path, line, column }: ErrorFrame): string {
  return copyText(`${path}:${line}:${column ?? ''}`);
}

/** The places in the workspace; undefined if a frame was not looked for yet. */
function placesIn(
  frames: readonly ErrorFrame[],
  found: ReadonlyMap<string, CodePosition | undefined>,
): readonly CodePosition[] | undefined {
  const places: CodePosition[] = [];
  for (const frame of frames.slice(0, deepest)) {
    const key = frameKey(frame);
    const place = found.get(key);
    if (place === undefined && !found.has(key)) return undefined;
    if (place === undefined) continue;
    // A recursive function is in a stack many times.
    if (places.some(({ file, line }) => file === place.file && line === place.line)) continue;
    places.push(place);
    if (places.length >= mostPlaces) break;
  }
  return places;
}

/**
 * Reads the positions in the stack traces of records, innermost first: of the body, which may be
 * structured, otherwise of the attributes. Errors repeat few stacks, so the frames of their lines after the
 * message are remembered: to find them takes longer than everything else.
 */
export function createFrameReader(): (record: LogRecord) => readonly ErrorFrame[] {
  const remembered = new BoundedMap<string, readonly ErrorFrame[]>(
    mostText,
    (lines) => lines.length,
  );

  function framesBelow(lines: string): readonly ErrorFrame[] {
    let frames = remembered.get(lines);
    if (frames === undefined) {
      // Without the rest of the body, of which they are a part.
      const own = copyText(lines);
      frames = framesIn(own);
      remembered.set(own, frames);
    }
    return frames;
  }

  function framesOf(text: string): readonly ErrorFrame[] {
    const stack = text.slice(0, longestStack);
    const end = stack.indexOf('\n');
    if (end < 0) return framesIn(stack);
    const inMessage = framesIn(stack.slice(0, end));
    const below = framesBelow(stack.slice(end));
    const frames = inMessage.length === 0 ? below : [...inMessage, ...below];
    const isOutermostFirst = frames.some(({ language }) => language?.beforeOutermost?.test(stack));
    return isOutermostFirst ? [...frames].reverse() : frames;
  }

  return (record) => {
    const { body, attributes } = record;
    const readable = readableBody(body, record);
    const frames = framesOf(readable?.stack ?? readable?.message ?? body);
    if (frames.length > 0) return frames;
    for (const name of stackAttributes) {
      const inAttribute = framesOf(attributes[name] ?? '');
      if (inAttribute.length > 0) return inAttribute;
    }
    return framesOf(readable?.place ?? placeOfAttributes(record) ?? '');
  };
}

function framesIn(text: string): readonly ErrorFrame[] {
  const frames: ErrorFrame[] = [];
  for (const line of text.split('\n', mostLines)) {
    if (frames.length >= mostFrames) break;
    frames.push(...findFrames(line, mostOnLine));
  }
  return frames;
}
