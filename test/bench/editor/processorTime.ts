import type { Figure } from '../figures';
import { streamBytes } from '../pure/streamBytes';
import { explorerPages } from './explorerPages';
import { explorerWindow } from './explorerWindow';
import type { ProcessorTime } from './extension/processorTime';
import { measureInEditor, readRecords } from './inEditor';
import type { EditorRow } from './rows';

const queryPath = '/v1/api/logs/query';

/** The processor time of the extension host while nothing happens, and nothing is open. */
export const idle: EditorRow = async (bench, recordsFile) => {
  const times = (await measureInEditor(bench, {
    row: 'idle',
    rounds: 1,
    recordsFile,
    isCold: true,
    settings: { 'controlPlane.logs.initialLines': 0 },
  })) as ProcessorTime;
  return [
    share('a minute with a live tail without records', times, {
      name: 'without the extension',
      most: 0.3,
    }),
  ];
};

const shown = 100_000;
const seconds = 10;
const perSecond = 100;

/** The processor time of the extension host for small events while many records are shown. */
export const following: EditorRow = async (bench, recordsFile) => {
  const sample = readRecords(recordsFile);
  const pages = explorerPages(sample, shown);
  const times = (await measureInEditor(bench, {
    row: 'following',
    rounds: 1,
    recordsFile,
    serve(server, opened) {
      server.onRequest(queryPath, (body) => pages.answer(body));
      const stream = server.nextStream();
      server.onRequest('/bench/explorer/follow', async () => {
        const explorer = await explorerWindow((await opened).page);
        await explorer.load(shown);
        await explorer.follow();
        await stream;
      });
      server.onRequest('/bench/explorer/send', async () => {
        const to = await stream;
        const start = performance.now();
        for (let event = 0; event < seconds * perSecond; event++) {
          const early = start + (event * 1000) / perSecond - performance.now();
          if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
          const timestamp = new Date().toISOString();
          const record = sample[event % sample.length]!;
          to.write(
            streamBytes(
              [{ ...record, eventId: `new-${event}`, timestamp, ingestedAt: timestamp }],
              1,
            ),
          );
        }
      });
    },
  })) as ProcessorTime;
  return [
    share(`${perSecond} events a second, ${shown.toLocaleString('en')} records shown`, times, {
      name: 'without events',
      most: 10,
    }),
  ];
};

function share(
  what: string,
  { ours, without }: ProcessorTime,
  against: { readonly name: string; readonly most: number },
): Figure {
  return {
    what: `${what}: processor time of the extension host`,
    measure: '% of a core',
    ours: ours * 100,
    other: { name: against.name, value: without * 100 },
    result: (ours - without) * 100,
    unit: '%',
    goal: { is: '≤', value: against.most },
  };
}
