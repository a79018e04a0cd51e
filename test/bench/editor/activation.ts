import type { Page } from 'playwright-core';
import type { Figure } from '../figures';
import { median, medianDifference, medianRatio } from '../statistics';
import { workspaceAnswers } from '../workspaceAnswers';
import type { Activation, Cost } from './extension/activation';
import type { FirstRow, FirstRowTask } from './extension/firstRow';
import { measureInEditor, readRecords } from './inEditor';
import { pageOf } from './replayServer';
import type { EditorRow } from './rows';

const titles = { warmUp: 'Bench Warm-up', ours: 'Control Plane', raw: 'Bench Raw' };

/**
 * The start of the extension, in a fresh window each time: what its activation costs, compared with an
 * empty extension; from the first *Follow Logs* to its first line; and from the click on the icon of the
 * container to the first row of its tree of 200 sources, compared with an extension whose similar views
 * have these rows in memory.
 */
export const activation: EditorRow = async (bench, recordsFile, rounds) => {
  const [sample] = readRecords(recordsFile);
  const { resources } = workspaceAnswers();
  const sources = [...resources.keys()].map((id, index) => ({ id, label: `source ${index}` }));
  const hosts: (Activation & FirstRow)[] = [];
  for (let round = 0; round < rounds; round++) {
    const host = await measureInEditor(bench, {
      row: 'activation',
      rounds: round,
      recordsFile,
      isCold: true,
      settings: { 'controlPlane.sources': sources },
      serve(server, window) {
        const records = [{ ...sample!, body: 'the first record' }];
        server.onRequest('/v1/api/logs/query', () => pageOf(records, undefined));
        for (const [id, text] of resources) {
          server.onRequest(`/v1/api/sources/${id}/resources`, () => JSON.parse(text) as unknown);
        }
        const labels = sources.map(({ label }) => label);
        server.onRequest('/bench/firstRow', (): FirstRowTask => ({ labels }));
        server.onRequest('/bench/firstRow/open', async () => {
          const { page } = await window;
          // The first one to open includes work that all need.
          await open(page, 'warmUp');
          const order = round % 2 === 0 ? (['ours', 'raw'] as const) : (['raw', 'ours'] as const);
          const times: Partial<Record<keyof typeof titles, number>> = {};
          for (const one of order) times[one] = await open(page, one);
          return times;
        });
      },
    });
    hosts.push(host as Activation & FirstRow);
  }
  const against = (
    what: string,
    unit: string,
    goal: number,
    of: (cost: Cost) => number,
  ): Figure => {
    const ours = hosts.map(({ cost }) => of(cost.ours));
    const empty = hosts.map(({ cost }) => of(cost.empty));
    return {
      what: `${what}, ${rounds} fresh hosts`,
      measure: unit,
      ours: median(ours),
      other: { name: 'empty extension', value: median(empty) },
      result: medianDifference(ours, empty),
      unit,
      goal: { is: '≤', value: goal },
    };
  };
  const lines = hosts.map(({ firstLine }) => firstLine.ours);
  const raw = hosts.map(({ firstLine }) => firstLine.raw);
  const waits = hosts.map(({ connect, firstLine }) => connect + firstLine.ours);
  const rows = hosts.map(({ ours }) => ours);
  const inMemory = hosts.map((host) => host.raw);
  return [
    against('load, evaluation and activation', 'ms', 60, ({ ms }) => ms),
    against('…heap that it keeps', 'MiB', 5, ({ heap }) => heap / 1024 / 1024),
    {
      what: 'the first Follow Logs to its first line',
      measure: 'ms',
      ours: median(lines),
      other: { name: 'a new channel', value: median(raw) },
      result: medianDifference(lines, raw),
      unit: 'ms',
    },
    {
      what: '…with connecting before it',
      measure: 'ms',
      ours: median(waits),
      result: median(waits),
      unit: 'ms',
      goal: { is: '≤', value: 1000 },
    },
    {
      what: 'click to first row of 200 sources',
      measure: 'ms',
      ours: median(rows),
      other: { name: 'rows in memory', value: median(inMemory) },
      result: medianRatio(rows, inMemory),
      unit: '×',
      goal: { is: '≤', value: 1.3 },
    },
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
