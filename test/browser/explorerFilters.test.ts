import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { asked, findings, openExplorer, search } from './explorerPage';
import type { ExplorerScene } from './explorerPage';
import { eventually } from './scene';

describe('what narrows the query of the Log Explorer', () => {
  let scene: ExplorerScene;
  before(async () => {
    scene = await openExplorer({ historyRecords: 3000 });
  });
  after(() => scene.close());

  const button = (name: string): Locator => scene.button(name);
  const focused = (): Locator => scene.focused();
  const becomes: ExplorerScene['becomes'] = (query) => scene.becomes(query);

  const range = (): Locator => scene.explorer.getByLabel('Range of time', { exact: true });
  const from = (): Locator => scene.explorer.getByLabel('From', { exact: true });
  const to = (): Locator => scene.explorer.getByLabel('To', { exact: true });

  it('has the range that is chosen, by mouse and by keyboard', async () => {
    await search(scene, 'severity:error last:6h');
    await asked(scene, () => range().selectOption({ label: 'Last 24 hours' }));
    await becomes('severity:error last:24h');
    await range().focus();
    await asked(scene, () => scene.page.keyboard.press('ArrowUp'));
    await becomes('severity:error last:6h');
  });

  it('has the range that is typed in the words of the language', async () => {
    const { explorer, page } = scene;
    await range().focus();
    await page.keyboard.press('End');
    await from().fill('yesterdayy');
    await from().press('Enter');
    await explorer.getByRole('alert').filter({ hasText: 'yesterdayy' }).waitFor();
    await from().fill('yesterday 10:00');
    const { filters } = await asked(scene, () => from().press('Enter'));
    assert.match(String(filters['from']), /:00Z$/);
    await becomes('severity:error from:yesterday 10:00');
    assert.equal(await range().locator('option:checked').textContent(), 'Since yesterday 10:00');
    await range().selectOption({ label: 'Other range…' });
    await from().press('Escape');
    await from().waitFor({ state: 'hidden' });
  });

  it('has the range that is typed and applied by the mouse', async () => {
    await range().selectOption({ label: 'Other range…' });
    await from().click();
    await from().fill('2h');
    await to().click();
    await to().fill('1h');
    await asked(scene, () => button('Apply').click());
    await becomes((query) => /^severity:error from:2h to:1h$/.test(query));
    assert.equal(await range().locator('option:checked').textContent(), '2h to 1h');
    await range().selectOption({ label: 'Other range…' });
    await button('Close').click();
    await from().waitFor({ state: 'hidden' });
    assert.equal(await focused().getAttribute('aria-label'), 'Range of time');
    await search(scene, 'severity:error last:6h');
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

  it('is taken back where it was changed, and searched for again', async () => {
    const { page } = scene;
    await search(scene, 'severity:error env:production last:6h');
    await button('Remove env:production').focus();
    await asked(scene, () => page.keyboard.press('Delete'));
    await becomes('severity:error last:6h');
    const { filters } = await asked(scene, () => page.keyboard.press('ControlOrMeta+z'));
    await becomes('severity:error env:production last:6h');
    assert.deepEqual(filters['environments'], ['production']);
    await button('Remove env:production').waitFor();
    await asked(scene, () => button('warning').click());
    await becomes('severity:warn,error env:production last:6h');
    await asked(scene, () => page.keyboard.press('ControlOrMeta+z'));
    await becomes('severity:error env:production last:6h');
    const again = await asked(scene, () => page.keyboard.press('ControlOrMeta+Shift+z'));
    assert.sameMembers(again.filters['severities'] as string[], ['warn', 'error']);
  });

  const row = (number: number): Locator =>
    scene.explorer.getByRole('group', { name: `Condition ${number}` });
  const match = (): Locator => scene.explorer.getByLabel('Records have to meet');

  it('has the conditions that are put together by the mouse', async () => {
    const { explorer } = scene;
    await search(scene, 'last:6h');
    await button('Conditions').click();
    await row(1).getByLabel('Field').selectOption('service');
    await row(1).getByLabel('Operator').selectOption({ label: 'contains' });
    await row(1).getByLabel('Value').click();
    await row(1).getByLabel('Value').fill('web');
    await button('Add Condition').click();
    await row(2).getByLabel('Field').selectOption('attr');
    await row(2).getByLabel('Name of the attribute').fill('user.id');
    await row(2).getByLabel('Operator').selectOption({ label: 'is there' });
    await becomes((query) => query.includes('attr.user.id:*'));
    await match().selectOption('or');
    await becomes('(service~web or attr.user.id:*) last:6h');
    const { filters } = await asked(scene, () => button('Search').click());
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
    await explorer.getByLabel('Conditions of the query').waitFor({ state: 'hidden' });
  });

  it('has the conditions that are put together by the keyboard alone', async () => {
    const { page } = scene;
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    /** Goes on to the next thing, which has to be this one. */
    const goOn = async (label: string, key = 'Tab'): Promise<void> => {
      await press(key);
      const name = async (): Promise<string> =>
        (await focused().getAttribute('aria-label')) ?? (await focused().innerText());
      await eventually(name, (now) => now === label, 'what has the focus');
    };
    await search(scene, 'last:6h');
    await button('Conditions').focus();
    await press('Enter');
    await goOn('Records have to meet');
    await press('Home');
    await goOn('Field');
    await page.keyboard.type('service');
    await goOn('Operator');
    await page.keyboard.type('starts');
    await goOn('Value');
    await page.keyboard.type('web');
    await goOn('Remove condition 1');
    await becomes('service^=web last:6h');
    await goOn('Add Condition');
    await goOn('Field', 'Enter');
    await page.keyboard.type('attr');
    await goOn('Name of the attribute');
    await page.keyboard.type('path');
    await goOn('Operator');
    await press('ArrowDown');
    await goOn('Value');
    await page.keyboard.type('/health');
    const { filters } = await asked(scene, () => press('Enter'));
    assert.nestedPropertyVal(filters, 'conditionGroup.match', 'and');
    await becomes('service^=web attr.path!=/health last:6h');
    await match().focus();
    await press('ArrowDown');
    await becomes('(service^=web or attr.path!=/health) last:6h');
    // Taken back right there, but not searched for: the conditions are not done yet.
    await press('ControlOrMeta+z');
    await becomes('service^=web attr.path!=/health last:6h');
    await eventually(
      () => match().inputValue(),
      (value) => value === 'and',
      'the box is what it was',
    );
    await button('Remove condition 1').focus();
    await goOn('Field', 'Enter');
    await becomes('attr.path!=/health last:6h');
    await button('Remove condition 1').focus();
    await press('Enter');
    await becomes('last:6h');
    assert.equal(await focused().innerText(), 'Conditions');
    await press('Enter');
    await match().waitFor({ state: 'hidden' });
  });
});
