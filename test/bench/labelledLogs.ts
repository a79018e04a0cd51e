import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { patternIds } from '../../src/logs/record/patterns';
import { median } from './figures';
import { milliseconds } from './timing';

/** How well the lines of a log are grouped, compared with the groups that people made. */
interface Grouping {
  readonly set: string;
  /** Grouping accuracy: the share of lines whose group is exactly the labelled one. */
  readonly ga: number;
  /** The harmonic mean of the shares of found groups that are labelled ones, and of labelled ones that are found. */
  readonly f1: number;
  readonly groups: number;
  readonly labelled: number;
  /** Milliseconds, the median of some runs. */
  readonly ms: number;
}

/**
 * Groups the lines of each `*_structured.csv` of a folder, with the columns `Content` and `EventId`, and prints how
 * well: a line for each, and at last all as JSON.
 */
export async function printGroupings(folder: string): Promise<void> {
  const ending = '_structured.csv';
  const files = (await readdir(folder)).filter((name) => name.endsWith(ending)).sort();
  if (files.length === 0) throw new Error(`There is no file *${ending} in ${folder}.`);
  const sets: Grouping[] = [];
  for (const file of files) {
    const [head = [], ...rows] = readCsv(await readFile(path.join(folder, file), 'utf8'));
    const column = (name: string): readonly string[] => {
      const index = head.indexOf(name);
      if (index === -1) throw new Error(`${file} has no column ${name}.`);
      return rows.map((row) => row[index] ?? '');
    };
    const set = file.slice(0, -ending.length);
    const grouping = { set, ...compare(column('Content'), column('EventId')) };
    sets.push(grouping);
    const { ga, f1, groups, labelled, ms } = grouping;
    const figures = `GA ${ga.toFixed(3)}  F1 ${f1.toFixed(3)}`;
    console.log(
      `${set.padEnd(20)} ${figures}  groups ${groups} / ${labelled}  ${ms.toFixed(0)} ms`,
    );
  }
  const mean = (of: (set: Grouping) => number): number =>
    sets.reduce((sum, set) => sum + of(set), 0) / sets.length;
  const means = { ga: mean(({ ga }) => ga), f1: mean(({ f1 }) => f1) };
  console.log(`${'mean'.padEnd(20)} GA ${means.ga.toFixed(3)}  F1 ${means.f1.toFixed(3)}`);
  console.log(JSON.stringify({ sets, mean: means }));
}

function compare(lines: readonly string[], labels: readonly string[]): Omit<Grouping, 'set'> {
  let ids: readonly string[] = [];
  const times = Array.from({ length: 5 }, () => milliseconds(() => void (ids = patternIds(lines))));
  const found = indexesBy(ids);
  const labelled = indexesBy(labels);
  let rightLines = 0;
  let rightGroups = 0;
  for (const indexes of found.values()) {
    const group = labelled.get(labels[indexes[0] ?? 0] ?? '');
    if (String(group) !== String(indexes)) continue;
    rightLines += indexes.length;
    rightGroups++;
  }
  return {
    ga: rightLines / lines.length,
    f1: (2 * rightGroups) / (found.size + labelled.size),
    groups: found.size,
    labelled: labelled.size,
    ms: median(times),
  };
}

function indexesBy(values: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, value] of values.entries()) {
    const group = groups.get(value) ?? [];
    groups.set(value, group);
    group.push(index);
  }
  return groups;
}

/** The rows of a CSV text: quoted cells may contain quotes, commas and line breaks. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, bare = '', end = ''] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g,
  )) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end !== ',') rows.push([]);
  }
  // An empty cell is found at the end of the text, and after each line break before it.
  return rows.filter((row) => row.length > 1);
}
