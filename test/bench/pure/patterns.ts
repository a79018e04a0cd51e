import type { LogRecord } from '../../../src/api/types';
import { findPatterns } from '../../../src/logs/explorer/patterns';
import { pauseEvery } from '../../../src/vscode/clock';
import type { Figure } from '../figures';
import { interleave, median } from '../statistics';

const count = 10_000;

/**
 * The patterns of the records that a search loads: the time until they are grouped, and the longest time in
 * which the host does nothing else.
 */
export async function patterns(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const longest: number[] = [];
  const group = async (): Promise<number> => {
    // The template of a record is computed only once.
    const loaded = records.slice(0, count).map((record) => ({ ...record }));
    const start = performance.now();
    let piece = 0;
    let last = start;
    const tick = (): void => {
      const now = performance.now();
      piece = Math.max(piece, now - last);
      last = now;
    };
    const timer = setInterval(tick, 1);
    const found = await findPatterns(loaded, pauseEvery(8));
    clearInterval(timer);
    tick();
    if (found.length < 2) throw new Error('There are no patterns.');
    longest.push(piece);
    return performance.now() - start;
  };
  const warmUp = 2;
  const { whole } = await interleave({ whole: group }, { rounds, warmUp });
  const figure = (what: string, values: readonly number[], most: number): Figure => ({
    what,
    measure: 'ms',
    ours: median(values),
    result: median(values),
    unit: 'ms',
    goal: { is: '≤', value: most },
  });
  return [
    figure(`${count.toLocaleString('en')} records grouped by pattern`, whole, 300),
    figure('…the longest time in which a timer waits', longest.slice(warmUp), 50),
  ];
}
