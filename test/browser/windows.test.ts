import { assert } from 'chai';
import type { Page } from 'playwright-core';
import type { LogRecord } from '../../src/api/types';
import {
  clickRowAction,
  openContainer,
  outputLines,
  showOutput,
  statusBar,
  statusBarItem,
  treeRow,
  view,
  waitForOutput,
} from '../host/workbench';
import { pageStorage } from './pageStorage';
import { connect, eventually, follow, openScene, type Scene } from './scene';

/** The texts of the lines in view that a test has emitted, which all begin with `line`. */
async function emittedLines(page: Page): Promise<string[]> {
  return (await outputLines(page)).flatMap((line) => /\] (line \d+)$/.exec(line)?.slice(1) ?? []);
}

function numbered(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
}

describe('windows that come and go', () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene({}, { historyRecords: 0 });
    await openContainer(scene.page, 'Control Plane');
    await connect(scene);
    await follow(scene, 'Everything');
  });
  after(() => scene.close());

  const emit = (from: number, to: number): LogRecord[] =>
    scene.controlPlane.admin.emit(numbered(from, to).map((body) => ({ body })));
  const streamsAre = (count: number): Promise<number> =>
    eventually(
      () => Promise.resolve(scene.controlPlane.admin.streams()),
      (streams) => streams === count,
      `${count} streams`,
    );

  it('F60 a window that is reloaded leaves no stream behind, and goes on where it was', async () => {
    const { page } = scene;
    const last = emit(1, 3).at(-1);
    await waitForOutput(page, /\]\sline\s3$/);
    await eventually(
      () => pageStorage(page),
      (kept) => kept.includes(last!.eventId),
      'the position is kept',
    );
    await page.goto('about:blank');
    // The page is gone, and the extension host with it: all has to be over within 500 ms.
    const start = performance.now();
    await streamsAre(0);
    assert.isBelow(performance.now() - start, 500);
    emit(4, 5);
    await page.goto(scene.window.url);
    await streamsAre(1);
    emit(6, 6);
    await showOutput(page, 'Control Plane Logs');
    await waitForOutput(page, /\]\sline\s6$/);
    // A new window has a new channel: what came before is neither lost nor shown again.
    assert.deepEqual(await emittedLines(page), numbered(4, 6));
  });

  it('F62 two windows show the same logs, and neither disturbs the other', async () => {
    const { page, window } = scene;
    const other = await window.newWindow();
    await openContainer(other, 'Control Plane');
    await statusBarItem(other, 'live').waitFor();
    await streamsAre(2);
    await showOutput(other, 'Control Plane Logs');
    await clickRowAction(other, 'Logs', 'everything', 'Pause Logs');
    await statusBarItem(other, 'paused (0 new)').waitFor();
    emit(7, 8);
    await waitForOutput(page, /\]\sline\s8$/);
    assert.deepEqual((await emittedLines(page)).slice(-2), numbered(7, 8));
    await statusBarItem(other, 'paused (2 new)').waitFor();
    assert.include((await statusBar(page)).join('\n'), 'live');
    await clickRowAction(other, 'Logs', 'everything', 'Resume Logs');
    await waitForOutput(other, /\]\sline\s8$/);
    assert.deepEqual((await emittedLines(other)).slice(-2), numbered(7, 8));
    await other.close({ runBeforeUnload: true });
    await streamsAre(1);
    emit(9, 9);
    await waitForOutput(page, /\]\sline\s9$/);
  });

  it('F49 is signed out where the secret storage has forgotten the key', async () => {
    const { page } = scene;
    await page.evaluate(`localStorage.removeItem('secrets.provider')`);
    await page.reload();
    await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: 60_000 });
    await openContainer(page, 'Control Plane');
    await statusBarItem(page, 'failed: signed out')
      .or(view(page, 'Logs').getByText('You are signed out'))
      .first()
      .waitFor();
    await treeRow(page, 'Logs', 'everything').waitFor();
    await connect(scene);
    await statusBarItem(page, 'live').waitFor();
  });
});
