import { assert } from 'chai';
import type { Locator } from 'playwright';
import { uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { search, searches, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { eventually } from '../scene';

describe('patterns of the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  const patterns = (): Locator => scene.explorer.locator('.pattern');
  const texts = (): Promise<string[]> => patterns().locator('.template').allTextContents();

  before(() => {
    scene.controlPlane.admin.emit([
      ...Array.from({ length: 30 }, (_, index) => ({ body: `charged ${index} EUR` })),
      ...Array.from({ length: 10 }, (_, index) => ({ body: `no stock of item ${index}` })),
      { body: 'shutting down', severity: 'error' as const },
    ]);
  });

  it(`search for a pattern by keyboard, hide it and show it again, and are gone at once with the API key, also below the mouse ${covers('F79', 'editor')}`, async () => {
    await search(scene, 'last:1h');
    await scene.button('toolbar.patterns').click();
    await patterns().first().locator('.template').focus();
    await rows.press('ArrowDown');
    const before = searches(scene).length;
    await rows.press('Enter');
    await scene.becomes('"no stock of item" last:1h');
    await rows.hasCount(10);
    assert.lengthOf(searches(scene), before + 1);
    await rows.press('ControlOrMeta+z');
    await scene.becomes('last:1h');
    await rows.hasCount(41);

    await scene.button('toolbar.patterns').click();
    const loaded = searches(scene).length;
    const hide = (): Locator => patterns().first().getByRole('button').last();
    await hide().click();
    await scene.explorer
      .locator('.summary', { hasText: uiText('{0} hidden', 30) })
      .first()
      .waitFor();
    await scene.button('toolbar.patterns').click();
    await rows.hasCount(11);
    await scene.button('toolbar.patterns').click();
    await hide().click();
    await scene.button('toolbar.patterns').click();
    await rows.hasCount(41);
    assert.lengthOf(searches(scene), loaded);
    await scene.button('toolbar.patterns').click();
    await eventually(texts, (all) => all.length === 3, 'three patterns');

    await patterns().first().hover();
    await scene.signOut();
    await eventually(texts, (all) => all.length === 0, 'no patterns');
  });
});
