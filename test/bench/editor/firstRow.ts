import type { Page } from 'playwright-core';
import { median, medianRatio } from '../statistics';
import { workspaceAnswers } from '../workspaceAnswers';
import type { FirstRow, FirstRowTask } from './extension/firstRow';
import { measureInEditor } from './inEditor';
import type { EditorRow } from './rows';

const titles = { warmUp: 'Bench Warm-up', ours: 'Control Plane', raw: 'Bench Raw' };

/**
 * From the click on the icon of a container to the first row of its tree, in a fresh window each
 * time: 200 sources, compared with an extension whose similar views have these rows in memory.
 */
export const firstRow: EditorRow = async (bench, recordsFile, rounds) => {
  const { resources } = workspaceAnswers();
  const sources = [...resources.keys()].map((id, index) => ({ id, label: `source ${index}` }));
  const labels = sources.map(({ label }) => label);
  const windows: FirstRow[] = [];
  for (let round = 0; round < rounds; round++) {
    const result = await measureInEditor(bench, {
      row: 'firstRow',
      rounds: round,
      recordsFile,
      settings: { 'controlPlane.sources': sources },
      serve(server, window) {
        for (const [id, text] of resources) {
          server.onRequest(`/v1/api/sources/${id}/resources`, () => JSON.parse(text) as unknown);
        }
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
    windows.push(result as FirstRow);
  }
  const ours = windows.map((one) => one.ours);
  const raw = windows.map((one) => one.raw);
  return [
    {
      what: 'click to first row of 200 sources',
      measure: 'ms',
      ours: median(ours),
      other: { name: 'rows in memory', value: median(raw) },
      result: medianRatio(ours, raw),
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
  await page.waitForTimeout(1500);
  return time;
}
