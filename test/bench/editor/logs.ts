import { figure, percentile, type Figure } from '../figures';
import { repeated } from '../sampleRecords';
import { networkChunks, streamBytes } from '../streamBytes';
import { atRate, writeAll } from './replayServer';
import type { EditorRow } from './rows';

/** So that only the stream is followed. */
const noHistory = { 'controlPlane.logs.initialLines': 0 };

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** A burst until all of it is visible. */
export const throughput: EditorRow = async ({ measure, records, rounds }) => {
  const count = 50_000;
  const end = 'this is the last of them';
  const many = repeated(records, count, ({ body }, index) => ({
    eventId: `many-${index}`,
    body: index === count - 1 ? end : body,
  }));
  const chunks = networkChunks(streamBytes(many, 'mix'));
  const { ours, bare, raw } = await measure('throughput', {
    rounds,
    settings: { ...noHistory, 'controlPlane.logs.maxLines': 100_000 },
    answers: (server) => ({
      '/bench/throughput': () => ({ count: count - 1, end }),
      '/bench/throughput/go': async () => {
        const stream = await server.nextStream();
        const start = now();
        void writeAll(stream, chunks);
        return { start };
      },
    }),
  });
  const against = (what: string, name: string, times: readonly number[]): Figure => {
    const [own, other] = [ours, times].map((all) => all.map((time) => count / time));
    const judged = { against: [name, other!], by: 'ratio', goal: '≥ 0.9' } as const;
    return figure(what, 'records/ms', own!, judged);
  };
  return [
    against('one burst of 50,000 records to visible', 'read, parse, append', bare),
    against('…against the append alone, record by record', 'raw append', raw),
  ];
};

/** One record until it is visible. */
export const latency: EditorRow = async ({ measure, records, rounds }) => {
  const { ours, raw } = await measure('latency', {
    rounds: rounds * 6,
    settings: noHistory,
    answers(server) {
      const stream = server.nextStream();
      return {
        '/bench/latency': async () => {
          await stream;
        },
        '/bench/latency/write': async (asked) => {
          const { text: body } = asked as { text: string };
          const timestamp = new Date().toISOString();
          const times = { timestamp, ingestedAt: timestamp };
          const bytes = streamBytes([{ ...records[0]!, ...times, eventId: body, body }], 1);
          const opened = await stream;
          const start = now();
          opened.write(bytes);
          return { start };
        },
      };
    },
  });
  const at = (share: number, goal: '≤ 30' | '≤ 150'): Figure => {
    const against = ['raw append', percentile(raw, share)] as const;
    const what = `server's write to visible line, p${share * 100}`;
    return figure(what, 'ms', percentile(ours, share), { against, by: 'difference', goal });
  };
  return [at(0.5, '≤ 30'), at(0.99, '≤ 150')];
};

/** More records than any window shows, for some seconds. */
export const burst: EditorRow = async ({ measure, records }) => {
  const [seconds, perSecond, ticksPerSecond] = [10, 100_000, 50];
  const end = 'this is the last of the burst';
  const perTick = perSecond / ticksPerSecond;
  // The ids of twenty thousand records are distinct; the tail remembers fewer.
  const ticks = Array.from({ length: records.length / perTick }, (_, index) =>
    streamBytes(records.slice(index * perTick, (index + 1) * perTick), 500),
  );
  const lag = await measure('burst', {
    rounds: 1,
    settings: noHistory,
    answers: (server) => ({
      '/bench/burst/go': async () => {
        const stream = await server.nextStream();
        const start = now();
        await atRate(ticksPerSecond, seconds * ticksPerSecond, (tick) =>
          writeAll(stream, [ticks[tick % ticks.length]!]),
        );
        const last = { ...records[0]!, eventId: 'last', body: end };
        await writeAll(stream, [streamBytes([last], 1)]);
        return { seconds: (now() - start) / 1000, end };
      },
    }),
  });
  const received = '…received (100,000 records/s are sent if they are read as fast)';
  return [
    figure('burst of 1,000,000 records: event-loop lag, p99', 'ms', lag.lagP99, { goal: '≤ 50' }),
    figure('…at most', 'ms', lag.lagMax, { goal: '≤ 200' }),
    figure(received, 's', lag.seconds),
  ];
};

/** The processor time of the extension host while nothing happens, and nothing is open. */
export const idle: EditorRow = async ({ measure }) => {
  const { ours, without } = await measure('idle', {
    rounds: 1,
    isCold: true,
    settings: noHistory,
  });
  const what = 'a minute with a live tail without records: processor time of the extension host';
  const against = ['without the extension', without] as const;
  return [figure(what, '% of a core', ours, { against, by: 'difference', goal: '≤ 0.3' })];
};
