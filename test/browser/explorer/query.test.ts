import { assert } from 'chai';
import type { Locator } from 'playwright';
import { uiText } from '../../host/texts';
import { isAccessible } from '../../host/pageFrame';
import { asked, search, setExplorer } from './explorerPage';
import { pageText } from './pageTexts';
import { expect, picture } from '../scene';

describe('query bar of the Log Explorer', () => {
  const scene = setExplorer();
  const { becomes, button } = scene;
  before(() => {
    scene.controlPlane.admin.emit([
      { severity: 'error', body: 'one that failed' },
      { severity: 'info', body: 'one of many' },
    ]);
  });

  /** A suggestion by its name; behind that of a workload stands its id. */
  const option = (name: string | RegExp): Locator =>
    scene.explorer
      .getByRole('listbox', { name: pageText('query.suggestions') })
      .getByRole('option', { name, exact: true });
  const isInBar = (): Promise<unknown> =>
    expect(scene.focused()).toHaveAttribute('role', 'combobox');

  it('completes names of the workspace by mouse', async () => {
    const { bar, page } = scene;
    await bar.fill('wor');
    await option('workload').click();
    await becomes('workload:');
    await isInBar();
    await option(/^web-api\b/).click();
    await becomes('workload:web-api');
    await page.keyboard.type(' severity:w');
    await option('warn').click();
    await page.keyboard.type(' last:6h');
    await becomes('workload:web-api severity:warn last:6h');
    const { filters } = await asked(scene, () => button('query.search').click());
    assert.deepEqual(filters['severities'], ['warn']);
    assert.lengthOf(filters['workloadIds'] as string[], 1);
    await bar.fill('');
    await option('workload:web-api severity:warn last:6h').click();
    await becomes('workload:web-api severity:warn last:6h');
  });

  it('searches for pasted text that looks like a field, and says so', async () => {
    const { bar, explorer } = scene;
    await search(scene, 'std::bad_alloc last:6h');
    const note = uiText('There is no field {0}, so this is searched for as text.', 'std');
    await expect(explorer.locator('.query-errors')).toContainText(note);
    await expect(bar).not.toHaveAttribute('aria-invalid');
    await isAccessible(scene);
    await explorer.getByRole('button', { name: uiText('Put It in Quotes') }).click();
    await expect(bar).toHaveValue('"std::bad_alloc" last:6h');
    await expect(explorer.locator('.query-errors')).toBeEmpty();
  });

  it('shows what failed, what helps, and which query the records are from', async () => {
    const { bar, explorer } = scene;
    await search(scene, 'severity:error last:6h');
    const former = explorer.locator('.notice-list .warning', {
      hasText: 'severity:error last:6h',
    });
    scene.controlPlane.admin.fault({
      kind: 'status',
      endpoint: 'post_logs_query',
      status: 400,
      code: 'odd_request',
      message: 'no <b>logs</b>',
    });
    await bar.fill('severity:info last:6h');
    await bar.press('Enter');
    await explorer.getByRole('alert').filter({ hasText: 'no <b>logs</b>' }).waitFor();
    await expect(explorer.locator('.notices b')).toHaveCount(0);
    await former.waitFor();
    await button('notices.diagnostics').waitFor();
    await isAccessible(scene);
    await picture(scene, 'explorer-former');
    await asked(scene, () => bar.press('Enter'));
    await former.waitFor({ state: 'detached' });
    await button('notices.diagnostics').waitFor({ state: 'hidden' });

    await search(scene, '"no such text anywhere" last:6h');
    await asked(scene, () => button('range.24h').click());
    await becomes('"no such text anywhere" last:24h');
  });
});
