import type { Page } from 'playwright';
import { figure } from '../figures';
import { pageOf } from '../streamBytes';
import { workspaceAnswers } from '../workspaceAnswers';
import type { Report } from './extension/extension';
import { queryPath } from './replayServer';
import type { EditorRow } from './rows';

const titles = { warmUp: 'Bench Warm-up', ours: 'Control Plane', raw: 'Bench Raw' };

/**
 * The start of the extension, in a fresh window each time: what its activation costs, compared with an
 * empty extension; from the first *Follow Logs* to its first line; and from the click on the icon of the
 * container to the first row of its tree of 200 sources, compared with an extension whose similar views
 * have these rows in memory.
 */
export const activation: EditorRow = async ({ measure, records: [sample], rounds }) => {
  const { resources } = workspaceAnswers();
  const sources = [...resources.keys()].map((id, index) => ({ id, label: `source ${index}` }));
  const hosts: Report<'activation'>[] = [];
  for (let round = 0; round < rounds; round++) {
    const host = await measure('activation', {
      rounds: 1,
      isCold: true,
      settings: { 'controlPlane.sources': sources },
      answers: (_server, window) => ({
        [queryPath]: () => pageOf([{ ...sample!, body: 'the first record' }]),
        ...Object.fromEntries(
          [...resources].map(([id, text]) => [`/v1/api/sources/${id}/resources`, () => text]),
        ),
        '/bench/firstRow': () => ({ labels: sources.map(({ label }) => label) }),
        '/bench/firstRow/open': async () => {
          const { page } = await window;
          // The first one to open includes work that all need.
          await open(page, 'warmUp');
          const order = round % 2 === 0 ? (['ours', 'raw'] as const) : (['raw', 'ours'] as const);
          const times: Partial<Record<keyof typeof titles, number>> = {};
          for (const one of order) times[one] = await open(page, one);
          return times;
        },
      }),
    });
    hosts.push(host);
  }
  const each = (of: (host: Report<'activation'>) => number): number[] => hosts.map(of);
  const against = (name: string, of: (host: Report<'activation'>) => number) =>
    [name, each(of)] as const;
  const megabyte = 1024 * 1024;
  return [
    figure(
      `load, evaluation and activation, ${rounds} fresh hosts`,
      'ms',
      each(({ ours }) => ours.ms),
      {
        against: against('empty extension', ({ empty }) => empty.ms),
        by: 'difference',
        goal: '≤ 45',
      },
    ),
    figure(
      `…processor time, which a busy machine changes less, ${rounds} fresh hosts`,
      'ms',
      each(({ ours }) => ours.processor),
      {
        against: against('empty extension', ({ empty }) => empty.processor),
        by: 'difference',
      },
    ),
    figure(
      `…heap that it keeps, ${rounds} fresh hosts`,
      'MiB',
      each(({ ours }) => ours.heap / megabyte),
      {
        against: against('empty extension', ({ empty }) => empty.heap / megabyte),
        by: 'difference',
        goal: '≤ 3',
      },
    ),
    figure(
      'the first Follow Logs to its first line',
      'ms',
      each(({ line }) => line),
      { against: against('a new channel', ({ rawLine }) => rawLine), by: 'difference' },
    ),
    figure(
      '…with connecting before it',
      'ms',
      each(({ connecting, line }) => connecting + line),
      { goal: '≤ 1000' },
    ),
    figure(
      'click to first row of 200 sources',
      'ms',
      each(({ rows }) => rows.ours),
      { against: against('rows in memory', ({ rows }) => rows.raw), by: 'ratio', goal: '≤ 1.3' },
    ),
  ];
};

/**
 * Opens a container with its icon; returns the milliseconds, in the page, from the click to the
 * first row.
 */
async function open(page: Page, container: keyof typeof titles): Promise<number> {
  const id = `firstRow${container}`;
  const title = JSON.stringify(titles[container]);
  // Not as the value of the expression: Playwright would wait for it.
  await page.evaluate(`
    void (window.${id} = new Promise((resolve) => {
      let start;
      const look = () => {
        const pane = document.querySelector('.sidebar .composite.title');
        const row = document.querySelector('.sidebar .monaco-list-row .label-name');
        if (start === undefined || !pane?.textContent.toLowerCase().includes(${title}.toLowerCase())) return;
        if (!row?.textContent.startsWith('source ') || row.offsetParent === null) return;
        observer.disconnect();
        resolve(performance.now() - start);
      };
      const observer = new MutationObserver(look);
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      document.addEventListener('mousedown', () => (start = performance.now()), { capture: true, once: true });
    }));
  `);
  await page.locator('.activitybar').getByRole('tab', { name: titles[container] }).click();
  const time = Number(await page.evaluate(`window.${id}`));
  // Lets the window finish opening.
  await page.waitForTimeout(500);
  return time;
}
