import { assert } from 'chai';
import type { Locator } from 'playwright';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { search, setExplorer, shown } from './explorerPage';
import { explorerRows } from './explorerRows';
import { expect, picture } from '../scene';

const secret = 'card 4711 of a customer';

/** The states of following. */
const live = uiText('live');
const paused = uiPattern('paused ({0} new)');

describe('following in the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  let newest = 0;
  before(() => emit(200));
  beforeEach(async () => {
    emit(1);
    await search(scene, 'last:1h');
    await isInView(newest);
  });

  function emit(count: number): void {
    const numbers = Array.from({ length: count }, (_, index) => newest + index + 1);
    newest += count;
    scene.controlPlane.admin.emit(numbers.map((number) => ({ body: `record ${number}.` })));
  }
  const isInView = (number: number): Promise<unknown> => rows.isInView(`record ${number}.`);
  const isNow = (state: string | RegExp): Promise<void> =>
    scene.explorer.locator('.follow-state').filter({ hasText: state }).waitFor();
  const isNew = (count: number): Locator => scene.button('newRecords', count);
  const comes = async (): Promise<void> => {
    emit(1);
    await isInView(newest);
  };
  const isStopped = async (): Promise<void> => {
    await scene.button('toolbar.follow').waitFor();
    const count = await rows.count();
    emit(1);
    // Records that were not followed are loaded on request.
    await scene.end('newer').click();
    await rows.hasCount(count + 1);
  };

  it('continues, pauses, shows new records, resumes and stops by keyboard, unless the range has an end', async () => {
    await scene.bar.focus();
    await rows.tabTo(scene.button('toolbar.follow'));
    await rows.press('Enter');
    await isNow(live);
    await rows.hasFocus(scene.button('toolbar.pause'));
    await comes();
    await rows.tabTo(rows.grid);
    // The first selects the newest one.
    await rows.press('PageUp', 'PageUp');
    await isNow(paused);
    const before = await rows.selected.boundingBox();
    emit(2);
    await isNew(2).waitFor();
    const after = await rows.selected.boundingBox();
    assert.deepEqual(after, before, 'what is read stays where it is');
    await rows.tabTo(isNew(2));
    await rows.press('Enter');
    await isNow(live);
    await isInView(newest);
    await rows.hasFocus(rows.grid);
    await comes();
    await rows.press('PageUp');
    await isNow(paused);
    emit(1);
    await isNew(1).waitFor();
    await rows.press('End');
    await isNow(live);
    await isInView(newest);
    await scene.button('toolbar.stop').focus();
    await rows.press('Enter');
    await rows.hasFocus(scene.button('toolbar.follow'));
    await isStopped();

    // What a range with an end has instead.
    const follow = scene.button('toolbar.follow');
    await shown(scene, () => search(scene, 'from:6h to:1m'));
    await expect(follow).toHaveAttribute('aria-disabled', 'true');
    const why = 'The range ends at {0}. Remove `to` from the query to follow new records.';
    await expect(follow).toHaveAttribute('title', uiPattern(why));
    await shown(scene, () => search(scene, 'last:6h'));
    await expect(follow).not.toHaveAttribute('aria-disabled', 'true');
  });

  it(`removes records at once when permissions change ${covers('F30', 'editor')}`, async () => {
    const { admin } = scene.controlPlane;
    const page = scene.explorer.locator('#page');
    // Read once: it must not be there for a moment either.
    const showsNoSecret = async (): Promise<void> => {
      const text = await page.innerText();
      assert.notInclude(text, secret);
    };
    // No other test has this key, whose access changes.
    await scene.reconnect('demo-logs', 'with less and less access');
    const [record] = admin.emit([{ body: secret, severity: 'fatal' }]);
    await search(scene, 'last:1h');
    await rows.row(secret).click();
    await scene.explorer.locator('.details').getByText(record!.eventId).waitFor();
    await scene.button('toolbar.follow').click();
    await isNow(live);
    // Revisions are compared within a stream, which has one with its first page.
    admin.emit([{ body: 'a page with the first revision' }]);
    await rows.row('a page with the first revision').waitFor();
    // What is searched for again comes late: nothing of before may be there meanwhile.
    admin.fault({ kind: 'latency', latencyMs: 60_000, endpoint: 'post_logs_query' });
    admin.restrict('demo-logs', ({ body }) => body !== secret);
    admin.emit([{ body: 'a page with another revision' }]);
    await scene.explorer
      .locator('.notice-list .warning')
      .getByText(uiText('The permissions of the API key changed. Earlier records were removed.'))
      .waitFor();
    await showsNoSecret();
    const count = await rows.count();
    assert.isAtMost(count, 0);
    await scene.button('query.cancel').click();
    await search(scene, `"${secret}" last:1h`);
    const none = uiPattern('No records between {0} and {1}.');
    await scene.explorer.locator('.summary', { hasText: none }).waitFor();
    await search(scene, 'last:1h');
    await rows.row('a page with another revision').waitFor();
    await showsNoSecret();

    await scene.button('toolbar.follow').click();
    await isNow(live);
    admin.changeAccess('demo-logs', []);
    await scene.explorer.getByRole('alert').filter({ hasText: 'logs.read' }).waitFor();
    await rows.row('a page with another revision').waitFor({ state: 'detached' });
    await expect(page).not.toContainText('record 2');
    await picture(scene, 'explorer-access-lost');
  });
});
