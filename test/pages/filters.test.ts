import { assert } from 'chai';
import type { Locator } from 'playwright';
import { pageText } from '../browser/explorer/pageTexts';
import { eventually } from '../host/eventually';
import { expect } from '../host/expect';
import { setExplorerPage } from './explorerScene';

describe('filters of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const { becomes, button, ran } = scene;
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await scene.page.keyboard.press(key);
  };
  const hasFocus = (label: string): Promise<unknown> =>
    eventually(
      async () => {
        const focused = scene.focused();
        return (await focused.getAttribute('aria-label')) ?? (await focused.innerText());
      },
      (now) => now === label,
      'what has the focus',
    );
  const isPressed = (name: string, pressed: boolean): Promise<unknown> =>
    expect(scene.severity(name)).toHaveAttribute('aria-pressed', String(pressed));

  it('set the time range from the list or as text', async () => {
    const explorer = scene.page;
    const range = explorer.locator('.query-line select');
    const from = explorer.getByLabel(pageText('range.start'), { exact: true });
    const to = explorer.getByLabel(pageText('range.end'), { exact: true });
    const chosen = range.locator('option:checked');
    await scene.search('severity:error last:6h');
    await ran(() => range.selectOption({ label: pageText('range.24h') }));
    await becomes('severity:error last:24h');
    await range.focus();
    await ran(() => press('ArrowUp'));
    await becomes('severity:error last:6h');

    await press('End');
    await from.fill('yesterdayy');
    await from.press('Enter');
    await explorer.getByRole('alert').filter({ hasText: 'yesterdayy' }).waitFor();
    await from.fill('yesterday 10:00');
    await ran(() => from.press('Enter'));
    await becomes('severity:error from:yesterday 10:00');
    await expect(chosen).toHaveText(pageText('range.from', 'yesterday 10:00'));
    await range.selectOption('other');
    await from.press('Escape');
    await from.waitFor({ state: 'hidden' });

    await range.selectOption('other');
    await from.click();
    await from.fill('2h');
    await to.click();
    await to.fill('1h');
    await ran(() => button('range.apply').click());
    await becomes('severity:error from:2h to:1h');
    await expect(chosen).toHaveText(pageText('range.fromTo', '2h', '1h'));
    await range.selectOption('other');
    await button('range.close').click();
    await from.waitFor({ state: 'hidden' });
    await hasFocus(pageText('range.label'));
  });

  it('toggle severities and remove chips, with undo', async () => {
    const hostile = '"<img src=x onerror=alert(1)>"';
    // The query bar is too narrow for the query.
    await scene.page.setViewportSize({ width: 900, height: 800 });
    await scene.search(
      `severity:error env:production (service=web or service=api) ${hostile} last:6h`,
    );
    const chips = scene.page.locator('.chips');
    const texts = (): Promise<string[]> => chips.locator('.chip-text').allTextContents();
    const all = ['severity:error', 'env:production', 'service=web', 'service=api', hostile];
    await expect.poll(texts).toEqual(all);
    await expect(chips.locator('.joined')).toHaveText([
      pageText('chips.and'),
      pageText('chips.and'),
      pageText('chips.or'),
      pageText('chips.and'),
    ]);
    await expect(scene.page.locator('img')).toHaveCount(0);
    await isPressed('error', true);
    const more = await ran(() => scene.severity('warn').click());
    assert.include(more, 'severity:warn,error');
    await isPressed('warn', true);
    await scene.severity('error').focus();
    const fewer = await ran(() => press('Space'));
    assert.include(fewer, 'severity:warn env:');

    await ran(() => button('chips.remove', hostile).click());
    await eventually(texts, (now) => now.length === 4, 'one chip less');
    await button('chips.remove', 'severity:warn').focus();
    await press('ArrowRight');
    await hasFocus(pageText('chips.remove', 'env:production'));
    await ran(() => press('Delete'));
    await becomes('severity:warn (service=web or service=api) last:6h');
    await hasFocus(pageText('chips.remove', 'service=web'));
    // Where it was changed it is taken back, and searched for again.
    await ran(() => press('ControlOrMeta+z'));
    await becomes('severity:warn env:production (service=web or service=api) last:6h');
    await button('chips.remove', 'env:production').waitFor();
  });

  const row = (number: number): Locator =>
    scene.page.getByRole('group', { name: pageText('builder.row', number) });
  const match = (): Locator => scene.page.locator('.builder .match select');

  it('edit conditions by keyboard', async () => {
    const { page } = scene;
    /** Moves to the next element, which must be this one. */
    const goOn = async (label: string, key = 'Tab'): Promise<void> => {
      await press(key);
      await hasFocus(label);
    };
    await scene.search('last:6h');
    await button('builder.toggle').focus();
    await press('Enter');
    await hasFocus(pageText('builder.match'));
    await press('Home');
    await goOn(pageText('builder.field'));
    await page.keyboard.type('service');
    await goOn(pageText('builder.operator'));
    await page.keyboard.type('starts');
    await goOn(pageText('builder.value'));
    await page.keyboard.type('web');
    await goOn(pageText('builder.remove', 1));
    await becomes('service^=web last:6h');
    await goOn(pageText('builder.add'));
    await goOn(pageText('builder.field'), 'Enter');
    await page.keyboard.type('attr');
    await goOn(pageText('builder.attribute'));
    await page.keyboard.type('path');
    await goOn(pageText('builder.operator'));
    await press('ArrowDown');
    await goOn(pageText('builder.value'));
    await page.keyboard.type('/health');
    await ran(() => press('Enter'));
    await becomes('service^=web attr.path!=/health last:6h');
    await match().focus();
    await press('ArrowDown');
    await becomes('(service^=web or attr.path!=/health) last:6h');
    // Taken back right there, but not searched for: the conditions are not done yet.
    await press('ControlOrMeta+z');
    await becomes('service^=web attr.path!=/health last:6h');
    await expect(match()).toHaveValue('and');
    await button('builder.remove', 1).focus();
    await goOn(pageText('builder.field'), 'Enter');
    await becomes('attr.path!=/health last:6h');
    // What is typed is in the rows, too.
    await scene.search('trace:* last:6h');
    await expect(row(1).getByLabel(pageText('builder.field'))).toHaveValue('trace');
    await button('builder.remove', 1).focus();
    await press('Enter');
    await becomes('last:6h');
    await hasFocus(pageText('builder.toggle'));
    await press('Enter');
    await match().waitFor({ state: 'hidden' });
  });
});
