import type { LogRecord } from '../../src/api/types';
import type { Random } from './random';
import type { Preview, Workload, World } from './world';

/** Makes up log records. */
export interface Generator {
  /** `count` records, the first at `from`, the last before `to` (milliseconds). */
  make(count: number, from: number, to: number): LogRecord[];
  /** A record of which some members are given. */
  fill(given: Partial<LogRecord>, time: number): LogRecord;
}

export function createGenerator(world: World, random: Random): Generator {
  let count = 0;

  function record(
    workload: Workload,
    preview: Preview | undefined,
    time: number,
    given: Partial<LogRecord>,
  ): LogRecord {
    const timestamp = new Date(time).toISOString();
    return {
      eventId: `${(count++).toString(16).padStart(8, '0')}-${random.hex(8)}`,
      timestamp,
      ingestedAt: timestamp,
      serverId: workload.server.id,
      workloadId: workload.id,
      workloadName: workload.name,
      deploymentId: preview?.deploymentId ?? workload.deploymentId,
      previewId: preview?.id ?? null,
      environment: preview ? 'preview' : 'production',
      containerId: preview?.containerId ?? workload.containerId,
      service: workload.name,
      severity: 'info',
      stream: 'stdout',
      body: '',
      attributes: {},
      traceId: null,
      spanId: null,
      truncated: false,
      ...given,
    };
  }

  return {
    make(wanted, from, to) {
      return Array.from({ length: wanted }, (_, index) => {
        const time = from + ((to - from) * index) / wanted;
        const body = `GET /api/products/${random.int(500)} 200 ${random.int(90)}ms`;
        return record(random.pick(world.workloads), undefined, time, {
          body,
          traceId: random.hex(32),
          spanId: random.hex(16),
        });
      });
    },
    fill(given, time) {
      const workload = world.workloads.find(
        ({ id, name }) => id === given.workloadId || name === given.workloadName,
      );
      return record(workload ?? world.workloads[0]!, undefined, time, given);
    },
  };
}
