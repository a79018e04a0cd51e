import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import type { LogRecord } from '../../../src/api/types';
import { temporaryFolder } from '../../host/processes';
import { uiPattern, uiText } from '../../host/texts';
import { clickNotification, clickPick, notification, runCommand } from '../../host/workbench';
import { search, searches, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { pageText } from './pageTexts';
import { eventually, picture } from '../scene';

const quickInput = '.quick-input-widget:not([style*="display: none"])';
/** More than two pages of what the control plane sends at a time. */
const count = 1200;

describe('exports of the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  let folder: string;
  let emitted: LogRecord[];
  before(async () => {
    folder = await temporaryFolder('export');
    emitted = scene.controlPlane.admin.emit([
      ...Array.from({ length: count - 1 }, (_, index) => ({ body: `line ${index + 1}` })),
      { body: 'TypeError: no price\n    at total (orders.ts:1:2)', severity: 'error' as const },
    ]);
  });
  beforeEach(() => search(scene, 'last:6h'));

  const lines = (text: string): string[] => text.trimEnd().split('\n');
  const recordsOf = (all: readonly string[]): LogRecord[] =>
    all.map((line) => JSON.parse(line) as LogRecord);

  /** Answers the dialog for a file, which this VS Code shows as a quick input. */
  async function saveAs(file: string, accept: 'OK' | 'Enter'): Promise<void> {
    const name = scene.page.locator(`${quickInput} input[type="text"]`).first();
    const offered = /\/logs-\d+T\d+Z-\d+T\d+Z(\.\w+)$/;
    await eventually(
      () => name.inputValue({ timeout: 1000 }).catch(() => ''),
      (text) => offered.exec(text)?.[1] === path.extname(file),
      'a name is offered, in the folder of the workspace',
    );
    await name.fill(file);
    // While it looks at the folder, it hears nothing; another Enter once it is closed would press
    // what has the focus then.
    const busy = scene.page.locator(`${quickInput} .monaco-progress-container.active`);
    const ok = scene.page.locator(quickInput).getByRole('button', { name: 'OK' });
    await eventually(
      async () => {
        await busy.waitFor({ state: 'hidden' });
        const accepted =
          accept === 'OK' ? ok.click({ timeout: 1000 }) : name.press('Enter', { timeout: 1000 });
        await accepted.catch(() => undefined);
        await name.waitFor({ state: 'hidden', timeout: 4000 }).catch(() => undefined);
        return name.isVisible();
      },
      (isOpen) => !isOpen,
      'the dialog is open',
    );
  }

  it('write the loaded records to a file, by mouse', async () => {
    const { page } = scene;
    const before = searches(scene).length;
    const file = path.join(folder, 'loaded.ndjson');
    await scene.more('toolbar.export');
    await clickPick(page, uiText('Records in the list'));
    await clickPick(page, 'NDJSON');
    await saveAs(file, 'OK');
    const exported = uiText('{0} records were exported to {1}.', 500, 'loaded.ndjson');
    await notification(page, exported).waitFor();
    const text = await readFile(file, 'utf8');
    assert.deepEqual(recordsOf(lines(text)), emitted.slice(-500));
    assert.lengthOf(searches(scene), before);
    await clickNotification(page, exported, uiText('Open File'));
    await page.locator('.editor-instance .view-line', { hasText: 'eventId' }).first().waitFor();

    await scene.driver.run('controlPlane.searchLogs', 'severity:error from:yesterday to:1s');
    await scene.explorer.getByText(uiText('Start of the range')).waitFor();
    await scene.more('toolbar.export');
    // Where everything is loaded there is one question less.
    await page.locator(quickInput).getByPlaceholder(uiText('Which format?')).waitFor();
  });

  it('write all records in the range to a file, by keyboard, keep what was written when cancelled, and open the shown ones as text', async () => {
    const { page } = scene;
    const file = path.join(folder, 'cancelled.ndjson');
    const choose = async (label: string): Promise<void> => {
      const focused = page.locator(`${quickInput} .monaco-list-row.focused .label-name`);
      await eventually(
        async () => {
          const now = await focused.textContent({ timeout: 1000 }).catch(() => '');
          if (now !== label) await rows.press('ArrowDown');
          return now;
        },
        (now) => now === label,
        'the choice that is next',
      );
      await rows.press('Enter');
    };
    const wait = { status: 429, headers: { 'retry-after': '300' }, skip: 1 } as const;
    scene.controlPlane.admin.fault({ kind: 'status', endpoint: 'post_logs_query', ...wait });
    await scene.bar.focus();
    await rows.tabTo(scene.button('toolbar.more'));
    await rows.press('Enter');
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await rows.press(key);
    await choose(uiText('All records in the range'));
    await choose('NDJSON');
    await saveAs(file, 'Enter');
    const waits = notification(
      page,
      uiPattern(
        '{0}. Rate limit reached. Retrying in {1} s, at {2}.',
        uiText('{0} records', 500),
        /\d+/,
        /\d+:\d\d:\d\d.*/,
      ),
    );
    await waits.waitFor();
    await picture(scene, 'export-waits');
    await runCommand(page, 'Notifications: Focus Notification Toast');
    await page.locator('.notifications-toasts :focus').waitFor();
    await rows.tabTo(waits.getByRole('button', { name: pageText('query.cancel') }));
    await rows.press('Enter');
    const why = uiText('The export was cancelled.');
    const exported = uiText(
      '{1} is incomplete. It contains {0} records: {2}',
      ...[500, 'cancelled.ndjson', why],
    );
    await notification(page, exported).waitFor();
    const written = lines(await readFile(file, 'utf8'));
    const last = JSON.parse(written.pop() ?? '') as Record<string, unknown>;
    assert.deepInclude(last, { partial: true, why });
    assert.deepEqual(recordsOf(written), emitted.slice(0, 500));

    // The next item of the menu.
    await scene.bar.focus();
    await rows.tabTo(scene.button('toolbar.more'));
    await rows.press('Enter');
    await rows.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
    await page.locator('.tab.active', { hasText: /\d{4}-\d\d-\d\d .*\.log$/ }).waitFor();
    const line = page.locator('.editor-instance .view-line');
    await line.first().waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await line.filter({ hasText: 'TypeError' }).waitFor();
  });
});
