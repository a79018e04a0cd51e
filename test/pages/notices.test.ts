import { assert } from 'chai';
import type { Locator } from 'playwright';
import { pageText } from '../browser/explorer/pageTexts';
import { expect } from '../host/expect';
import { setExplorerPage } from './explorerScene';

describe('notices of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const { button } = scene;
  const alert = (text: string): Locator => scene.page.getByRole('alert').filter({ hasText: text });
  /** There is nothing, which takes no place. */
  const isEmpty = (): Promise<void> =>
    expect.poll(async () => (await scene.page.locator('.notices').boundingBox())?.height).toBe(0);

  it('say why the search failed and what helps, until it does not', async () => {
    const { page, panel } = scene;
    panel.find({ body: 'one' });
    panel.show({ failure: { message: 'no <b>logs</b>', help: 'diagnostics' } });
    await expect(alert('no <b>logs</b>')).toBeVisible();
    await expect(page.locator('.notices b')).toHaveCount(0);
    await button('notices.diagnostics').click();
    await expect.poll(() => panel.of('help')).toEqual([{ kind: 'help', action: 'diagnostics' }]);
    panel.show({ failure: undefined } as never);
    await isEmpty();
  });

  it('say why an action failed until it is dismissed, which gives the focus back', async () => {
    const { page, panel } = scene;
    panel.find({ body: 'one' });
    panel.refusal = 'There is nothing to compare.';
    await button('toolbar.compare').focus();
    await page.keyboard.press('Enter');
    await expect(alert(panel.refusal)).toBeVisible();
    await button('notices.dismiss').focus();
    await page.keyboard.press('Enter');
    await isEmpty();
    await expect(button('toolbar.compare')).toBeFocused();
  });

  it('explain why new records cannot be followed, as long as that is true', async () => {
    const { page, panel } = scene;
    panel.find({ body: 'one' });
    const why = 'The range ends at 10:00.';
    const said = page.getByRole('status').filter({ hasText: why });
    const follow = button('toolbar.follow');
    panel.show({ cannotFollow: why });
    await expect(follow).toHaveAttribute('aria-disabled', 'true');
    await expect(follow).toHaveAttribute('title', why);
    await follow.press('Enter');
    await expect(said).toBeVisible();
    await expect(alert(why)).toHaveCount(0);
    await button('notices.dismiss').press('Enter');
    await expect(said).toBeHidden();
    await expect(follow).toBeFocused();
    await follow.click({ force: true });
    await expect(said).toBeVisible();
    assert.isEmpty(panel.of('follow'));
    panel.show({ cannotFollow: '' });
    await isEmpty();
    await follow.click();
    await expect.poll(() => panel.of('follow')).toHaveLength(1);
  });

  it('name warnings to screen readers, and offer a longer range if nothing was found', async () => {
    const { page, panel, ran, becomes } = scene;
    panel.show({ notices: [{ level: 'warning', text: 'Some records may be missing.' }] });
    const note = page.getByRole('list', { name: pageText('notices.label') }).getByRole('listitem');
    await expect(note).toHaveText(`${pageText('notices.warning')}: Some records may be missing.`);
    await expect(page.getByText(pageText('empty.nothing'))).toBeVisible();
    await ran(() => button('range.6h').click());
    await becomes('last:6h');
    panel.show({ state: 'signedOut' });
    await expect(page.getByText(pageText('empty.signedOut'))).toBeVisible();
    await button('notices.connect').click();
    await expect.poll(() => panel.of('help')).toEqual([{ kind: 'help', action: 'connect' }]);
  });

  it('announce what a search found', async () => {
    const { page, panel } = scene;
    panel.find({ body: 'one' });
    await expect(page.locator('live-region')).toHaveText('1 records loaded');
  });
});
