import type { LogRecord } from '../../../src/api/types';
import { comparePatterns } from '../../../src/logs/explorer/patternChanges';
import { RecordPatterns } from '../../../src/logs/explorer/patterns';
import { setsApart } from '../../../src/logs/explorer/setsApart';
import { pauseEvery } from '../../../src/vscode/clock';
import type { Figure } from '../figures';
import { interleave } from '../statistics';
import { timed, timeFigure } from '../timed';

const each = 50_000;

/**
 * The comparison of two sides once they are read: the time until it is shown, and the longest time in which the
 * host does nothing else.
 */
export async function comparison(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const longest: number[] = [];
  const sideOf = (first: number) => ({
    // The pattern of a record is computed only once.
    records: Array.from({ length: each }, (_, index): LogRecord => {
      const record = records[(first + index) % records.length];
      if (record === undefined) throw new Error('There are no records.');
      return { ...record };
    }),
    read: [{ from: 0, to: 3_600_000 }],
  });
  const compare = async (): Promise<number> => {
    const [now, before] = [sideOf(0), sideOf(each)];
    const pause = pauseEvery(8);
    let found = 0;
    const { whole, longestWait } = await timed(async () => {
      const changes = await comparePatterns(now, before, 'time', new RecordPatterns(), pause);
      await setsApart(now.records, before.records, pause);
      found = changes.length;
    });
    if (found < 2) throw new Error('There are no patterns.');
    longest.push(longestWait);
    return whole;
  };
  const warmUp = 1;
  const { whole } = await interleave({ whole: compare }, { rounds, warmUp });
  const count = each.toLocaleString('en');
  return [
    timeFigure(`2 × ${count} records compared`, whole, 3000),
    timeFigure('…the longest time in which a timer waits', longest.slice(warmUp), 50),
  ];
}
