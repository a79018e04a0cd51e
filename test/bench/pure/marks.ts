import type { LogRecord } from '../../../src/api/types';
import type { ErrorKind } from '../../../src/logs/errors/errorKind';
import { linesIn, type LineMapping, mapLines } from '../../../src/commits/lineMapping';
import { lineMarks } from '../../../src/logs/errors/marks';
import { lineText, type MarkTexts } from '../../../src/logs/errors/markText';
import { createNumbers } from '../../../src/base/textFormat';
import { TimeFormat } from '../../../src/base/timeFormat';
import type { Figure } from '../figures';
import { codeLines, edited, lineCount, markCount, markedLines } from '../markedCode';
import { interleave, median } from '../statistics';

const deployments = 2;
const file = 'file:///code/large.ts';
const t: MarkTexts['t'] = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)]));
const texts: MarkTexts = {
  t,
  number: createNumbers({ t, locale: 'en', textLocale: 'en' }).number,
  timeFormat: new TimeFormat(
    () => ({}),
    () => 'utc',
    () => Date.now(),
    'en',
  ),
};

/**
 * The marks of errors in a large file whose deployed commits differ from it: what the host computes when the
 * file is opened, and after a pause of typing. Compared with splitting the same texts into lines.
 */
export async function marks([record]: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  if (record === undefined) throw new Error('There are no records.');
  const now = codeLines();
  const current = now.join('\n');
  const deployed = Array.from({ length: deployments }, (_, index) =>
    edited(now, 40 * (index + 1)).join('\n'),
  );
  const kinds = markedLines().map((line, index) => kindAt(record, line, index % deployments));
  const spotted = kinds.flatMap((kind) => kind.spots.map((spot) => ({ kind, spot })));

  const split = (): number => timed(() => [current, ...deployed].map(linesIn));
  const map = (): number => {
    const [before, after] = [linesIn(deployed[0] ?? ''), linesIn(current)] as const;
    return timed(() => mapLines(before, after)(lineCount / 2));
  };
  const open = (): number =>
    timed(() => {
      const lines = linesIn(current);
      const mappings = new Map<string | null, LineMapping>();
      deployed.forEach((text, index) => mappings.set(`${index}`, mapLines(linesIn(text), lines)));
      const found = lineMarks(spotted, ({ line, deploymentId }) => {
        const place = mappings.get(deploymentId)?.(line);
        return place && { ...place, sha: undefined };
      });
      if (found.length < markCount * 0.9) throw new Error(`There are ${found.length} marks.`);
      found.forEach((mark) => lineText(mark, texts));
    });

  const times = await interleave({ split, map, open }, { rounds: rounds * 3, warmUp: 5 });
  const figure = (what: string, values: readonly number[], most: number): Figure => ({
    what,
    measure: 'ms',
    ours: median(values),
    other: { name: 'split into lines', value: median(times.split) },
    result: median(values),
    unit: 'ms',
    goal: { is: '≤', value: most },
  });
  const size = lineCount.toLocaleString('en');
  return [
    figure(`lines of a file of ${size} lines mapped to those of now`, times.map, 5),
    figure(`${markCount} marks in it, from ${deployments} deployments`, times.open, 20),
  ];
}

function kindAt(record: LogRecord, line: number, deployment: number): ErrorKind {
  const { workloadId, timestamp: lastSeen } = record;
  const template = `TypeError: no value ${line} (deployment ${deployment})`;
  const spot = { file, line, deploymentId: `${deployment}`, workloadId, count: 1, lastSeen };
  return {
    ...{ key: template, template, severity: 'error', count: 1, first: record, last: record },
    ...{ records: [record], workloads: [], deployments: [], spots: [spot], change: undefined },
  };
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
