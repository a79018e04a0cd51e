import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { chooseInMenu } from './actionScene';
import { asked, openExplorer, search, searches, type ExplorerScene } from './explorerPage';
import { explorerRows, type ExplorerRows } from './explorerRows';
import { eventually, picture } from './scene';
import { knownThings } from './trees';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const containerId = 'ab'.repeat(32);

describe('the ways from a record of the Log Explorer, and back', () => {
  let scene: ExplorerScene;
  let rows: ExplorerRows;
  before(async () => {
    scene = await openExplorer({ historyRecords: 0 }, (controlPlane) => ({
      settings: knownThings(controlPlane),
    }));
    rows = explorerRows(scene);
    const { admin } = scene.controlPlane;
    const of = (prefix: string) =>
      Array.from({ length: 70 }, (_, n) => ({ containerId, body: `${prefix} ${n + 1}` }));
    admin.emit([
      { traceId, body: 'it began in web-api' },
      ...of('before'),
      { containerId, traceId, workloadName: 'payments', body: 'and it went on in payments' },
      ...of('after'),
      { body: 'something else' },
    ]);
  });
  after(() => scene.close());

  /** The record that all ways begin at, among a few others. */
  const start = 'payments';
  const startQuery = '"it" last:1h';
  const inDetails = (name: string): Locator =>
    rows.details.getByRole('button', { name, exact: true });
  const back = (): Locator => rows.button('Back');
  const hasQuery = (query: string | RegExp): Promise<string> =>
    eventually(
      () => scene.bar.inputValue(),
      (text) => (typeof query === 'string' ? text === query : query.test(text)),
      'the query',
    );
  /** Searches for what the ways begin at, and selects its record with the details open. */
  async function begin(query: string, count: number): Promise<void> {
    await search(scene, query);
    await rows.hasCount(count);
    await rows.row(start).locator('.body').click();
    await rows.details.locator('pre').filter({ hasText: start }).waitFor();
  }
  /** Waits until it is as where it began: the query, the rows, the record and its details. */
  async function isBack(query: string, count: number): Promise<void> {
    await hasQuery(query);
    await rows.hasCount(count);
    await rows.isSelected(start);
    await rows.details.locator('pre').filter({ hasText: start }).waitFor();
    await isInView(rows.selected);
  }
  const isInView = async (row: Locator): Promise<void> => {
    const [box, frame] = [(await row.boundingBox())!, (await rows.grid.boundingBox())!];
    assert.isAtLeast(box.y, frame.y);
    assert.isAtMost(box.y + box.height, frame.y + frame.height);
  };
  /** Waits until the trace is there: both of its records, of two workloads. */
  async function isTrace(body: Awaited<ReturnType<typeof asked>>): Promise<void> {
    assert.equal(body.filters['traceId'], traceId);
    assert.notProperty(body.filters, 'search');
    assert.notProperty(body.filters, 'workloadIds');
    await hasQuery(new RegExp(`^trace:${traceId} from:`));
    await rows.hasCount(2);
    await rows.row('it began').filter({ hasText: 'web-api' }).waitFor();
    await rows.isSelected(start);
    await rows.hasFocus(rows.grid);
  }
  /** Waits until the surroundings are there: 50 records on either side. */
  async function isContext(before: number): Promise<void> {
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
    assert.equal(await rows.selected.getAttribute('aria-rowindex'), '52');
    await isInView(rows.selected);
    await rows.hasFocus(rows.grid);
    await rows.details.locator('pre').filter({ hasText: start }).waitFor();
    await scene.explorer.getByRole('heading', { name: 'Around a record of payments' }).waitFor();
  }

  it('lead to its trace across workloads, and back, by mouse', async () => {
    await begin('"payments" last:1h', 1);
    await isTrace(await asked(scene, () => inDetails('Show Trace').click()));
    await picture(scene, 'explorer-trace');
    await asked(scene, () => back().click());
    await isBack('"payments" last:1h', 1);
    // There is nothing more to go back to.
    await back().waitFor({ state: 'hidden' });
    await rows.hasFocus(rows.grid);
  });

  it('lead to its trace and back by keyboard, from the details and by the menu', async () => {
    await begin('"payments" last:1h', 1);
    await rows.grid.focus();
    await rows.press('Enter');
    await rows.tabTo(inDetails('Show Trace'));
    await isTrace(await asked(scene, () => rows.press('Enter')));
    await asked(scene, () => rows.press('Alt+ArrowLeft'));
    await isBack('"payments" last:1h', 1);
    await rows.hasFocus(rows.grid);
    await rows.press('Shift+F10');
    await isTrace(await asked(scene, () => chooseInMenu(scene, 'Show Trace')));
    await asked(scene, () => rows.press('Alt+ArrowLeft'));
    await isBack('"payments" last:1h', 1);
  });

  it('lead from a trace that was narrowed back to the trace, and on to what was before it', async () => {
    await begin('"payments" last:1h', 1);
    await asked(scene, () => inDetails('Show Trace').click());
    await rows.hasCount(2);
    await asked(scene, async () => {
      await scene.bar.press('End');
      await scene.page.keyboard.type(' "began"');
      await scene.bar.press('Enter');
    });
    await rows.hasCount(1);
    await asked(scene, () => back().click());
    await rows.hasCount(2);
    // Where a text is typed the key belongs to the text.
    await scene.bar.focus();
    await rows.press('Alt+ArrowLeft');
    await back().focus();
    await asked(scene, () => rows.press('Enter'));
    await hasQuery('"payments" last:1h');
    await rows.hasCount(1);
    await rows.isSelected(start);
  });

  it('lead to its surroundings, which it stays in the middle of, and back, by mouse', async () => {
    await begin(startQuery, 2);
    const before = searches(scene).length;
    await inDetails('Show Context').click();
    await isContext(before);
    await picture(scene, 'explorer-context');
    const loaded = searches(scene).length;
    await back().click();
    await isBack(startQuery, 2);
    assert.lengthOf(searches(scene), loaded, 'what was found before is still there');
  });

  it('lead to its surroundings and back by keyboard, from the details and by the menu', async () => {
    await begin(startQuery, 2);
    await rows.grid.focus();
    await rows.press('Enter');
    await rows.tabTo(inDetails('Show Context'));
    const before = searches(scene).length;
    await rows.press('Enter');
    await isContext(before);
    await rows.press('Home');
    await rows.isSelected('before 21');
    await rows.press('End');
    await rows.isSelected('after 50');
    await rows.press('Alt+ArrowLeft');
    await isBack(startQuery, 2);
    await rows.hasFocus(rows.grid);
    await rows.press('Shift+F10');
    const again = searches(scene).length;
    await chooseInMenu(scene, 'Show Context');
    await isContext(again);
    await rows.press('Alt+ArrowLeft');
    await isBack(startQuery, 2);
  });

  it('lead to its deployment and its app in the tree, by mouse and by keyboard', async () => {
    const { page } = scene;
    const focused = page.locator('.sidebar .monaco-list:focus-within .monaco-list-row.focused');
    const leads = async (label: RegExp, how: () => Promise<unknown>): Promise<void> => {
      await rows.grid.focus();
      await how();
      await focused.filter({ hasText: label }).waitFor();
    };
    const byKeyboard = async (name: string): Promise<void> => {
      await rows.press('Enter');
      await rows.tabTo(inDetails(name));
      await rows.press('Enter');
    };
    const [app, deployment] = [/^payments/, /^[0-9a-f]{7}succeeded/];
    await begin(startQuery, 2);
    await leads(app, () => inDetails('Show Resource').click());
    await leads(deployment, () => inDetails('Show Deployment').click());
    await picture(scene, 'explorer-reveal');
    await leads(app, () => byKeyboard('Show Resource'));
    await leads(deployment, () => byKeyboard('Show Deployment'));
  });
});
