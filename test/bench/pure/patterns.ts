import type { LogRecord } from '../../../src/api/types';
import { findPatterns, RecordPatterns } from '../../../src/logs/explorer/patterns';
import { pauseEvery } from '../../../src/vscode/clock';
import type { Figure } from '../figures';
import { interleave } from '../statistics';
import { timed, timeFigure } from '../timed';

const few = 10_000;
const many = 100_000;

/**
 * The patterns of the records that a search loads: the time until they are grouped, and the longest time in
 * which the host does nothing else.
 */
export async function patterns(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const longest: number[] = [];
  const group =
    (count: number, bodyOf: (record: LogRecord, index: number) => string) =>
    async (): Promise<number> => {
      // The pattern of a record is computed only once.
      const loaded = Array.from({ length: count }, (_, index) => {
        const record = records[index % records.length];
        if (record === undefined) throw new Error('There are no records.');
        return { ...record, body: bodyOf(record, index) };
      });
      let found: readonly unknown[] | undefined;
      const { whole, longestWait } = await timed(async () => {
        found = await findPatterns(loaded, new RecordPatterns(), pauseEvery(4), () => true);
      });
      if ((found?.length ?? 0) < 2) throw new Error('There are no patterns.');
      longest.push(longestWait);
      return whole;
    };
  const warmUp = 2;
  const { whole, large, distinct } = await interleave(
    {
      whole: group(few, ({ body }) => body),
      large: group(many, ({ body }) => body),
      distinct: group(many, (_, index) => wordsOf(index)),
    },
    { rounds, warmUp },
  );
  const count = (records: number): string => records.toLocaleString('en');
  return [
    timeFigure(`${count(few)} records grouped by pattern`, whole, 300),
    timeFigure(`${count(many)} records`, large, 3000),
    timeFigure(`${count(many)} records that have nothing in common`, distinct, 3000),
    timeFigure('…the longest time in which a timer waits', longest.slice(3 * warmUp), 12),
  ];
}

/** A line of ten words, another one for each index. */
function wordsOf(index: number): string {
  const words: string[] = [];
  for (let word = 0, seed = index + 1; word < 10; word++) {
    seed = (seed * 48_271) % 2_147_483_647;
    words.push(
      seed.toString(36).replace(/\d/g, (digit) => String.fromCharCode(97 + Number(digit))),
    );
  }
  return words.join(' ');
}
