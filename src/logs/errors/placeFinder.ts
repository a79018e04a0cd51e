import type { LogRecord } from '../../api/types';
import type { LookBudget } from '../record/pathMapping';
import { createFrameReader, type ErrorFrame } from './errorFrames';
import type { Place } from './placedError';

/**
 * The URI of the file in the workspace that the path of a frame means; undefined if there is none.
 *
 * @param workloadId whose frame it is.
 */
export type FindFile = (
  path: string,
  budget: LookBudget,
  workloadId: string,
) => Promise<string | undefined>;

/** Finds the lines of the workspace in the stacks of records, innermost first. */
export interface PlaceFinder {
  /** Returns them at once if all their files were looked for before, as in nearly every record. */
  of(record: LogRecord, budget: LookBudget): readonly Place[] | Promise<readonly Place[]>;
  /** Looks for all files again from now on. */
  forget(): void;
}

/** How many of the innermost frames are looked at, and how many of those in the workspace count. */
const deepest = 30;
const mostPlaces = 8;
/** Stacks repeat few paths, of few workloads. Beyond this they are forgotten. */
const mostPaths = 5000;

/** What was found for a workload, whose own folders decide where several files fit. */
interface Known {
  readonly files: Map<string, string | undefined>;
  /** By the frames of a stack, which are the same object for the same stack. */
  readonly places: WeakMap<readonly ErrorFrame[], readonly Place[]>;
}

export function createPlaceFinder(find: FindFile): PlaceFinder {
  const framesOf = createFrameReader();
  const workloads = new Map<string, Known>();
  let paths = 0;

  function forget(): void {
    workloads.clear();
    paths = 0;
  }

  function knownOf(workloadId: string): Known {
    let known = workloads.get(workloadId);
    if (known === undefined) {
      known = { files: new Map(), places: new WeakMap() };
      workloads.set(workloadId, known);
    }
    return known;
  }

  async function look(
    workloadId: string,
    frames: readonly ErrorFrame[],
    budget: LookBudget,
  ): Promise<readonly Place[]> {
    if (paths > mostPaths) forget();
    const { files } = knownOf(workloadId);
    for (const { path } of frames.slice(0, deepest)) {
      if (files.has(path)) continue;
      files.set(path, await find(path, budget, workloadId));
      paths++;
    }
    return placesIn(frames, files) ?? [];
  }

  return {
    of(record, budget) {
      const frames = framesOf(record);
      const { files, places } = knownOf(record.workloadId);
      const known = places.get(frames) ?? placesIn(frames, files);
      if (known === undefined) return look(record.workloadId, frames, budget);
      places.set(frames, known);
      return known;
    },
    forget,
  };
}

/** The frames in the workspace; undefined if a file was not looked for yet. */
function placesIn(
  frames: readonly ErrorFrame[],
  files: ReadonlyMap<string, string | undefined>,
): readonly Place[] | undefined {
  const places: Place[] = [];
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
