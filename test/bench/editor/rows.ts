import type { LogRecord } from '../../../src/api/types';
import type { Figure } from '../figures';
import { networkChunks, streamBytes } from '../pure/streamBytes';
import { median, medianRatio, percentile } from '../statistics';
import {
  editorsClosed,
  measureInEditor,
  prepareEditorBench,
  readRecords,
  type EditorBench,
} from './inEditor';
import { writeAll } from './replayServer';
import type { Burst } from './extension/burst';
import type { Latency } from './extension/latency';
import type { Throughput } from './extension/throughput';

/** One row that is measured in a real VS Code. */
export type EditorRow = (
  bench: EditorBench,
  recordsFile: string,
  rounds: number,
) => Promise<Figure[]>;

export { activation } from './activation';
export { explorerFirstPage, explorerLoaded } from './explorer';
export { following, idle } from './processorTime';
export { typing } from './typing';
export { editorsClosed, prepareEditorBench };

const count = 50_000;

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** A stream of the sample, repeated; the last record has the text `end`. */
function manyRecords(records: readonly LogRecord[], end: string): Uint8Array[] {
  const many = Array.from({ length: count }, (_, index) => ({
    ...records[index % records.length]!,
    eventId: `many-${index}`,
  }));
  const [last] = many.splice(-1);
  return networkChunks(streamBytes([...many, { ...(last as LogRecord), body: end }], 'mix'));
}

export const throughput: EditorRow = async (bench, recordsFile, rounds) => {
  const end = 'this is the last of them';
  const chunks = manyRecords(readRecords(recordsFile), end);
  const result = (await measureInEditor(bench, {
    row: 'throughput',
    rounds,
    recordsFile,
    settings: { 'controlPlane.logs.maxLines': 100_000, 'controlPlane.logs.initialLines': 0 },
    serve(server) {
      server.onRequest('/bench/throughput', () => ({ count: count - 1, end }));
      server.onRequest('/bench/throughput/go', async () => {
        const stream = await server.nextStream();
        const start = now();
        void writeAll(stream, chunks);
        return { start };
      });
    },
  })) as Throughput;
  const against = (what: string, name: string, other: number[]): Figure => ({
    what,
    measure: 'records/ms',
    ours: count / median(result.ours),
    other: { name, value: count / median(other) },
    result: medianRatio(other, result.ours),
    unit: '×',
    goal: { is: '≥', value: 0.9 },
  });
  return [
    against('one burst of 50,000 records to visible', 'read, parse, append', result.bare),
    against('…against the append alone, record by record', 'raw append', result.raw),
  ];
};

export const latency: EditorRow = async (bench, recordsFile, rounds) => {
  const [sample] = readRecords(recordsFile);
  const result = (await measureInEditor(bench, {
    row: 'latency',
    rounds: rounds * 6,
    recordsFile,
    settings: { 'controlPlane.logs.initialLines': 0 },
    serve(server) {
      const stream = server.nextStream();
      server.onRequest('/bench/latency', async () => {
        await stream;
        return {};
      });
      server.onRequest('/bench/latency/write', async (body) => {
        const { round } = body as { round: number };
        const timestamp = new Date().toISOString();
        const record = { ...sample!, timestamp, ingestedAt: timestamp };
        const one = { ...record, eventId: `probe-${round}`, body: `probe ${round};` };
        const opened = await stream;
        const start = now();
        opened.write(streamBytes([one], 1));
        return { start };
      });
    },
  })) as Latency;
  const figure = (what: string, share: number, most: number): Figure => {
    const ours = percentile(result.ours, share);
    const raw = percentile(result.raw, share);
    return {
      what,
      measure: 'ms',
      ours,
      other: { name: 'raw append', value: raw },
      result: ours - raw,
      unit: 'ms',
      goal: { is: '≤', value: most },
    };
  };
  return [
    figure("server's write to visible line, p50", 0.5, 30),
    figure("server's write to visible line, p99", 0.99, 150),
  ];
};

const burstSeconds = 10;
const ticksPerSecond = 50;

export const burst: EditorRow = async (bench, recordsFile) => {
  const end = 'this is the last of the burst';
  const perTick = count / ticksPerSecond;
  const records = readRecords(recordsFile);
  // The ids of twenty thousand records are distinct; the tail remembers fewer.
  const ticks = Array.from({ length: records.length / perTick }, (_, index) =>
    streamBytes(records.slice(index * perTick, (index + 1) * perTick), 500),
  );
  const result = (await measureInEditor(bench, {
    row: 'burst',
    rounds: 1,
    recordsFile,
    settings: { 'controlPlane.logs.initialLines': 0 },
    serve(server) {
      server.onRequest('/bench/burst/go', async () => {
        const stream = await server.nextStream();
        const start = now();
        for (let tick = 0; tick < burstSeconds * ticksPerSecond; tick++) {
          const early = start + (tick * 1000) / ticksPerSecond - now();
          if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
          await writeAll(stream, [ticks[tick % ticks.length] ?? new Uint8Array()]);
        }
        const last = { ...records[0]!, eventId: 'last', body: end };
        await writeAll(stream, [streamBytes([last], 1)]);
        return { seconds: (now() - start) / 1000, end };
      });
    },
  })) as Burst;
  const lag = { measure: 'ms', unit: 'ms' };
  return [
    {
      ...lag,
      what: 'burst of 1,000,000 records: event-loop lag, p99',
      ours: result.lagP99,
      result: result.lagP99,
      goal: { is: '≤', value: 50 },
    },
    {
      ...lag,
      what: '…at most',
      ours: result.lagMax,
      result: result.lagMax,
      goal: { is: '≤', value: 200 },
    },
    {
      what: '…received (100,000 records/s are sent if they are read as fast)',
      measure: 's',
      ours: result.seconds,
      result: result.seconds,
      unit: 's',
    },
  ];
};
