import type { LogRecord } from '../../api/types';
import { BoundedMap } from '../../base/boundedMap';
import { getOrMake } from '../../base/maps';
import { copyText } from '../../base/textFormat';
import type { CodePosition } from '../../trees/nodes';
import type { LookBudget } from '../record/pathMapping';
import { readableBody } from '../record/readableBody';
import { findFrames, type StackFrame } from '../record/stackFrames';

/** A position in a stack trace. */
type ErrorFrame = Pick<StackFrame, 'path' | 'line' | 'column' | 'language'>;

/**
 * The URI of the file in the workspace that the path of a frame means; undefined if there is none, and
 * null if it was not looked for, because the budget is used up or there were too many.
 *
 * @param workloadId whose frame it is.
 */
export type FindFile = (
  path: string,
  budget: LookBudget,
  workloadId: string,
) => Promise<string | null | undefined>;

/** How much of a stack is read: UTF-16 units, lines, and frames of all lines and of one. */
const longestStack = 32_768;
const mostLines = 200;
const mostFrames = 60;
const mostOnLine = 3;
/** How many of the innermost frames are looked at, and how many of those in the workspace count. */
const deepest = 30;
const mostPlaces = 8;
/** How much is remembered: stacks in UTF-16 units, and files, of all workloads. Errors repeat few of each. */
const mostText = 1_000_000;
const mostFiles = 5000;

/** Attributes with a stack, as OpenTelemetry and others name them. */
const stackAttributes = ['exception.stacktrace', 'error.stack', 'error.stack_trace', 'stack'];

/** What was found for a workload, whose own folders decide where several files fit. */
interface Known {
  readonly files: Map<string, string | undefined>;
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

  constructor(private readonly find: FindFile) {}

  /** Returns them at once if all their files were looked for before, as in nearly every record. */
  of(
    record: LogRecord,
    budget: LookBudget,
  ): readonly CodePosition[] | Promise<readonly CodePosition[]> {
    const frames = this.framesOf(record);
    if (frames.length === 0) return [];
    const known = this.knownOf(record.workloadId);
    const places = known.places.get(frames) ?? placesIn(frames, known.files);
    if (places === undefined) return this.look(record.workloadId, frames, budget);
    known.places.set(frames, places);
    return places;
  }

  /** Whether there are files that were not looked for. */
  get isIncomplete(): boolean {
    return [...this.workloads.values()].some(({ unknown }) => unknown.size > 0);
  }

  /** Looks for files again from now on: for all, or for those that were not looked for. */
  forget(which: 'all' | 'unknown'): void {
    if (which === 'all') this.forgetAll();
    for (const known of this.workloads.values()) {
      for (const path of known.unknown) known.files.delete(path);
      known.unknown.clear();
      known.places = new WeakMap();
    }
  }

  private forgetAll(): void {
    this.workloads.clear();
    this.count = 0;
  }

  private knownOf(workloadId: string): Known {
    if (this.count + this.workloads.size > mostFiles) this.forgetAll();
    const nothing = (): Known => ({ files: new Map(), unknown: new Set(), places: new WeakMap() });
    return getOrMake(this.workloads, workloadId, nothing);
  }

  private async look(
    workloadId: string,
    frames: readonly ErrorFrame[],
    budget: LookBudget,
  ): Promise<readonly CodePosition[]> {
    const here = new Map<string, string | undefined>();
    for (const { path } of frames.slice(0, deepest)) {
      const before = this.knownOf(workloadId).files;
      if (before.has(path)) here.set(path, before.get(path));
      if (here.has(path)) continue;
      const found = await this.find(path, budget, workloadId);
      const file = found ?? undefined;
      here.set(path, file);
      const { files, unknown } = this.knownOf(workloadId);
      const own = copyText(path);
      files.set(own, file);
      if (found === null) unknown.add(own);
      this.count++;
    }
    return placesIn(frames, here) ?? [];
  }
}

/** The frames in the workspace; undefined if a file was not looked for yet. */
function placesIn(
  frames: readonly ErrorFrame[],
  files: ReadonlyMap<string, string | undefined>,
): readonly CodePosition[] | undefined {
  const places: CodePosition[] = [];
  for (const { path, line, column } of frames.slice(0, deepest)) {
    const file = files.get(path);
    if (file === undefined && !files.has(path)) return undefined;
    if (file === undefined) continue;
    // A recursive function is in a stack many times.
    if (places.some((one) => one.file === file && one.line === line)) continue;
    places.push({ file, line, ...(column === undefined ? {} : { column }) });
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
    const frames = framesOf(readable?.stack ?? readable?.segments[0]?.text ?? body);
    if (frames.length > 0) return frames;
    for (const name of stackAttributes) {
      const inAttribute = framesOf(attributes[name] ?? '');
      if (inAttribute.length > 0) return inAttribute;
    }
    return frames;
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
