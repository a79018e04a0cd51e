import type { Clock } from '../../src/base/clock';
import type { LogRecord } from '../../src/api/types';
import { getOrMake } from '../../src/base/maps';
import type { Random } from './random';
import { createStackTraces } from './stackTraces';
import { createStories, type Line } from './stories';
import type { Workload, World } from './world';

/** A story in progress: its lines alternate with those of others. */
interface Told {
  readonly lines: Line[];
  readonly traceId: string;
  /** The ids of its spans. */
  readonly spans: Map<string, string>;
  next: number;
}

const atOnce = 3;

export type Generator = ReturnType<typeof createGenerator>;

/**
 * Generates log records.
 *
 * @param runningId the deployment of a workload that was started later than the world, if one runs.
 */
export function createGenerator(
  world: World,
  random: Random,
  runningId: (workloadId: string) => string | undefined = () => undefined,
) {
  /** The stories of each release, and those without one. */
  const known = new Map<number | undefined, ReturnType<typeof createStories>>();
  const workloads = new Map(world.workloads.map((one) => [one.name, one]));
  const previews = new Map(world.previews.map((one) => [one.workload.name, one]));
  const stories: Told[] = [];
  let count = 0;
  /** How many more records of a burst follow. */
  let burst = 0;

  /** The index of the release that runs at a time; undefined if there are none. */
  function releaseAt(time: number): number | undefined {
    const { releases, startedAt } = world;
    if (releases.length === 0) return undefined;
    const index = releases.findIndex(({ hoursAgo }) => startedAt - hoursAgo * 3_600_000 <= time);
    return index < 0 ? releases.length - 1 : index;
  }

  function record(workload: Workload, time: number, line: Line): LogRecord {
    const release = releaseAt(time);
    const released = release === undefined ? undefined : workload.releaseIds[release];
    const preview = line.preview ? previews.get(workload.name) : undefined;
    const timestamp = new Date(time).toISOString();
    return {
      eventId: `${(count++).toString(16).padStart(8, '0')}-${random.hex(8)}`,
      timestamp,
      ingestedAt: timestamp,
      serverId: workload.server.id,
      workloadId: workload.id,
      workloadName: workload.name,
      deploymentId:
        preview?.deploymentId ?? runningId(workload.id) ?? released ?? workload.deploymentId,
      previewId: preview?.id ?? null,
      environment: preview ? 'preview' : 'production',
      containerId: preview?.containerId ?? workload.containerId,
      service: workload.name,
      severity: line.severity ?? 'info',
      stream: line.stream ?? 'stdout',
      body: line.body,
      attributes: line.attributes ?? {},
      traceId: null,
      spanId: null,
      truncated: line.truncated ?? false,
    };
  }

  function write(time: number): Told {
    const release = releaseAt(time);
    const stories = getOrMake(known, release, () =>
      createStories(createStackTraces(world.releases[release ?? -1]?.commit)),
    );
    const shares = stories.reduce((sum, { share }) => sum + share, 0);
    let at = random.next() * shares;
    const { story } = stories.find(({ share }) => (at -= share) < 0) ?? stories[0]!;
    return { lines: story(random), traceId: random.hex(32), spans: new Map(), next: 0 };
  }

  function next(time: number): LogRecord {
    while (stories.length < atOnce) stories.push(write(time));
    const index = random.int(stories.length);
    const one = stories[index]!;
    const line = one.lines[one.next++]!;
    if (one.next >= one.lines.length) stories.splice(index, 1);
    const result = record(workloads.get(line.workload)!, time, line);
    if (result.severity === 'trace' || result.severity === 'unknown') return result;
    result.traceId = one.traceId;
    const { workload, span = '' } = line;
    result.spanId = getOrMake(one.spans, `${workload} ${span}`, () => random.hex(16));
    return result;
  }

  return {
    /** Makes so many records between two times (milliseconds), in order, with varying density. */
    make(wanted: number, from: number, to: number): LogRecord[] {
      // Random gaps, short during a burst, are scaled to fit the range.
      const times: number[] = [];
      let sum = 0;
      for (let index = 0; index < wanted; index++) {
        if (burst > 0) burst--;
        else if (random.chance(0.002)) burst = 20 + random.int(60);
        sum -= Math.log(1 - random.next()) * (burst > 0 ? 0.03 : 1);
        times.push(sum);
      }
      const scale = sum > 0 ? (to - from) / sum : 0;
      return times.map((time) => next(from + time * scale));
    },
    /** Completes a record of which some members are given. */
    fill(given: Partial<LogRecord>, time: number): LogRecord {
      const workload = world.workloads.find(
        ({ id, name }) => id === given.workloadId || name === given.workloadName,
      );
      const filled = record(workload ?? world.workloads[0]!, time, { workload: '', body: '' });
      return { ...filled, ...given };
    },
  };
}

const tickMs = 100;

/** Generates records as time passes, more or fewer at a time. Returns what stops it. */
export function generateLive(
  clock: Clock,
  random: Random,
  perSecond: number,
  emit: (count: number) => void,
): () => void {
  let owed = 0;
  let cancel = clock.setTimer(tick, tickMs);

  function tick(): void {
    cancel = clock.setTimer(tick, tickMs);
    owed += ((perSecond * tickMs) / 1000) * 2 * random.next();
    const count = Math.floor(owed);
    owed -= count;
    if (count > 0) emit(count);
  }

  return () => cancel();
}
