import { readFileSync } from 'node:fs';
import type { LogRecord } from '../../../src/api/types';
import type { Figure } from '../figures';
import { median, medianDifference, medianRatio } from '../statistics';
import { explorerPages, onePage } from './explorerPages';
import { explorerWindow, type ExplorerWindow, type Frames } from './explorerWindow';
import type { EnteredSearch, FirstPage } from './extension/explorer';
import { measureInEditor } from './inEditor';
import type { EditorRow } from './rows';

const queryPath = '/v1/api/logs/query';
const count = 100_000;

function readRecords(file: string): LogRecord[] {
  return JSON.parse(readFileSync(file, 'utf8')) as LogRecord[];
}

/** From Enter in the query bar until the first page is painted, compared with the page alone. */
export const explorerFirstPage: EditorRow = async (bench, recordsFile, rounds) => {
  const sample = readRecords(recordsFile);
  const { ours, bare } = (await measureInEditor(bench, {
    row: 'explorerFirstPage',
    rounds,
    recordsFile,
    serve(server, opened) {
      let explorer: Promise<ExplorerWindow> | undefined;
      server.onRequest('/bench/explorer/enter', async (body): Promise<EnteredSearch> => {
        const { round } = body as { round: number };
        explorer ??= opened.then(({ page }) => explorerWindow(page));
        const text = `round ${round};`;
        const page = onePage(sample, text);
        let request: unknown;
        server.onRequest(queryPath, (asked) => {
          request = asked;
          return page;
        });
        const milliseconds = await (await explorer).enter(`"round ${round}" last:15m`, text);
        return { milliseconds, request };
      });
    },
  })) as FirstPage;
  return [
    {
      what: 'Enter to the first page of 500 records painted',
      measure: 'ms',
      ours: median(ours),
      other: { name: 'fetch and JSON.parse', value: median(bare) },
      result: medianDifference(ours, bare),
      unit: 'ms',
      goal: { is: '≤', value: 120 },
    },
  ];
};

/**
 * 100,000 records: the heap that they add to the process of the page (the window's process if VS Code
 * runs in a browser), compared with the same page without records; then frames while scrolling through the
 * whole list, 300 frames each way, each with other rows than the previous one. Their duration also
 * depends on the machine, so they are compared with as many idle frames. Once, since that takes long.
 */
export const explorerLoaded: EditorRow = async (bench, recordsFile) => {
  const pages = explorerPages(readRecords(recordsFile), count);
  const { heap, off, on, rest } = (await measureInEditor(bench, {
    row: 'explorerLoaded',
    rounds: 1,
    recordsFile,
    serve(server, opened) {
      server.onRequest(queryPath, (body) => pages.answer(body));
      server.onRequest('/bench/explorer/measure', async (): Promise<Loaded> => {
        const explorer = await explorerWindow((await opened).page);
        const before = await explorer.heap();
        await explorer.load(count);
        const heap = (await explorer.heap()) - before;
        await explorer.setWrap(false);
        const rest = [await explorer.rest()];
        const off = [await explorer.scroll()];
        await explorer.setWrap(true);
        const on = [await explorer.scroll()];
        return { heap, off, on, rest };
      });
    },
  })) as Loaded;
  const megabyte = 1024 * 1024;
  return [
    {
      what: 'heap of the page with them, without that of an empty one',
      measure: 'MB',
      ours: heap / megabyte,
      other: { name: "the records' JSON", value: pages.bytes / megabyte },
      result: medianRatio([heap], [pages.bytes]),
      unit: '×',
      goal: { is: '≤', value: 2.5 },
    },
    ...framesOf('scrolled, long lines', off, rest),
    ...framesOf('scrolled, lines that wrap', on, rest),
  ];
};

interface Loaded {
  /** Bytes. */
  readonly heap: number;
  readonly off: Frames[];
  readonly on: Frames[];
  readonly rest: Frames[];
}

/** At 60 frames a second, about three frames take 50 ms. */
const isTooLong = (milliseconds: number): boolean => Math.round(milliseconds) > 50;

function framesOf(what: string, ours: readonly Frames[], rest: readonly Frames[]): Figure[] {
  const longest = (all: readonly Frames[]): number[] =>
    all.map(({ frames }) => Math.max(...frames));
  const over = (all: readonly Frames[]): number =>
    all.flatMap(({ frames }) => frames).filter(isTooLong).length;
  const tasks = (all: readonly Frames[]): number =>
    all.flatMap(({ longTasks }) => longTasks).length;
  const number = ours.flatMap(({ frames }) => frames).length.toLocaleString('en');
  return [
    {
      what: `${what}: the longest frame`,
      measure: 'ms',
      ours: median(longest(ours)),
      other: { name: 'at rest', value: median(longest(rest)) },
      result: median(longest(ours)),
      unit: 'ms',
      goal: { is: '≤', value: 50 },
    },
    {
      what: `…frames over 50 ms, of ${number}`,
      measure: 'frames',
      ours: over(ours),
      other: { name: 'at rest', value: over(rest) },
      result: over(ours),
      unit: 'frames',
      goal: { is: '≤', value: 0 },
    },
    {
      what: '…tasks over 50 ms',
      measure: 'tasks',
      ours: tasks(ours),
      other: { name: 'at rest', value: tasks(rest) },
      result: tasks(ours),
      unit: 'tasks',
      goal: { is: '≤', value: 0 },
    },
  ];
}
