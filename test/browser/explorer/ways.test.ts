import { assert } from 'chai';
import type { Locator } from 'playwright';
import type { StringId } from '../../../src/logs/explorer/ui/pageStrings';
import { chooseInMenu } from '../actionScene';
import { asked, search, searches, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { pageText } from './pageTexts';
import { expect, picture } from '../scene';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const containerId = 'ab'.repeat(32);

describe('navigation from a record of the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  before(() => {
    const of = (prefix: string) =>
      Array.from({ length: 70 }, (_, n) => ({ containerId, body: `${prefix} ${n + 1}` }));
    scene.controlPlane.admin.emit([
      { traceId, body: 'it began in web-api' },
      ...of('before'),
      { containerId, traceId, workloadName: 'payments', body: 'and continues in payments' },
      ...of('after'),
      { body: 'something else' },
    ]);
  });

  /** The record that all ways begin at. */
  const start = 'payments';
  const query = '"payments" last:1h';
  const inDetails = (id: StringId): Locator =>
    rows.details.getByRole('button', { name: pageText(id), exact: true });
  const back = (): Locator => scene.button('toolbar.back');
  /** Finds what the ways begin at, alone, and opens its details. */
  beforeEach(async () => {
    await search(scene, query);
    await rows.row(start).locator('.body').click();
    await rows.details.locator('pre').filter({ hasText: start }).waitFor();
  });
  /** Waits until it is as where it began: the query, the rows, the record and its details. */
  async function isBack(): Promise<void> {
    await scene.becomes(query);
    await rows.hasCount(1);
    await rows.isSelected(start);
    await rows.details.locator('pre').filter({ hasText: start }).waitFor();
    await rows.isInView(start);
    await rows.hasFocus(rows.grid);
  }

  it('opens its trace, its context, and its deployment and its app in the tree, and goes back', async () => {
    const { page } = scene;
    /** Waits until the trace is there: both of its records, of two workloads. */
    const isTrace = async ({ filters }: Awaited<ReturnType<typeof asked>>): Promise<void> => {
      assert.equal(filters['traceId'], traceId);
      assert.notProperty(filters, 'search');
      assert.notProperty(filters, 'workloadIds');
      await scene.becomes((now) => now.startsWith(`trace:${traceId} from:`));
      await rows.hasCount(2);
      await rows.row('it began').filter({ hasText: 'web-api' }).waitFor();
      await rows.isSelected(start);
      await rows.hasFocus(rows.grid);
      // It is shown over its time, too: the whole, and each workload.
      await expect(scene.explorer.locator('.waterfall-row')).toHaveCount(3);
    };
    await isTrace(await asked(scene, () => inDetails('detailsTrace').click()));
    await picture(scene, 'explorer-trace');
    await asked(scene, () => page.keyboard.press('Alt+ArrowLeft'));
    await isBack();
    // There is nothing more to go back to.
    await back().waitFor({ state: 'hidden' });
    await rows.press('Shift+F10');
    await isTrace(await asked(scene, () => chooseInMenu(scene, 'showRecordTrace')));
    await asked(scene, () => back().click());
    await isBack();

    /** Waits until the surroundings are there: 50 records on either side. */
    const isContext = async (before: number): Promise<void> => {
      await rows.hasCount(101);
      const bodies = searches(scene).slice(before);
      // More than once each, as all records of this test are of one millisecond.
      const directions = new Set(bodies.map(({ direction }) => direction));
      assert.sameMembers([...directions], ['older', 'newer']);
      for (const { filters } of bodies) {
        assert.deepEqual(filters['containerIds'], [containerId]);
        assert.notProperty(filters, 'search');
      }
      await rows.isSelected(start);
      await expect(rows.selected).toHaveAttribute('aria-rowindex', '52');
      await rows.isInView(start);
      await rows.hasFocus(rows.grid);
      await rows.details.locator('pre').filter({ hasText: start }).waitFor();
      await scene.explorer.locator('h2.title', { hasText: 'payments' }).waitFor();
    };
    const before = searches(scene).length;
    await inDetails('detailsContext').click();
    await isContext(before);
    await picture(scene, 'explorer-context');
    const loaded = searches(scene).length;
    await back().click();
    await isBack();
    assert.lengthOf(searches(scene), loaded, 'what was found before is still there');

    await rows.press('Shift+F10');
    await chooseInMenu(scene, 'showRecordContext');
    await isContext(loaded);
    await rows.isReturnedTo(rows.grid);
    await rows.press('Home');
    await rows.isSelected('before 21');
    await rows.press('End');
    await rows.isSelected('after 50');
    await page.keyboard.press('Alt+ArrowLeft');
    await isBack();

    const focused = page.locator('.sidebar .monaco-list:focus-within .monaco-list-row.focused');
    await inDetails('detailsResource').click();
    await focused.filter({ hasText: /^payments/ }).waitFor();
    await rows.grid.focus();
    await rows.press('Enter');
    await rows.tabTo(inDetails('detailsDeployment'));
    await rows.press('Enter');
    await focused.filter({ hasText: /^[0-9a-f]{7}succeeded/ }).waitFor();
    await picture(scene, 'explorer-reveal');
  });
});
