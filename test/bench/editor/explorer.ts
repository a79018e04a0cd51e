import type { LogRecord } from '../../../src/api/types';
import { figure, type Figure } from '../figures';
import { repeated } from '../sampleRecords';
import { pageOf, streamBytes } from '../streamBytes';
import { ExplorerWindow, type Frames } from './explorerWindow';
import { atRate, queryPath } from './replayServer';
import type { EditorRow } from './rows';

const count = 100_000;
/** The most records of a page that the contract allows. */
const pageLength = 500;

/** A result of this many records, as pages of prepared text, and the size of all records as JSON, in bytes. */
function explorerPages(sample: readonly LogRecord[], length: number) {
  const newest = Date.now();
  const reversed = [...sample].reverse();
  const records = repeated(reversed, length, (_, index) => {
    const timestamp = new Date(newest - index * 10).toISOString();
    return { eventId: `explorer-${index}`, timestamp, ingestedAt: timestamp };
  });
  const pages: string[] = [];
  let bytes = 0;
  for (let from = 0; from < length; from += pageLength) {
    const part = records.slice(from, from + pageLength);
    bytes += Buffer.byteLength(JSON.stringify(part));
    const next = from + pageLength < length ? { nextCursor: String(pages.length + 1) } : {};
    pages.push(JSON.stringify(pageOf(part, next)));
  }
  const answer = (asked: unknown): unknown => {
    const { cursor = '0', direction } = asked as { cursor?: string; direction?: string };
    // The first page has the newest.
    return (direction === 'newer' ? undefined : pages[Number(cursor)]) ?? pageOf([]);
  };
  return { pages, bytes, answer };
}

/** From Enter in the query bar until the first page is painted, compared with the page alone. */
export const explorerFirstPage: EditorRow = async ({ measure, records, rounds }) => {
  const { ours, bare } = await measure('explorerFirstPage', {
    rounds,
    answers(server, opened) {
      let explorer: Promise<ExplorerWindow> | undefined;
      return {
        '/bench/explorer/enter': async (asked) => {
          const { text } = asked as { text: string };
          explorer ??= opened.then(({ page }) => ExplorerWindow.in(page));
          const [newest, ...others] = records.slice(-pageLength).reverse();
          const { pages } = explorerPages(
            [{ ...newest!, body: text }, ...others].reverse(),
            pageLength,
          );
          let request: unknown;
          server.answer({
            [queryPath]: (body) => {
              request = body;
              return pages[0];
            },
          });
          const query = `"${text.slice(0, -1)}" last:15m`;
          return { milliseconds: await (await explorer).enter(query, text), request };
        },
      };
    },
  });
  const against = ['fetch and JSON.parse', bare] as const;
  const what = 'Enter to the first page of 500 records painted';
  return [figure(what, 'ms', ours, { against, by: 'difference', goal: '≤ 120' })];
};

/** What 100,000 records take in the page. */
export interface Loaded {
  /** Bytes. */
  readonly heap: number;
  readonly rest: Frames;
  readonly long: Frames;
  readonly wrapped: Frames;
}

/**
 * 100,000 records: the heap that they add to the process of the page (the window's process if VS Code
 * runs in a browser), compared with the same page without records; then frames while scrolling through the
 * whole list, 300 frames each way, each with other rows than the previous one. Their duration also
 * depends on the machine, so they are compared with as many idle frames. Once, since that takes long.
 */
export const explorerLoaded: EditorRow = async ({ measure, records }) => {
  const { answer, bytes } = explorerPages(records, count);
  const { heap, rest, long, wrapped } = await measure('explorerLoaded', {
    rounds: 1,
    answers: (_server, opened) => ({
      [queryPath]: answer,
      '/bench/explorer/measure': async (): Promise<Loaded> => {
        const explorer = await ExplorerWindow.in((await opened).page);
        const before = await explorer.heap();
        await explorer.load(count);
        const added = (await explorer.heap()) - before;
        await explorer.setWrap(false);
        const atRest = await explorer.frames('rest');
        const withoutWrap = await explorer.frames('scroll');
        await explorer.setWrap(true);
        const withWrap = await explorer.frames('scroll');
        return { heap: added, rest: atRest, long: withoutWrap, wrapped: withWrap };
      },
    }),
  });
  const megabyte = 1024 * 1024;
  const against = ["the records' JSON", bytes / megabyte] as const;
  const what = 'heap of the page with them, without that of an empty one';
  return [
    figure(what, 'MB', heap / megabyte, { against, by: 'ratio', goal: '≤ 2.5' }),
    ...framesOf('scrolled, long lines', long, rest),
    ...framesOf('scrolled, lines that wrap', wrapped, rest),
  ];
};

function framesOf(what: string, ours: Frames, rest: Frames): Figure[] {
  const longest = ({ frames }: Frames): number => Math.max(...frames);
  // At 60 frames a second, about three frames take 50 ms.
  const over = ({ frames }: Frames): number =>
    frames.filter((milliseconds) => Math.round(milliseconds) > 50).length;
  const tasks = ({ longTasks }: Frames): number => longTasks.length;
  const atRest = (of: (some: Frames) => number) => ['at rest', of(rest)] as const;
  const number = ours.frames.length.toLocaleString('en');
  return [
    figure(`${what}: the longest frame`, 'ms', longest(ours), {
      against: atRest(longest),
      goal: '≤ 50',
    }),
    figure(`…frames over 50 ms, of ${number}`, 'frames', over(ours), {
      against: atRest(over),
      goal: '≤ 0',
    }),
    figure('…tasks over 50 ms', 'tasks', tasks(ours), { against: atRest(tasks), goal: '≤ 0' }),
  ];
}

/** The processor time of the extension host for small events while many records are shown. */
export const following: EditorRow = async ({ measure, records }) => {
  const [seconds, perSecond] = [10, 100];
  const { answer } = explorerPages(records, count);
  const { ours, without } = await measure('following', {
    rounds: 1,
    answers(server, opened) {
      const stream = server.nextStream();
      return {
        [queryPath]: answer,
        '/bench/explorer/follow': async () => {
          const explorer = await ExplorerWindow.in((await opened).page);
          await explorer.load(count);
          await explorer.follow();
          await stream;
        },
        '/bench/explorer/send': async () => {
          const to = await stream;
          await atRate(perSecond, seconds * perSecond, (event) => {
            const timestamp = new Date().toISOString();
            const times = { timestamp, ingestedAt: timestamp };
            const record = { ...records[event % records.length]!, ...times };
            to.write(streamBytes([{ ...record, eventId: `new-${event}` }], 1));
          });
        },
      };
    },
  });
  const events = `${perSecond} events a second, ${count.toLocaleString('en')} records shown`;
  const what = `${events}: processor time of the extension host`;
  const against = ['without events', without] as const;
  return [figure(what, '% of a core', ours, { against, by: 'difference', goal: '≤ 10' })];
};
