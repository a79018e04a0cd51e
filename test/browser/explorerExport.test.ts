import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import type { LogRecord } from '../../src/api/types';
import type { Fault } from '../control-plane/server';
import { repository } from '../host/openEditor';
import { temporaryFolder } from '../host/processes';
import { treeRowAt, treeRows } from '../host/treeRows';
import {
  answer,
  clickNotification,
  clickPick,
  dialog,
  dismiss,
  inputBox,
  notification,
  runCommand,
  screenshot,
  view,
} from '../host/workbench';
import { clearNotifications } from './actionScene';
import type { ExplorerScene } from './explorerPage';
import { openExplorer, search, searches } from './explorerPage';
import { eventually, keyOf, picture } from './scene';

const quickInput = '.quick-input-widget:not([style*="display: none"])';
/** More than three pages of what the control plane sends at a time. */
const count = 1200;
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('what is taken out of the Log Explorer', () => {
  let scene: ExplorerScene;
  let folder: string;
  let emitted: LogRecord[];
  before(async () => {
    folder = await temporaryFolder('export');
    scene = await openExplorer(
      { historyRecords: 0 },
      { folder, size: { width: 1280, height: 1000 } },
    );
    emitted = scene.controlPlane.admin.emit([
      ...Array.from({ length: count - 2 }, (_, index) => ({ body: `line ${index + 1}` })),
      { body: 'TypeError: no price\n    at total (orders.ts:1:2)', severity: 'error' as const },
      { body: '=1+1, "two"', attributes: { tenant: 'acme' }, traceId: trace },
    ]);
    await search(scene, 'last:6h');
    // So that all of the view of the logs is in sight.
    for (const title of ['Sources', 'Servers']) {
      const header = view(scene.page, title).locator('.pane-header');
      await header.locator('h3').click();
      await eventually(
        () => header.getAttribute('aria-expanded'),
        (isExpanded) => isExpanded === 'false',
        `${title} is closed`,
      );
    }
  });
  after(() => scene.close());
  beforeEach(async () => {
    scene.controlPlane.admin.reset();
    await clearNotifications(scene);
  });

  type Way = 'mouse' | 'keyboard';
  const button = (name: string): Locator =>
    scene.explorer.getByRole('button', { name, exact: true });
  const shot = (name: string): Promise<void> =>
    screenshot(scene.page, path.join(repository, 'dist/screenshots', `${name}.png`));

  /** Presses a button of the page: with the pointer, or by Tab from the bar and Enter. */
  async function press(name: string, way: Way): Promise<void> {
    if (way === 'mouse') return button(name).click();
    const { bar, page, explorer } = scene;
    await bar.focus();
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab');
      const focused = explorer.locator(':focus');
      if ((await focused.textContent({ timeout: 1000 }).catch(() => ''))?.trim() === name) {
        await page.keyboard.press('Enter');
        return;
      }
    }
    throw new Error(`Tab does not lead to ${name}.`);
  }

  /** Chooses in the quick pick that has this label, once it is there. */
  async function choose(label: string, way: Way): Promise<void> {
    const { page } = scene;
    if (way === 'mouse') return clickPick(page, label);
    const row = page
      .locator(`${quickInput} .monaco-list-row`)
      .filter({ has: page.locator('.label-name', { hasText: new RegExp(`^${label}$`) }) });
    await row.waitFor();
    for (let presses = 0; presses < 5; presses++) {
      if (((await row.getAttribute('class')) ?? '').includes('focused')) break;
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'detached' });
  }

  /** Answers the dialog for a file, which this VS Code shows as a quick input. */
  async function saveAs(file: string, way: Way): Promise<void> {
    const { page } = scene;
    const name = page.locator(`${quickInput} input[type="text"]`).first();
    const offered = /\/logs-\d+T\d+Z-\d+T\d+Z(\.\w+)$/;
    await eventually(
      () => name.inputValue({ timeout: 1000 }).catch(() => ''),
      (text) => offered.exec(text)?.[1] === path.extname(file),
      'a name is offered, in the folder of the workspace',
    );
    if (way === 'mouse') await name.fill(file);
    else {
      await name.press('ControlOrMeta+a');
      await page.keyboard.insertText(file);
    }
    const accept = async (): Promise<void> => {
      const ok = page.locator(quickInput).getByRole('button', { name: 'OK' });
      if (way === 'mouse') await ok.click({ timeout: 1000 });
      else await name.press('Enter', { timeout: 1000 });
    };
    // While it looks at the folder, it hears nothing. Once it is closed, another Enter would press
    // what has the focus then: so each is given time.
    const busy = page.locator(`${quickInput} .monaco-progress-container.active`);
    for (let attempt = 0; attempt < 5; attempt++) {
      await busy.waitFor({ state: 'hidden' });
      await accept().catch(() => undefined);
      const closed = name.waitFor({ state: 'hidden', timeout: 4000 });
      if (
        await closed.then(
          () => true,
          () => false,
        )
      )
        return;
    }
    throw new Error('The dialog stays.');
  }

  /** Goes through all questions of an export; without a source where none is to be asked. */
  async function exportTo(
    name: string,
    form: string,
    source: string | undefined,
    way: Way,
  ): Promise<void> {
    await press('Export', way);
    if (source !== undefined) await choose(source, way);
    await choose(form, way);
    await saveAs(path.join(folder, name), way);
  }

  async function exported(name: string, records: number): Promise<string> {
    const told = `${records.toLocaleString('en')} records were exported to ${name}.`;
    await notification(scene.page, told).waitFor();
    return readFile(path.join(folder, name), 'utf8');
  }

  const lines = (text: string): string[] => text.trimEnd().split('\n');
  const recordsOf = (text: string): LogRecord[] =>
    lines(text).map((line) => JSON.parse(line) as LogRecord);
  const fail = (fault: Omit<Extract<Fault, { kind: 'status' }>, 'kind'>): void =>
    scene.controlPlane.admin.fault({ kind: 'status', endpoint: 'post_logs_query', ...fault });

  it('is a file of what is loaded: NDJSON, by mouse', async () => {
    const { page } = scene;
    const before = searches(scene).length;
    await exportTo('loaded.ndjson', 'NDJSON', 'What is loaded', 'mouse');
    const loaded = recordsOf(await exported('loaded.ndjson', 500));
    assert.deepEqual(loaded, emitted.slice(-500));
    assert.lengthOf(searches(scene), before);
    await clickNotification(page, 'were exported to', 'Open File');
    await page.locator('.editor-instance .view-line', { hasText: 'eventId' }).first().waitFor();
    await runCommand(page, 'View: Close Editor');
    await scene.bar.waitFor();
  });

  it('is a file of everything in the range: CSV, by keyboard', async () => {
    await exportTo('everything.csv', 'CSV', 'Everything in the range', 'keyboard');
    const rows = (await exported('everything.csv', count)).trimEnd().split('\r\n');
    assert.lengthOf(rows, count + 1);
    assert.match(rows[0] ?? '', /^timestamp,severity,workloadName,.*,attributes$/);
    assert.include(rows[1], ',line 1,');
    // No spreadsheet takes it for a formula.
    assert.include(rows.at(-1), `,"'=1+1, ""two""",${trace},`);
    assert.match(rows.at(-1) ?? '', /"\{""tenant"":""acme""\}"$/);
  });

  it('is a file of the lines of the log channel: text, by keyboard', async () => {
    await exportTo('loaded.log', 'Text', 'What is loaded', 'keyboard');
    const text = await exported('loaded.log', 500);
    assert.match(
      text,
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[error\] \[[^\]]+\] TypeError: no price\n {8}at total/m,
    );
    assert.match(lines(text)[0] ?? '', /\[info\] \[[^\]]+\] line \d+$/);
  });

  it('says for how long the control plane asks to wait, and goes on then (F23)', async () => {
    const { page } = scene;
    fail({ status: 429, headers: { 'retry-after': '8' }, skip: 1 });
    const before = searches(scene).length;
    await exportTo('waits.ndjson', 'NDJSON', 'Everything in the range', 'mouse');
    const waits = /500 records\. The control plane asks to wait 9 s, until \d+:\d\d:\d\d/;
    await notification(page, waits).getByRole('button', { name: 'Cancel' }).waitFor();
    await shot('export-waits');
    assert.deepEqual(recordsOf(await exported('waits.ndjson', count)), emitted);
    assert.equal(await notification(page, waits).count(), 0);
    // Three pages, and the one that was refused.
    assert.lengthOf(searches(scene).slice(before), 4);
  });

  it('goes on in smaller pages where one is too large, and after an outage (F22)', async () => {
    fail({ status: 413, skip: 1 });
    fail({ status: 503, headers: { 'retry-after': '1' }, skip: 3 });
    await exportTo('smaller.ndjson', 'NDJSON', 'Everything in the range', 'keyboard');
    assert.deepEqual(recordsOf(await exported('smaller.ndjson', count)), emitted);
  });

  for (const way of ['mouse', 'keyboard'] as const) {
    it(`has what came by then where it is cancelled, and says so, by ${way}`, async () => {
      const { page } = scene;
      const name = `cancelled-${way}.ndjson`;
      fail({ status: 429, headers: { 'retry-after': '300' }, skip: 1 });
      await exportTo(name, 'NDJSON', 'Everything in the range', way);
      const waits = notification(page, /The control plane asks to wait \d+ s/);
      await waits.waitFor();
      if (way === 'mouse') {
        await waits.hover();
        await waits.getByRole('button', { name: 'Cancel' }).click();
      } else {
        await runCommand(page, 'Notifications: Focus Notification Toast');
        await page.locator('.notifications-toasts :focus').waitFor();
        const cancel = waits.getByRole('button', { name: 'Cancel' });
        for (let presses = 0; presses < 5; presses++) {
          if (
            await cancel.evaluate((it: { matches(css: string): boolean }) => it.matches(':focus'))
          )
            break;
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
      }
      const told = `${name} has 500 records and is not complete: The export was cancelled.`;
      await notification(page, told).waitFor();
      await shot(`export-cancelled-${way}`);
      const written = lines(await readFile(path.join(folder, name), 'utf8'));
      const last = JSON.parse(written.pop() ?? '') as Record<string, unknown>;
      assert.deepInclude(last, { partial: true, why: 'The export was cancelled.' });
      assert.deepEqual(
        written.map((line) => JSON.parse(line) as LogRecord),
        emitted.slice(0, 500),
      );
    });
  }

  it('is asked for no source where everything is loaded', async () => {
    await search(scene, `severity:error from:yesterday to:${new Date().toISOString()}`);
    await press('Export', 'mouse');
    await scene.page.locator(`${quickInput} input[placeholder="In which form?"]`).waitFor();
    await dismiss(scene.page);
  });

  const clipboard = (): Promise<string> =>
    scene.page.evaluate<string>('navigator.clipboard.readText()');

  /** Copies the link of what stands in the bar. */
  async function copiedLink(way: Way): Promise<string> {
    await scene.page.evaluate('navigator.clipboard.writeText("")');
    await press('Copy Link', way);
    return eventually(clipboard, (text) => text !== '', 'the link is in the clipboard');
  }

  it('is a link that opens the same search elsewhere, and tells nothing of the connection', async () => {
    const { page, bar, controlPlane } = scene;
    const [workload] = controlPlane.world.workloads;
    assert.isDefined(workload);
    const { workloadId, workloadName } = emitted[0] ?? {};
    await search(scene, `workload:${workloadId ?? ''} "a & b=c" last:6h`);
    const named = `workload:${workloadName ?? ''} "a & b=c" last:6h`;
    for (const way of ['mouse', 'keyboard'] as const) {
      const link = await copiedLink(way);
      const [, query] =
        /^[\w-]+:\/\/control-plane\.deployment-control-plane\/logs\?q=([^&#\s]+)$/.exec(link) ?? [];
      assert.equal(decodeURIComponent(query ?? ''), named, link);
      const { host, port } = new URL(controlPlane.url);
      for (const secret of [host, port, workloadId ?? '', keyOf(scene, 'demo-full')]) {
        assert.notInclude(link, secret);
      }
    }
    // Where it was not run, it is what stands in the bar that is linked.
    await bar.fill('severity:warn last:1h');
    assert.match(await copiedLink('mouse'), /\?q=severity%3Awarn%20last%3A1h$/);

    const link = await copiedLink('keyboard');
    await search(scene, 'last:6h');
    const before = searches(scene).length;
    await runCommand(page, 'Developer: Open URL');
    await answer(page, link);
    await dialog(page).getByRole('button', { name: 'Open', exact: true }).click();
    await notification(page, /A link has opened a search that was not run yet/).waitFor();
    await eventually(
      () => bar.inputValue(),
      (text) => text === 'severity:warn last:1h',
      'the query is in the bar',
    );
    assert.lengthOf(searches(scene), before);
    await shot('export-link');
    await clickNotification(page, /A link has opened a search/, 'Run Search');
    await eventually(
      () => Promise.resolve(searches(scene).slice(before)),
      ([asked]) => JSON.stringify(asked?.filters['severities']) === '["warn"]',
      'it is searched for',
    );
  });

  const rows = (pattern: RegExp): Promise<string[]> =>
    eventually(
      () => treeRows(scene.page, 'Logs'),
      (shown) => pattern.test(shown.join('\n')),
      `rows like ${String(pattern)}`,
    );
  const settingsOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

  it('is saved under a name, for the workspace or for oneself, and run from there', async () => {
    const { page, bar } = scene;
    await search(scene, 'severity:error last:6h');
    await press('Save', 'mouse');
    assert.equal((await inputBox(page)).title, 'Save Search');
    await answer(page, 'errors of the team');
    await choose('For this workspace', 'mouse');
    await rows(/errors of the team severity:error last:6h/);

    await bar.fill('severity:warn last:6h');
    await press('Save', 'keyboard');
    await inputBox(page);
    await page.keyboard.insertText('my warnings');
    await page.keyboard.press('Enter');
    await choose('For me', 'keyboard');
    const shown = (await rows(/my warnings/)).join('\n');
    assert.match(shown, /^Saved Searches\n.*errors of the team.*\n.*my warnings severity:warn/m);
    await picture(scene, 'export-saved');

    const key = '"controlPlane.logs.savedSearches"';
    const team = await eventually(
      () => settingsOf(path.join(folder, '.vscode/settings.json')),
      (text) => text.includes(key),
      'it is in the settings of the workspace',
    );
    assert.include(team, 'errors of the team');
    assert.notInclude(team, 'my warnings');
    const mine = await eventually(
      () => settingsOf(path.join(scene.window.userDataDir, 'User/settings.json')),
      (text) => text.includes(key),
      'it is in the settings of the person',
    );
    assert.include(mine, 'my warnings');
    assert.notInclude(mine, 'errors of the team');
  });

  it('is among the recent searches where it was run, and only there', async () => {
    const { page, bar } = scene;
    await search(scene, 'severity:error last:7h');
    await (await treeRowAt(page, 'Logs', ['Recent Searches', 'severity:error last:7h'])).click();
    await bar.waitFor();
    const recent = (await treeRows(page, 'Logs')).join('\n').split('Recent Searches')[1] ?? '';
    assert.match(recent, /^\n {2}severity:error last:7h$/m);
    // This was saved as it stood in the bar, and never run.
    assert.notInclude(recent, 'severity:warn last:6h');
    await (await treeRowAt(page, 'Logs', ['Recent Searches'])).click();
    await rows(/Recent Searches$/);
  });

  it('takes the place of a search of its name only where that is wanted', async () => {
    const { page } = scene;
    await search(scene, 'severity:fatal last:6h');
    await press('Save', 'keyboard');
    await answer(page, 'my warnings');
    await choose('For me', 'mouse');
    await dialog(page).getByRole('button', { name: 'Replace' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await rows(/my warnings severity:warn/);
    await press('Save', 'mouse');
    await answer(page, 'my warnings');
    await choose('For me', 'keyboard');
    await dialog(page).getByRole('button', { name: 'Replace' }).click();
    await rows(/my warnings severity:fatal last:6h/);
  });

  it('is neither saved nor linked while something is wrong with it', async () => {
    const { page, bar, explorer } = scene;
    await page.evaluate('navigator.clipboard.writeText("of before")');
    await bar.fill('severity:loud');
    for (const name of ['Save', 'Copy Link']) {
      await press(name, 'mouse');
      await explorer.locator('.mirror .wrong', { hasText: 'loud' }).waitFor();
      await eventually(
        () => explorer.locator(':focus').getAttribute('role'),
        (role) => role === 'combobox',
        'the focus is where it can be mended',
      );
    }
    assert.equal(await page.locator(quickInput).count(), 0);
    assert.equal(await clipboard(), 'of before');
  });

  for (const way of ['mouse', 'keyboard'] as const) {
    it(`is text with the lines of what is shown, by ${way}`, async () => {
      const { page } = scene;
      await search(scene, 'last:6h');
      await press('Open as Text', way);
      await page.locator('.tab.active', { hasText: /^Logs .*\.log$/ }).waitFor();
      await page.locator('.editor-instance .view-line').first().waitFor();
      await page.keyboard.press('ControlOrMeta+End');
      await page.locator('.editor-instance .view-line', { hasText: 'TypeError' }).waitFor();
      await shot(`export-text-${way}`);
      await runCommand(page, 'View: Close Editor');
      await scene.bar.waitFor();
    });
  }

  it('is of what is shown where the search after it has failed, which is said', async () => {
    const { explorer, bar } = scene;
    await search(scene, 'severity:error last:6h');
    const former = explorer.getByText(
      'What is shown was found by the search before this one: severity:error last:6h',
    );
    fail({ status: 400, code: 'odd_request' });
    await bar.fill('severity:info last:6h');
    await bar.press('Enter');
    await former.waitFor();
    await picture(scene, 'export-former');
    await exportTo('former.ndjson', 'NDJSON', 'Everything in the range', 'mouse');
    const told = notification(scene.page, '1 record was exported to former.ndjson.');
    await told.waitFor();
    const [record] = recordsOf(await readFile(path.join(folder, 'former.ndjson'), 'utf8'));
    assert.equal(record?.severity, 'error');
    await bar.focus();
    await bar.press('Enter');
    await former.waitFor({ state: 'detached' });
  });
});
