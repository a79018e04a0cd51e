import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import { channels } from '../../../src/vscode/contributions';
import type { Page } from 'playwright';
import type { ReceivedRequest } from '../../control-plane/server';
import { uiPattern, uiText } from '../../host/texts';
import { openRow } from '../../host/treeRows';
import type { EditorServer } from '../../host/editorServer';
import { commandTitle } from '../../host/titles';
import {
  clickNotification,
  dialog,
  notification,
  openContainer,
  proceed,
  statusBarItem,
  view,
} from '../../host/workbench';
import type { Driver } from '../../host/driver';
import { covers } from '../../unit/covers';
import { activityIs, begin, over, posts } from '../actionScene';
import { secretStorage, type SecretStorage } from '../secretStorage';
import { eventually, expect, picture, setScene, type OtherWindow } from '../scene';
import { knownThings, showOnly, welcomeLines } from '../trees';
import { scaled } from '../../host/slowness';

/** The text of all files whose names end with this, in a folder of the server. */
async function textBelow(server: EditorServer, folder: string, name: string): Promise<string> {
  const base = path.join(server.userDataDir, folder);
  const files = (await readdir(base, { recursive: true })).filter((file) => file.endsWith(name));
  const texts = await Promise.all(files.map((file) => readFile(path.join(base, file), 'utf8')));
  return texts.join('\n');
}

