import type { LogRecord } from '../../../src/api/types';
import { findPatterns, RecordPatterns } from '../../../src/logs/explorer/patterns';
import { pauseEvery } from '../../../src/vscode/clock';
import type { Figure } from '../figures';
import { interleave } from '../statistics';
import { timed, timeFigure } from '../timed';

const count = 10_000;

/**
 * The patterns of the records that a search loads: the time until they are grouped, and the longest time in
 * which the host does nothing else.
 */
export async function patterns(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const longest: number[] = [];
  const group = async (): Promise<number> => {
    // The pattern of a record is computed only once.
    const loaded = records.slice(0, count).map((record) => ({ ...record }));
    let found: readonly unknown[] | undefined;
    const { whole, longestWait } = await timed(async () => {
      found = await findPatterns(loaded, new RecordPatterns(), pauseEvery(8), () => true);
    });
    if ((found?.length ?? 0) < 2) throw new Error('There are no patterns.');
    longest.push(longestWait);
    return whole;
  };
  const warmUp = 2;
  const { whole } = await interleave({ whole: group }, { rounds, warmUp });
  return [
    timeFigure(`${count.toLocaleString('en')} records grouped by pattern`, whole, 300),
    timeFigure('…the longest time in which a timer waits', longest.slice(warmUp), 50),
  ];
}
