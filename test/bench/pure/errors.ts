import type { LogRecord } from '../../../src/api/types';
import { ErrorGroups } from '../../../src/logs/errors/errorGroups';
import { pauseEvery } from '../../../src/vscode/clock';
import type { Figure } from '../figures';
import { interleave } from '../statistics';
import { timed, timeFigure } from '../timed';

const count = 100_000;

/** A hundred stacks of 20 frames, of which every fifth is in the workspace. */
const stacks = Array.from({ length: 100 }, (_, stack) =>
  Array.from({ length: 20 }, (_, frame) => {
    const folder = frame % 5 === 1 ? 'src' : 'node_modules/library/lib';
    return `    at step${frame} (/app/${folder}/file${(stack * frame) % 97}.js:${stack + frame}:7)`;
  }).join('\n'),
);

/**
 * Errors grouped by kind, with the files of their stacks: the time for all, and the longest time in which the
 * host does nothing else.
 */
export async function errors(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const longest: number[] = [];
  const group = async (): Promise<number> => {
    // The template of a record is computed only once.
    const loaded = Array.from({ length: count }, (_, index): LogRecord => {
      const record = records[index % records.length];
      if (record === undefined) throw new Error('There are no records.');
      const stack = stacks[index % stacks.length] ?? '';
      // Every second has a stack, with a message of its own.
      const body =
        index % 2 === 0 ? `TypeError: no price of order ${index}\n${stack}` : record.body;
      return { ...record, eventId: `event ${index}`, severity: 'error', body };
    });
    const groups = new ErrorGroups(
      pauseEvery(8),
      (path) => Promise.resolve(path.includes('node_modules') ? undefined : `file://${path}`),
      { records: count, bytes: Infinity },
    );
    const { whole, longestWait } = await timed(() => groups.add(loaded));
    if (groups.kinds.length < 2) throw new Error('There are no kinds.');
    longest.push(longestWait);
    return whole;
  };
  const warmUp = 1;
  const { whole } = await interleave({ whole: group }, { rounds, warmUp });
  return [
    timeFigure(`${count.toLocaleString('en')} errors grouped by kind`, whole, 1000),
    timeFigure('…the longest time in which a timer waits', longest.slice(warmUp), 50),
  ];
}
