import { createParser } from 'eventsource-parser';
import type { LogRecord } from '../../../src/api/types';
import { ChannelLines } from '../../../src/logs/tail/channelLines';
import type { Figure } from '../figures';
import { interleave, median, medianRatio } from '../statistics';
import { followChunks } from './followChunks';
import { networkChunks, streamBytes, type PageSize } from './streamBytes';

const sizes: readonly [PageSize, string][] = [
  ['mix', 'lines: live mix of pages'],
  [1, 'lines: pages of 1 record'],
  [50, 'lines: pages of 50 records'],
  [500, 'lines: pages of 500 records'],
];

/** Bytes of a stream to formatted lines, compared with the work that every client has to do. */
export async function lines(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [size, what] of sizes) {
    const bytes = streamBytes(records, size);
    const chunks = networkChunks(bytes);
    const speed = async (work: () => number | Promise<number>): Promise<number> => {
      const start = performance.now();
      if ((await work()) === 0) throw new Error('No records were read.');
      return bytes.length / 1000 / (performance.now() - start);
    };
    const speeds = await interleave(
      {
        floor: () => speed(() => floor(chunks)),
        ours: () => speed(() => followChunks(chunks, records.length)),
        stored: () => {
          const store = new ChannelLines(20_000);
          return speed(() => followChunks(chunks, records.length, store));
        },
      },
      { rounds, warmUp: 3 },
    );
    const against = { measure: 'MB/s', other: { name: 'floor', value: median(speeds.floor) } };
    figures.push({
      ...against,
      what,
      ours: median(speeds.ours),
      result: medianRatio(speeds.ours, speeds.floor),
      unit: '×',
      goal: { is: '≥', value: 0.7 },
    });
    if (size === 'mix') {
      figures.push({
        ...against,
        what: '…also kept for hovers and links',
        ours: median(speeds.stored),
        result: medianRatio(speeds.stored, speeds.floor),
        unit: '×',
      });
    }
  }
  return figures;
}

function floor(chunks: readonly Uint8Array[]): number {
  const decoder = new TextDecoder();
  let events = 0;
  const parser = createParser({
    onEvent({ data }) {
      if (typeof JSON.parse(data) === 'object') events++;
    },
  });
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
  return events;
}
