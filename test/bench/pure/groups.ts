import type { LogRecord } from '../../../src/api/types';
import { ErrorGroups } from '../../../src/logs/errors/errorGroups';
import { comparePatterns } from '../../../src/logs/explorer/patternChanges';
import { findPatterns, RecordPatterns } from '../../../src/logs/explorer/recordPatterns';
import { setsApart } from '../../../src/logs/explorer/setsApart';
import { pauseEvery } from '../../../src/vscode/systemClock';
import { figure, type Figure } from '../figures';
import { repeated } from '../sampleRecords';
import { interleaveWithWaits } from '../timing';

const shortWait = '…the longest time in which a timer waits';
const number = (count: number): string => count.toLocaleString('en');

/**
 * The patterns of the records that a search loads: the time until they are grouped, and the longest time in
 * which the host does nothing else.
 */
export async function patterns(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const [few, many] = [10_000, 100_000];
  const group = async (loaded: readonly LogRecord[]): Promise<void> => {
    const found = await findPatterns(loaded, new RecordPatterns(), pauseEvery(4), () => true);
    someOf(found ?? []);
  };
  const { times, waits } = await interleaveWithWaits(
    {
      few: () => repeated(records, few),
      many: () => repeated(records, many),
      distinct: () => repeated(records, many, (_, index) => ({ body: wordsOf(index) })),
    },
    group,
    { rounds, warmUp: 2 },
  );
  return [
    figure(`${number(few)} records grouped by pattern`, 'ms', times.few, { goal: '≤ 300' }),
    figure(`${number(many)} records`, 'ms', times.many, { goal: '≤ 3000' }),
    figure(`${number(many)} records that have nothing in common`, 'ms', times.distinct, {
      goal: '≤ 3000',
    }),
    figure(shortWait, 'ms', waits, { goal: '≤ 12' }),
  ];
}

/** The comparison of two sides once they are read: the time until it is shown. */
export async function comparison(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const each = 50_000;
  const { times, waits } = await interleaveWithWaits(
    { both: () => repeated(records, 2 * each) },
    async (both) => {
      const sideOf = (side: readonly LogRecord[]) => ({
        records: side,
        read: [{ from: 0, to: 3_600_000 }],
      });
      const [now, before] = [sideOf(both.slice(0, each)), sideOf(both.slice(each))];
      const pause = pauseEvery(8);
      someOf(await comparePatterns(now, before, 'time', new RecordPatterns(), pause));
      await setsApart(now.records, before.records, pause);
    },
    { rounds, warmUp: 1 },
  );
  return [
    figure(`2 × ${number(each)} records compared`, 'ms', times.both, { goal: '≤ 3000' }),
    figure(shortWait, 'ms', waits, { goal: '≤ 50' }),
  ];
}

/** Errors grouped by kind, with the files of their stacks. */
export async function errors(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const count = 100_000;
  const { times, waits } = await interleaveWithWaits(
    {
      all: () =>
        repeated(records, count, ({ body }, index) => ({
          eventId: `event ${index}`,
          severity: 'error',
          // Every second has a stack, with a message of its own.
          body:
            index % 2 === 0
              ? `TypeError: no price of order ${index}\n${stacks[index % stacks.length] ?? ''}`
              : body,
        })),
    },
    async (loaded) => {
      const groups = new ErrorGroups(
        pauseEvery(8),
        ({ path, line }) =>
          Promise.resolve(
            path.includes('node_modules') ? undefined : { file: `file://${path}`, line },
          ),
        undefined,
        { records: count, bytes: Infinity },
      );
      await groups.add(loaded);
      someOf(groups.kinds);
    },
    { rounds, warmUp: 1 },
  );
  return [
    figure(`${number(count)} errors grouped by kind`, 'ms', times.all, { goal: '≤ 1000' }),
    figure(shortWait, 'ms', waits, { goal: '≤ 50' }),
  ];
}

/** A hundred stacks of 20 frames, of which every fifth is in the workspace. */
const stacks = Array.from({ length: 100 }, (_, stack) =>
  Array.from({ length: 20 }, (_, frame) => {
    const folder = frame % 5 === 1 ? 'src' : 'node_modules/library/lib';
    return `    at step${frame} (/app/${folder}/file${(stack * frame) % 97}.js:${stack + frame}:7)`;
  }).join('\n'),
);

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

function someOf(found: readonly unknown[]): void {
  if (found.length < 2) throw new Error('They are not grouped.');
}
