import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import type { LogRecord } from '../../src/api/types';
import { findings, inPage, openExplorer, search, type ExplorerScene } from './explorerPage';
import { eventually, picture } from './scene';

const secret = 'card 4711 of a customer';

describe('what one must know of what the Log Explorer shows', () => {
  let scene: ExplorerScene;
  before(async () => {
    // The five minutes that a stream lives are two seconds here.
    scene = await openExplorer({ historyRecords: 3000, streamSeconds: 2 });
  });
  after(() => scene.close());
  beforeEach(() => scene.controlPlane.admin.reset());

  const emit = (...records: Partial<LogRecord>[]): LogRecord[] =>
    scene.controlPlane.admin.emit(records);
  const grid = (): Locator => scene.explorer.getByRole('grid', { name: 'Log Records' });
  const row = (text: string): Locator => grid().getByRole('row').filter({ hasText: text });
  const notices = (): Locator => scene.explorer.getByRole('list', { name: 'Notices' });
  const notice = (text: string): Locator => notices().getByText(text);
  const button = (name: string): Locator =>
    scene.explorer.getByRole('button', { name, exact: true });
  const tails = (): number =>
    scene.controlPlane.admin.requests().filter(({ url }) => url.endsWith('/logs/tail')).length;

  async function follow(): Promise<void> {
    await button('Follow').click();
    await scene.explorer.locator('.follow-state').filter({ hasText: 'live' }).waitFor();
  }
  async function stop(): Promise<void> {
    await button('Stop').click();
    await button('Follow').waitFor();
  }

  it('F29 that the server left something out, of a search and of the stream', async () => {
    const { admin } = scene.controlPlane;
    const partial = 'some records may be missing (partial)';
    // Discovery goes through the logs, too, once it is connected.
    admin.fault({ kind: 'partial', endpoint: 'post_logs_query', times: 50 });
    await search(scene, 'severity:info last:2h');
    await notice(partial).waitFor();
    admin.reset();
    assert.deepEqual(await findings(scene), []);
    await search(scene, 'severity:info last:3h');
    await notice(partial).waitFor({ state: 'detached' });
    admin.fault({ kind: 'partial', endpoint: 'post_logs_tail' });
    await follow();
    emit({ severity: 'info', body: 'a part of it' });
    await row('a part of it').waitFor();
    await notice(partial).waitFor();
    await stop();
  });

  it('that a record was truncated, in its row and in its details', async () => {
    emit({ body: 'the beginning of much', severity: 'fatal', truncated: true });
    await search(scene, '"the beginning of much" last:1h');
    await row('the beginning of much [truncated]').click();
    const details = scene.explorer.locator('.details');
    await details.locator('.body').getByText('[truncated]').waitFor();
    await picture(scene, 'explorer-truncated');
    await details.getByRole('button', { name: 'Close' }).click();
  });

  it('that a cursor was refused: what is older comes by time, and some may be missing', async () => {
    const { admin } = scene.controlPlane;
    const lost = 'The server did not go on from where it was';
    await search(scene, 'last:2d');
    await grid().focus();
    await eventually(
      async () => {
        // The list of before may have been in view, and something else may have been refused.
        if (admin.pendingFaults() === 0) {
          admin.fault({ kind: 'cursorRefused', endpoint: 'post_logs_query' });
        }
        await scene.page.keyboard.press('End');
        await scene.page.keyboard.press('Home');
        return notice(lost).count();
      },
      (count) => count > 0,
      'it is said',
    );
    admin.reset();
    await eventually(
      async () => Number(await grid().getAttribute('aria-rowcount')),
      (count) => count > 1000,
      'older ones have come',
    );
    await search(scene, 'last:3d');
    await notice(lost).waitFor({ state: 'detached' });
    admin.fault({ kind: 'end', endpoint: 'post_logs_tail' });
    admin.fault({ kind: 'cursorRefused', endpoint: 'post_logs_tail' });
    await button('Follow').click();
    await notice(lost).waitFor();
    emit({ body: 'behind the gap' });
    await row('behind the gap').waitFor();
    await stop();
  });

  it('F14 nothing of the end of a stream after its time: it stays live without a word', async () => {
    await search(scene, 'last:1h');
    await follow();
    await inPage(
      scene,
      `{
        const state = document.querySelector('.follow-state');
        window.statesSeen = [state.textContent];
        new MutationObserver(() => window.statesSeen.push(state.textContent)).observe(state, {
          childList: true, characterData: true, subtree: true, attributes: true,
        });
      }`,
    );
    // A stream that ends so soon is none that failed only if it had something to tell.
    const { admin } = scene.controlPlane;
    admin.setRate(10);
    await eventually(
      () => Promise.resolve(tails()),
      (count) => count > 2,
      'three streams',
    );
    admin.setRate(0);
    emit({ body: 'on another stream' });
    await row('on another stream').waitFor();
    const states = await inPage<string[]>(scene, 'window.statesSeen');
    assert.deepEqual(
      states.filter((state) => !state.includes('live')),
      [],
    );
    assert.equal(await notices().getByRole('listitem').count(), 0);
    await stop();
  });

  it('that access has changed: what is restricted goes at once, and is not found again', async () => {
    const { admin } = scene.controlPlane;
    const changed = 'What this API key may see has changed. What was shown before is gone.';
    const [record] = emit({ body: secret, severity: 'fatal' });
    await search(scene, 'last:1h');
    await row(secret).click();
    await scene.explorer.locator('.details').getByText(record!.eventId).waitFor();
    await follow();
    // What is searched for again comes late: nothing of before may be there meanwhile.
    admin.fault({ kind: 'latency', latencyMs: 60_000, endpoint: 'post_logs_query' });
    admin.restrict('demo-full', ({ body }) => body !== secret);
    emit({ body: 'a page with another revision' });
    await notice(changed).waitFor();
    const page = scene.explorer.locator('#page');
    assert.notInclude(await page.innerText(), secret);
    assert.equal(
      await grid()
        .getByRole('row')
        .filter({ hasText: /\d{2}:\d{2}/ })
        .count(),
      0,
    );
    await button('Cancel').click();
    await search(scene, `"${secret}" last:1h`);
    await scene.explorer.locator('.summary', { hasText: 'Nothing found between' }).waitFor();
    await search(scene, 'last:1h');
    await row('a page with another revision').waitFor();
    assert.notInclude(await page.innerText(), secret);
  });

  it('that access is taken away: nothing is shown any more, and the permission is named', async () => {
    const { admin } = scene.controlPlane;
    await search(scene, 'last:1h');
    await row('a page with another revision').waitFor();
    await follow();
    admin.changeAccess('demo-full', []);
    await scene.explorer.getByRole('alert').filter({ hasText: 'logs.read' }).waitFor();
    await row('a page with another revision').waitFor({ state: 'detached' });
    await picture(scene, 'explorer-access-lost');
  });
});