describe('a window', () => {
  const scene = setScene({
    keepsWindow: true,
    connected: null,
    controlPlane: { historyRecords: 0, operationSeconds: 3600 },
    settings: knownThings,
    size: { width: 1280, height: 1000 },
  });
  let secrets: SecretStorage;
  beforeEach(async () => {
    await openContainer(scene.page, 'Control Plane');
    secrets = await secretStorage(scene);
    await scene.reconnect();
    await follow(scene.driver);
  });

  /** Follows everything, with the key of this name. */
  async function follow(driver: Driver, key = 'demo-full'): Promise<void> {
    const { url: baseUrl, keys } = scene.controlPlane;
    await driver.connect({ baseUrl, apiKey: keys[key] ?? '' });
    await driver.run('controlPlane.followLogs', {});
    await driver.run('controlPlane.showLogs');
  }

  /** Emits a line `<what> <number>` for each number. */
  const emit = (what: string, ...numbers: number[]): string[] =>
    scene.controlPlane.admin
      .emit(numbers.map((number) => ({ body: `${what} ${number}` })))
      .map(({ eventId }) => eventId);
  /** Waits until the channel has these lines and no others. */
  const numbersAre = (driver: Driver, what: string, ...expected: number[]): Promise<void> =>
    expect
      .poll(async () => {
        const lines = (await driver.channel(channels.logs)).match(
          new RegExp(`${what} \\d+$`, 'gm'),
        );
        return (lines ?? []).map((line) => Number(line.split(' ').at(-1)));
      })
      .toEqual(expected);
  /** Waits until this is the position from which another window would resume. */
  const isStored = (eventId: string): Promise<unknown> =>
    eventually(
      () => textBelow(scene.window.server, 'User', 'tails.json'),
      (stored) => stored.includes(eventId),
      'the position is not stored',
    );
  /** A text about the clean-up of an item on a server with any name. */
  const cleanUpOf = (item: string, what: RegExp): RegExp =>
    uiPattern('Clean up {0} on {1}', item, new RegExp(`.*${what.source}`));
  const streamsAre = (count: number): Promise<number> =>
    eventually(
      () => Promise.resolve(scene.controlPlane.admin.streams()),
      (streams) => streams === count,
      `there are not ${count} streams`,
    );
  const requests = () => scene.controlPlane.admin.requests();
  const keysOf = (received: readonly ReceivedRequest[]): unknown[] => [
    ...new Set(received.map(({ key }) => key)),
  ];
  const isAsked = (isMeant: (request: ReceivedRequest) => boolean): Promise<unknown> =>
    eventually(
      () => Promise.resolve(requests().some(isMeant)),
      Boolean,
      `no request matches ${String(isMeant)}`,
    );

  it(`ends everything within 500 ms when the window is left while its host still runs, and resumes at the same position ${covers('F60', 'editor')}`, async () => {
    const { driver } = scene;
    const { admin } = scene.controlPlane;
    const last = emit('left', 1, 2, 3).at(-1)!;
    await numbersAre(driver, 'left', 1, 2, 3);
    await isStored(last);
    // Besides the stream: an open request, and a tail that would connect in two seconds.
    admin.fault({ kind: 'latency', latencyMs: 60_000, endpoint: 'get_operation' });
    await begin(scene, 'old-api');
    await isAsked((request) => request.url.includes('/operations/'));
    const headers = { 'retry-after': '2' };
    admin.fault({ kind: 'status', status: 429, headers, endpoint: 'post_logs_tail' });
    await driver.run('controlPlane.followLogs', 'severity:error');
    await isAsked((request) => request.status === 429);
    const hostEnds = driver.lingerAtEnd(2500);
    const allEnded = eventually(
      () => Promise.resolve(requests().filter(({ isOver }) => !isOver)),
      (open) => open.length === 0,
      'requests are still open',
    ).then(() => Date.now());
    await scene.leave(async () => {
      const { toldAt } = await hostEnds;
      const endedAt = await allEnded;
      assert.isBelow(endedAt - toldAt, scaled(500));
      assert.isEmpty(
        requests().filter(({ at }) => at > toldAt + scaled(500)),
        'no further request',
      );
      emit('left', 4, 5);
    });
    const next = emit('left', 6).at(-1)!;
    // A new window has a new channel: earlier lines are neither lost nor shown again.
    await scene.driver.run('controlPlane.showLogs');
    await numbersAre(scene.driver, 'left', 4, 5, 6);
    await isStored(next);
  });

  /**
   * Emits 50 lines a second until an action has ended, which reloads the window once there are three seconds of them.
   * Then each is shown once, but for five at most.
   */
  async function losesNoLine(action: (flows: () => Promise<void>) => Promise<void>): Promise<void> {
    const { controlPlane, window } = scene;
    let last = 0;
    const source = setInterval(() => controlPlane.admin.emit([{ body: `steady ${++last}` }]), 20);
    const isShown = (number: number): Promise<void> =>
      expect
        .poll(() => scene.driver.channel(channels.logs), { timeout: scaled(60_000) })
        .toMatch(new RegExp(`steady ${number}$`, 'm'));
    try {
      await action(() => isShown(last + 150));
      await scene.driver.run('controlPlane.showLogs');
      await isShown(last + 50);
    } finally {
      clearInterval(source);
    }
    await isShown(last);
    // What each of the windows has written is in a file; the page of the first is gone.
    const text = await textBelow(window.server, 'logs', `${channels.logs}.log`);
    const numbers = (text.match(/steady \d+$/gm) ?? []).map((line) =>
      Number(line.split(' ').at(-1)),
    );
    const all = Array.from({ length: last }, (_, index) => index + 1);
    assert.isEmpty(
      all.filter((number) => !numbers.includes(number)),
      'lost',
    );
    assert.isAtMost(numbers.length - last, 5, `repeated of ${last}`);
  }

  it(`repeats and loses no line in a reload at 50 lines a second, continues accepted actions, and asks about those with an unknown outcome ${covers('F44', 'editor')}`, async () => {
    const { page, driver, controlPlane } = scene;
    const { admin } = controlPlane;
    const sent = () => posts(scene, '/cleanup-orphans');
    await showOnly(page, 'activity');
    const before = admin.operations().length;
    const watched = await begin(scene, 'watched');
    admin.fault({ kind: 'stall', endpoint: 'post_servers_cleanup_orphans' });
    await begin(scene, 'stuck');
    await driver.run('controlPlane.runInBackground');
    await activityIs(scene, cleanUpOf('stuck', uiPattern('sending')));
    await losesNoLine(async (flows) => {
      await flows();
      await scene.reload();
      admin.change(watched, over);
      const question = cleanUpOf('stuck', uiPattern('it may or may not have started.'));
      await notification(page, question).waitFor();
      await picture(scene, 'clean-up-unknown');
      assert.lengthOf(sent(), 2, 'nothing is sent without confirmation');
      await clickNotification(page, question, commandTitle('sendAgain'));
      await dialog(page).waitFor();
      await picture(scene, 'clean-up-again-modal');
      await proceed(dialog(page)).click();
    });
    const replayed = new RegExp(`(queued|running).*${uiText('replayed')}`);
    await activityIs(scene, cleanUpOf('stuck', replayed));
    await activityIs(scene, cleanUpOf('watched', /succeeded/));
    const [, first, again, ...others] = sent();
    assert.isEmpty(others);
    assert.equal(first?.body, again?.body);
    assert.equal(first?.headers['idempotency-key'], again?.headers['idempotency-key']);
    assert.lengthOf(admin.operations(), before + 2);
  });

  it(`ends its streams if another window deletes the key, and uses the next key ${covers('F48', 'editor')}`, async () => {
    const { admin, keys } = scene.controlPlane;
    await streamsAre(1);
    emit('key', 1);
    await numbersAre(scene.driver, 'key', 1);

    await secrets.change(undefined);
    // This window is notified.
    await streamsAre(0);
    await isSignedOut();
    emit('key', 2);

    await secrets.change(keys['demo-full']);
    // The channel was cleared with the key.
    await numbersAre(scene.driver, 'key', 2);
    await secrets.change(keys['demo-readonly']);
    await isAsked(({ url, key }) => url.endsWith('/logs/tail') && key === 'demo-readonly');
    await streamsAre(1);
    // The window has the next key; how soon is a matter of the tail, whose unit test moves its clock.
    const asked = requests().length;
    emit('key', 3);
    await numbersAre(scene.driver, 'key', 2, 3);
    await scene.driver.run('controlPlane.refresh');
    const later = requests().slice(asked);
    assert.isEmpty(later.filter(({ key }) => key !== 'demo-readonly'));
    assert.equal(admin.streams(), 1);
  });

  it(`is signed out if the secret storage fails, says what it cannot store, and continues when it works again ${covers('F49', 'editor')}`, async () => {
    const { driver, page, controlPlane } = scene;
    await streamsAre(1);
    emit('locked', 1);
    await numbersAre(driver, 'locked', 1);

    await secrets.lock();
    await streamsAre(0);
    await isSignedOut();
    const asked = requests().length;
    emit('locked', 2);
    await driver.run('controlPlane.refresh');
    assert.isEmpty(requests().slice(asked), 'no request without a key');
    const apiKey = controlPlane.keys['demo-full'] ?? '';
    const isConnected = await driver.connect({ baseUrl: controlPlane.url, apiKey });
    assert.isFalse(isConnected);
    await notification(page, uiText('Could not connect.'))
      .filter({ hasText: 'The key ring is locked' })
      .waitFor();

    await secrets.unlock();
    await streamsAre(1);
    await driver.run('controlPlane.showLogs');
    await numbersAre(driver, 'locked', 2);
  });

  /** Waits until the window shows that it is signed out. */
  async function isSignedOut(page = scene.page): Promise<void> {
    await view(page, 'sources')
      .getByText(welcomeLines('sources.signedOut').split('\n')[0] ?? '')
      .or(statusBarItem(page, uiText('signed out')))
      .first()
      .waitFor();
  }

  /** A second window, which each test below uses. */
  let second: OtherWindow | undefined;

  it(`opens without the key that another window has deleted, and requests nothing ${covers('F48, F49', 'editor')}`, async () => {
    await streamsAre(1);
    await scene.signOut();
    await streamsAre(0);
    const asked = requests().length;
    second = await scene.newWindow();
    await openContainer(second.page, 'Control Plane');
    await isSignedOut(second.page);
    assert.isEmpty(requests().slice(asked), 'no request without a key');
  });

  describe('A window beside another one', () => {
    let other: OtherWindow;
    beforeEach(async () => {
      other = second ??= await scene.newWindow();
      await follow(other.driver);
    });

    it(`shows the same logs, and neither window disturbs the other ${covers('F62', 'editor')}`, async () => {
      const { driver, page } = scene;
      await streamsAre(2);
      await other.driver.run('controlPlane.pauseLogs');
      emit('both', 1, 2);
      await numbersAre(driver, 'both', 1, 2);
      await statusBarItem(other.page, uiText('paused ({0} new)', 2)).waitFor();
      await statusBarItem(page, uiText('live')).waitFor();
      await other.driver.run('controlPlane.resumeLogs');
      await numbersAre(other.driver, 'both', 1, 2);
      await other.driver.run('controlPlane.stopLogs');
      await streamsAre(1);
      emit('both', 3);
      await numbersAre(driver, 'both', 1, 2, 3);
      await numbersAre(other.driver, 'both', 1, 2);
    });

    it('requests what it shows only while it has the focus', async () => {
      const { page, driver } = scene;
      const setFocus = (isFocused: boolean): Promise<unknown> =>
        page.evaluate(
          `Document.prototype.hasFocus = () => ${isFocused};
          dispatchEvent(new Event('${isFocused ? 'focus' : 'blur'}'))`,
        );
      const asked = (path: string, since: number): number =>
        requests()
          .slice(since)
          .filter(({ url }) => url.includes(path)).length;
      const isAskedAgain = (path: string, since: number, times: number): Promise<unknown> =>
        eventually(
          () => Promise.resolve(asked(path, since)),
          (count) => count >= times,
          `${path} is not requested again`,
        );
      const setInterval = async (seconds: number | null): Promise<void> => {
        for (const each of [driver, other.driver]) {
          await each.set({ 'controlPlane.refresh.intervalSeconds': seconds });
        }
      };
      await setInterval(5);
      await showOnly(page, 'sources');
      await openRow(page, 'sources', ['shop-web']);
      await openContainer(other.page, 'Control Plane');
      await showOnly(other.page, 'servers');
      try {
        const start = requests().length;
        await isAskedAgain('/sources/', start, 1);
        await setFocus(false);
        // The other window has the focus and goes on, so time passes for both.
        await isAskedAgain('/servers/', requests().length, 1);
        const away = requests().length;
        await isAskedAgain('/servers/', away, 2);
        assert.equal(asked('/sources/', away), 0);
        const back = requests().length;
        await setFocus(true);
        await isAskedAgain('/sources/', back, 1);
      } finally {
        await setFocus(true);
        await setInterval(null);
      }
    });

    // In a browser, a window reads the secrets once, when it loads, and is not notified of changes
    // of others. The last one: either window may have told first that it is there again.
    it(`has the key of the other window after a reload, and only the one with the focus asks about an unknown outcome, if both open at the same time ${covers('F48, F49, F80', 'editor')}`, async () => {
      const { page, controlPlane } = scene;
      const { admin } = controlPlane;
      await streamsAre(2);
      const signedOut = other.driver.run('controlPlane.signOut');
      await proceed(dialog(other.page)).click();
      await signedOut;
      await eventually(
        () => Promise.resolve(admin.streams()),
        (streams) => streams < 2,
        'the streams of the signed-out window continue',
      );
      const key = 'demo-production';
      await follow(other.driver, key);
      await isAsked((request) => request.url.endsWith('/logs/tail') && request.key === key);

      const sent = () => posts(scene, '/cleanup-orphans').length;
      admin.fault({ kind: 'stall', endpoint: 'post_servers_cleanup_orphans' });
      const before = sent();
      // The browser lets each page believe that it has the focus.
      await other.page.addInitScript('Document.prototype.hasFocus = () => false');
      await openContainer(other.page, 'Control Plane');
      await showOnly(other.page, 'activity');
      const id = await begin({ ...scene, ...other }, 'stuck-twice');
      await other.driver.run('controlPlane.runInBackground');
      await activityIs({ ...scene, ...other }, cleanUpOf('stuck-twice', uiPattern('sending')));
      const reopen = (): Promise<Driver> =>
        scene.window.load(other.page, () => {
          // It gets no answer, like that of the scene.
          other.driver.run('workbench.action.reloadWindow').catch(() => undefined);
          return Promise.resolve();
        });
      const [reopened] = await Promise.all([reopen(), scene.reload()]);
      const loaded = requests().length;
      await openContainer(page, 'Control Plane');
      await showOnly(page, 'activity');

      const question = cleanUpOf('stuck-twice', uiPattern('it may or may not have started.'));
      const pages = [page, other.page];
      const asking = async (): Promise<Page[]> => {
        const counts = await Promise.all(pages.map((one) => notification(one, question).count()));
        return pages.filter((_, index) => counts[index] !== 0);
      };
      const first = await eventually(asking, ({ length }) => length > 0, 'no window asks');
      assert.deepEqual(first, [page]);
      await clickNotification(page, question, commandTitle('sendAgain'));
      await proceed(dialog(page)).click();
      await activityIs(scene, cleanUpOf('stuck-twice', /(queued|running)/));
      admin.change(id, over);
      await activityIs(scene, cleanUpOf('stuck-twice', /succeeded/));
      await expect.poll(asking).toEqual([]);
      assert.equal(sent(), before + 2);

      await reopened.run('controlPlane.followLogs', {});
      await scene.driver.run('controlPlane.followLogs', {});
      await streamsAre(2);
      const streams = requests().filter(({ url, isOver }) => url.endsWith('/logs/tail') && !isOver);
      assert.deepEqual(keysOf(streams), [key]);
      assert.deepEqual(keysOf(requests().slice(loaded)), [key]);
    });
  });
});
