import path from 'node:path';
import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { repository } from '../host/openEditor';
import { dismiss, inputBox, quickPickItems, runCommand, screenshot } from '../host/workbench';
import { asked, findings, inPage, openExplorer, search, searches } from './explorerPage';
import type { ExplorerScene } from './explorerPage';
import { eventually, inEachLook } from './scene';

describe('the query of the Log Explorer', () => {
  let scene: ExplorerScene;
  before(async () => {
    scene = await openExplorer({ historyRecords: 3000 });
  });
  after(() => scene.close());

  const button = (name: string): Locator =>
    scene.explorer.getByRole('button', { name, exact: true });
  const option = (name: string): Locator =>
    scene.explorer
      .getByRole('listbox', { name: 'Suggestions' })
      .getByRole('option', { name, exact: true });
  const typed = (isRight: (query: string) => boolean): Promise<string> =>
    eventually(() => scene.bar.inputValue(), isRight, 'the query in the bar');
  const becomes = (query: string): Promise<string> => typed((now) => now === query);
  const focused = (): Locator => scene.explorer.locator(':focus');

  /** Waits until the bars are painted with the colour that something has by the theme. */
  const barsAreColouredAs = (sample: string): Promise<number> =>
    eventually(
      () =>
        inPage<number>(
          scene,
          `(() => {
            const { color } = getComputedStyle(document.querySelector('${sample}'));
            const wanted = color.match(/[\\d.]+/g).slice(0, 3).map(Number);
            const canvas = document.querySelector('.bars canvas');
            const { width, height } = canvas;
            const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
            let found = 0;
            for (let at = 0; at < data.length; at += 4) {
              if (wanted.every((part, index) => Math.abs(data[at + index] - part) < 2)) found++;
            }
            return (found * 4) / data.length;
          })()`,
        ),
      (share) => share > 0.05,
      'how much of the plot has the colour',
    );

  it('is completed and run by the keyboard', async () => {
    const { bar, page } = scene;
    await bar.press('s');
    await bar.press('e');
    await option('severity').waitFor();
    await bar.press('ArrowDown');
    assert.equal(await option('severity').getAttribute('aria-selected'), 'true');
    await bar.press('Enter');
    await option('error').waitFor();
    await page.keyboard.type('err');
    await option('trace').waitFor({ state: 'detached' });
    await bar.press('ArrowDown');
    await bar.press('Tab');
    await becomes('severity:error');
    await page.keyboard.type(' last:6h');
    const { filters } = await asked(scene, () => bar.press('Enter'));
    assert.deepEqual(filters['severities'], ['error']);
    assert.equal(await bar.getAttribute('aria-expanded'), 'false');
  });

  it('is one of the recent ones, by mouse and by keyboard', async () => {
    const { bar } = scene;
    await bar.fill('');
    await option('severity:error last:6h').waitFor();
    await bar.press('Escape');
    await option('severity:error last:6h').waitFor({ state: 'hidden' });
    await bar.click();
    await option('severity:error last:6h').click();
    await becomes('severity:error last:6h');
    await bar.fill('"something else"');
    await bar.press('Escape');
    await bar.press('Alt+ArrowUp');
    await option('severity:error last:6h').waitFor();
    await bar.press('ArrowDown');
    await bar.press('Enter');
    await becomes('severity:error last:6h');
    const { filters } = await asked(scene, () => button('Search').click());
    assert.deepEqual(filters['severities'], ['error']);
  });

  it('says what is wrong with it, where, and asks for nothing', async () => {
    const { bar, explorer } = scene;
    const before = searches(scene).length;
    await bar.fill('severity:error nope:1 last:6h');
    await bar.press('Enter');
    await explorer.locator('.mirror .wrong', { hasText: 'nope' }).waitFor();
    assert.equal(await bar.getAttribute('aria-invalid'), 'true');
    const described = (await bar.getAttribute('aria-describedby')) ?? '';
    const message = await explorer.locator(`#${described}`).textContent();
    assert.match(message ?? '', /^At position 16: .*nope/);
    assert.deepEqual(await findings(scene), []);
    await button('warning').click();
    await eventually(
      () => focused().getAttribute('role'),
      (role) => role === 'combobox',
      'the focus is where the error can be mended',
    );
    await bar.fill('severity:error last:6h');
    await eventually(
      () => bar.getAttribute('aria-invalid'),
      (invalid) => invalid === null,
      'it is right again',
    );
    assert.lengthOf(searches(scene), before);
  });

  it('has the range that is chosen, or typed in the words of the language', async () => {
    const { bar, explorer } = scene;
    const range = explorer.getByLabel('Range of time', { exact: true });
    await asked(scene, () => range.selectOption({ label: 'Last 24 hours' }));
    await becomes('severity:error last:24h');
    await range.selectOption({ label: 'Other range…' });
    const from = explorer.getByLabel('From', { exact: true });
    await from.fill('yesterdayy');
    await from.press('Enter');
    await explorer.getByRole('alert').filter({ hasText: 'yesterdayy' }).waitFor();
    await from.fill('yesterday 10:00');
    const { filters } = await asked(scene, () => from.press('Enter'));
    assert.match(String(filters['from']), /:00Z$/);
    await becomes('severity:error from:yesterday 10:00');
    assert.equal(await range.locator('option:checked').textContent(), 'Since yesterday 10:00');
    await range.selectOption({ label: 'Other range…' });
    await from.press('Escape');
    await from.waitFor({ state: 'hidden' });
    await search(scene, 'severity:error last:6h');
    assert.equal(await bar.inputValue(), 'severity:error last:6h');
  });

  it('has the severities that are pressed, by mouse and by keyboard', async () => {
    const warning = button('warning');
    assert.equal(await button('error').getAttribute('aria-pressed'), 'true');
    const { filters } = await asked(scene, () => warning.click());
    assert.sameMembers(filters['severities'] as string[], ['warn', 'error']);
    await eventually(
      () => warning.getAttribute('aria-pressed'),
      (pressed) => pressed === 'true',
      'warning is pressed',
    );
    await button('error').focus();
    const fewer = await asked(scene, () => scene.page.keyboard.press('Space'));
    assert.deepEqual(fewer.filters['severities'], ['warn']);
  });

  it('shows each part as a chip, to be taken out by mouse and by keyboard', async () => {
    const hostile = '"<img src=x onerror=alert(1)>"';
    await search(
      scene,
      `severity:warn env:production (service=web or service=api) ${hostile} last:6h`,
    );
    const chips = scene.explorer.getByRole('list', { name: 'What the query asks for' });
    const texts = (): Promise<string[]> => chips.locator('.said').allTextContents();
    const all = ['severity:warn', 'env:production', 'service=web', 'service=api', hostile];
    assert.deepEqual(await texts(), all);
    assert.deepEqual(await chips.locator('.joined').allTextContents(), ['and', 'and', 'or', 'and']);
    assert.equal(await scene.explorer.locator('img').count(), 0);
    await asked(scene, () => button(`Remove ${hostile}`).click());
    await eventually(texts, (now) => now.length === 4, 'one chip less');
    await button('Remove severity:warn').focus();
    await scene.page.keyboard.press('ArrowRight');
    assert.equal(await focused().getAttribute('aria-label'), 'Remove env:production');
    await asked(scene, () => scene.page.keyboard.press('Delete'));
    await becomes('severity:warn (service=web or service=api) last:6h');
    assert.equal(await focused().getAttribute('aria-label'), 'Remove service=web');
    await asked(scene, () => scene.page.keyboard.press('Backspace'));
    await becomes('severity:warn service=api last:6h');
  });

  it('has the conditions that are put together', async () => {
    const { explorer, page } = scene;
    await search(scene, 'last:6h');
    await button('Conditions').focus();
    await page.keyboard.press('Enter');
    const row = (number: number): Locator =>
      explorer.getByRole('group', { name: `Condition ${number}` });
    await row(1).getByLabel('Field').selectOption('service');
    await row(1).getByLabel('Operator').selectOption({ label: 'contains' });
    await row(1).getByLabel('Value').fill('web');
    await button('Add Condition').click();
    await row(2).getByLabel('Field').selectOption('attr');
    await row(2).getByLabel('Name of the attribute').fill('user.id');
    await row(2).getByLabel('Operator').selectOption({ label: 'is there' });
    await typed((query) => query.includes('attr.user.id:*'));
    await explorer.getByLabel('Records have to meet').selectOption('or');
    await becomes('(service~web or attr.user.id:*) last:6h');
    await row(1).getByLabel('Value').focus();
    const { filters } = await asked(scene, () => page.keyboard.press('Enter'));
    assert.nestedPropertyVal(filters, 'conditionGroup.match', 'or');
    assert.deepEqual(await findings(scene), []);
    await button('Remove condition 2').click();
    await becomes('service~web last:6h');
    // What is typed is in the rows, too.
    await search(scene, 'trace:* last:6h');
    await eventually(
      () => row(1).getByLabel('Field').inputValue(),
      (field) => field === 'trace',
      'the row has what was typed',
    );
    assert.equal(await row(2).count(), 0);
    await button('Conditions').click();
    await search(scene, 'last:6h');
  });

  const bars = (): Locator => scene.explorer.getByRole('slider', { name: 'Records by time' });
  const zoomOut = (): Locator => button('Zoom Out');
  /** The range that was asked for, in milliseconds. */
  const lengthOf = ({ filters }: Awaited<ReturnType<typeof search>>): number =>
    Date.parse(String(filters['to'])) - Date.parse(String(filters['from']));

  it('has a histogram that says how much there is of each severity', async () => {
    await search(scene, 'last:6h');
    const totals = scene.explorer.getByRole('list', { name: 'Records by severity' });
    const texts = await totals.getByRole('listitem').allTextContents();
    assert.include(texts.join(), 'info');
    const sum = texts.map((text) => Number(/[\d,]+$/.exec(text)?.[0].replace(',', '')));
    const summary = await scene.explorer.locator('.summary').textContent();
    assert.include(summary?.replace(',', ''), `${sum.reduce((all, one) => all + one, 0)} records`);
  });

  it('has the range that is dragged over in the histogram, and the former one again', async () => {
    const { page } = scene;
    const box = await bars().boundingBox();
    assert.isNotNull(box);
    await page.mouse.move(box.x + box.width * 0.4, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 30, { steps: 5 });
    const narrowed = await asked(scene, () => page.mouse.up());
    assert.isBelow(lengthOf(narrowed), 4 * 3_600_000);
    const query = await typed((now) => now.startsWith('from:'));
    assert.equal(
      query,
      `from:${String(narrowed.filters['from'])} to:${String(narrowed.filters['to'])}`,
    );
    await zoomOut().focus();
    await asked(scene, () => page.keyboard.press('Enter'));
    await becomes('last:6h');
    await zoomOut().waitFor({ state: 'hidden' });
  });

  it('has the range of the bar that is clicked', async () => {
    const { page } = scene;
    const box = await bars().boundingBox();
    assert.isNotNull(box);
    const narrowed = await asked(scene, () => page.mouse.click(box.x + box.width / 2, box.y + 20));
    assert.isBelow(lengthOf(narrowed), 1_800_000);
    await asked(scene, () => zoomOut().click());
    await becomes('last:6h');
  });

  it('has the range of the bars that were chosen by the keyboard', async () => {
    const { page } = scene;
    await bars().focus();
    await page.keyboard.press('Home');
    const first = await bars().getAttribute('aria-valuetext');
    assert.match(first ?? '', /^.*\d\d:\d\d.*: .*records?/);
    await page.keyboard.press('ArrowRight');
    assert.equal(await bars().getAttribute('aria-valuenow'), '2');
    assert.notEqual(await bars().getAttribute('aria-valuetext'), first);
    await page.keyboard.press('Shift+ArrowRight');
    assert.match((await bars().getAttribute('aria-valuetext')) ?? '', /2 bars: /);
    await asked(scene, () => page.keyboard.press('Enter'));
    await typed((now) => now.startsWith('from:'));
    await asked(scene, () => zoomOut().click());
  });

  it('is cancelled while it runs, with what has come by then', async () => {
    scene.controlPlane.admin.fault({
      kind: 'latency',
      endpoint: 'post_logs_query',
      latencyMs: 60_000,
    });
    await scene.bar.fill('severity:info last:6h');
    await scene.bar.press('Enter');
    await scene.explorer.locator('.progress').filter({ hasText: 'Searching' }).waitFor();
    await button('Cancel').click();
    await button('Cancel').waitFor({ state: 'hidden' });
    assert.equal(await focused().textContent(), 'Search');
  });

  it('tells what failed and what helps', async () => {
    scene.controlPlane.admin.fault({
      kind: 'status',
      endpoint: 'post_logs_query',
      status: 403,
      code: 'FORBIDDEN',
      message: 'no <b>logs</b>',
    });
    await scene.bar.fill('severity:info last:6h');
    await scene.bar.press('Enter');
    await scene.explorer.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
    assert.equal(await scene.explorer.locator('.notices b').count(), 0);
    await button('Show Diagnostics').waitFor();
    assert.deepEqual(await findings(scene), []);
    await search(scene, 'last:6h');
    await button('Show Diagnostics').waitFor({ state: 'hidden' });
  });

  it('offers a longer range where nothing is found', async () => {
    await scene.bar.fill('"no such text anywhere" last:6h');
    await scene.bar.press('Enter');
    await button('Last 24 hours').click();
    await becomes('"no such text anywhere" last:24h');
    await search(scene, 'last:6h');
  });

  it('is followed from here, paused, resumed and stopped', async () => {
    const { explorer, page } = scene;
    const state = explorer.locator('.follow-state');
    const toolbar = explorer.getByRole('group', { name: 'Log Explorer' });
    await button('Follow').click();
    await state.filter({ hasText: 'live' }).waitFor();
    assert.match((await focused().textContent()) ?? '', /Pause/);
    await page.keyboard.press('Enter');
    await state.filter({ hasText: 'paused' }).waitFor();
    await toolbar.getByRole('button', { name: 'Resume' }).click();
    await state.filter({ hasText: 'live' }).waitFor();
    await button('Stop').click();
    await button('Follow').waitFor();
  });

  it('can be saved, linked, exported and read as text', async () => {
    const { page } = scene;
    await button('Save').click();
    await inputBox(page);
    await dismiss(page);
    await button('Copy Link').click();
    await button('Export').click();
    assert.isAbove((await quickPickItems(page)).length, 0);
    await dismiss(page);
    await button('Open as Text').click();
    await page.locator('.editor-instance .view-line').first().waitFor();
    await runCommand(page, 'View: Close Editor');
    await scene.bar.waitFor();
  });

  it('looks well, and axe finds nothing, in each look and at two widths', async () => {
    const { page } = scene;
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await search(scene, 'severity:info,warn,error (service=web or spanId:*) last:6h');
    for (const width of [700, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      await inEachLook(page, async (look) => {
        await barsAreColouredAs('.swatch.info');
        assert.deepEqual(await findings(scene), [], look);
        const name = `explorer-query-${look}-${width}.png`;
        await screenshot(page, path.join(repository, 'dist/screenshots', name));
      });
    }
  });

  it('is there again after a reload, is run again, and lines still wrap', async () => {
    const { page, bar } = scene;
    await search(scene, 'severity:error last:6h');
    await button('Wrap Lines').click();
    await eventually(
      () => button('Wrap Lines').getAttribute('aria-pressed'),
      (pressed) => pressed === 'true',
      'lines wrap',
    );
    // Without the command, the page of VS Code goes before it has kept its state.
    const { filters } = await asked(scene, () => runCommand(page, 'Developer: Reload Window'));
    assert.deepEqual(filters['severities'], ['error']);
    await bar.waitFor();
    await becomes('severity:error last:6h');
    assert.equal(await button('Wrap Lines').getAttribute('aria-pressed'), 'true');
  });

  it('gives way to an offer to connect once nobody is signed in', async () => {
    await runCommand(scene.page, 'Control Plane: Sign Out');
    await button('Connect…').waitFor();
    assert.deepEqual(await findings(scene), []);
  });
});
