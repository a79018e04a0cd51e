import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { runCommand } from '../host/workbench';
import { asked, findings, inPage, openExplorer, search, searches } from './explorerPage';
import type { ExplorerScene } from './explorerPage';
import { eventually } from './scene';

describe('the query of the Log Explorer', () => {
  let scene: ExplorerScene;
  before(async () => {
    scene = await openExplorer({ historyRecords: 3000 });
  });
  after(() => scene.close());

  const button = (name: string): Locator => scene.button(name);
  const focused = (): Locator => scene.focused();
  const becomes: ExplorerScene['becomes'] = (query) => scene.becomes(query);
  /** A suggestion by its name; behind that of a workload stands its id. */
  const option = (name: string | RegExp): Locator =>
    scene.explorer
      .getByRole('listbox', { name: 'Suggestions' })
      .getByRole('option', { name, exact: true });

  it('is completed and run by the keyboard', async () => {
    const { bar, page } = scene;
    await bar.press('s');
    await bar.press('e');
    await option('severity').waitFor();
    // Those of the first letter alone give way, and what was chosen among them with them.
    await option('stream').waitFor({ state: 'detached' });
    await bar.press('ArrowDown');
    assert.equal(await option('severity').getAttribute('aria-selected'), 'true');
    await bar.press('Enter');
    await option('error').waitFor();
    await page.keyboard.type('err');
    await option('trace').waitFor({ state: 'detached' });
    await bar.press('ArrowDown');
    await bar.press('Tab');
    await becomes('severity:error');
    await page.keyboard.type(' last:6h');
    const { filters } = await asked(scene, () => bar.press('Enter'));
    assert.deepEqual(filters['severities'], ['error']);
    assert.equal(await bar.getAttribute('aria-expanded'), 'false');
    await bar.fill('last:6h workload:order');
    await option(/^order-worker\b/).waitFor();
    await bar.press('ArrowDown');
    await bar.press('Enter');
    await becomes('last:6h workload:order-worker');
  });

  it('is one of the recent ones, by mouse and by keyboard', async () => {
    const { bar } = scene;
    await bar.fill('');
    await option('severity:error last:6h').waitFor();
    await bar.press('Escape');
    await option('severity:error last:6h').waitFor({ state: 'hidden' });
    await bar.click();
    await option('severity:error last:6h').click();
    await becomes('severity:error last:6h');
    await bar.fill('"something else"');
    await bar.press('Escape');
    await bar.press('Alt+ArrowUp');
    await option('severity:error last:6h').waitFor();
    await bar.press('ArrowDown');
    await bar.press('Enter');
    await becomes('severity:error last:6h');
    const { filters } = await asked(scene, () => button('Search').click());
    assert.deepEqual(filters['severities'], ['error']);
  });

  it('is completed by the mouse, with the names that the workspace has', async () => {
    const { bar, page } = scene;
    await bar.fill('wor');
    await option('workload').click();
    await becomes('workload:');
    assert.equal(await focused().getAttribute('role'), 'combobox');
    await option(/^web-api\b/).click();
    await becomes('workload:web-api');
    await page.keyboard.type(' severity:w');
    await option('warn').click();
    await page.keyboard.type(' last:6h');
    await becomes('workload:web-api severity:warn last:6h');
    const { filters } = await asked(scene, () => button('Search').click());
    assert.deepEqual(filters['severities'], ['warn']);
    assert.lengthOf(filters['workloadIds'] as string[], 1);
  });

  it('has what is chosen while its list is a key behind', async () => {
    const { bar } = scene;
    /** Types a letter and does something before a list for it can have come. */
    const typeAnd = (letter: string, action: string): Promise<unknown> =>
      inPage(scene, `document.execCommand('insertText', false, '${letter}'), ${action}`);
    await bar.fill('severity:');
    await option('warn').waitFor();
    await typeAnd(
      'w',
      `[...document.querySelectorAll('[role=option]')]
      .find(({ textContent }) => textContent.startsWith('warn')).click()`,
    );
    await becomes('severity:warn');

    await bar.fill('s');
    await option('stream').waitFor();
    await typeAnd(
      'e',
      `document.activeElement
      .dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }))`,
    );
    await option('stream').waitFor({ state: 'detached' });
    assert.equal(await option('severity').getAttribute('aria-selected'), 'true');
    await bar.press('Enter');
    await becomes('severity:');
  });

  it('says what is wrong with it, where, and asks for nothing', async () => {
    const { bar, explorer } = scene;
    const before = searches(scene).length;
    await bar.fill('severity:error nope:1 last:6h');
    await bar.press('Enter');
    await explorer.locator('.mirror .wrong', { hasText: 'nope' }).waitFor();
    assert.equal(await bar.getAttribute('aria-invalid'), 'true');
    const described = (await bar.getAttribute('aria-describedby')) ?? '';
    const message = await explorer.locator(`#${described}`).textContent();
    assert.match(message ?? '', /^At position 16: .*nope/);
    assert.deepEqual(await findings(scene), []);
    for (const name of ['warning', 'Search']) {
      await button(name).click();
      await eventually(
        () => focused().getAttribute('role'),
        (role) => role === 'combobox',
        'the focus is where the error can be mended',
      );
    }
    await bar.fill('severity:error last:6h');
    await eventually(
      () => bar.getAttribute('aria-invalid'),
      (invalid) => invalid === null,
      'it is right again',
    );
    assert.lengthOf(searches(scene), before);
  });

  it('is taken back and done again by the keyboard, whatever has changed it', async () => {
    const { bar, page } = scene;
    await search(scene, 'last:6h');
    await bar.press('End');
    await page.keyboard.type(' env:production sev');
    await option('severity').waitFor();
    await bar.press('ArrowDown');
    await bar.press('Enter');
    await becomes('last:6h env:production severity:');
    await bar.press('Escape');
    await asked(scene, async () => {
      await bar.press('Backspace');
      await page.keyboard.type(':error');
      await bar.press('Enter');
    });
    await asked(scene, () => button('warning').click());
    await becomes('severity:warn,error env:production last:6h');
    await bar.click();
    const steps = [
      'last:6h env:production severity:error',
      'last:6h env:production severity',
      'last:6h env:production severity:',
      'last:6h env:production sev',
      'last:6h env:production ',
      'last:6h ',
    ];
    for (const step of steps) {
      await bar.press('ControlOrMeta+z');
      await becomes(step);
    }
    for (const step of [...steps].reverse().slice(1)) {
      await bar.press('ControlOrMeta+Shift+z');
      await becomes(step);
    }
    // As VS Code does for its menu: what the browser would make of it is no query that there was.
    await page.keyboard.type('x');
    await becomes('last:6h env:production severity:errorx');
    await inPage(scene, `document.execCommand('undo')`);
    await becomes('last:6h env:production severity:error');
    await inPage(scene, `document.execCommand('redo')`);
    await becomes('last:6h env:production severity:errorx');
    // What it says is read again, too.
    await bar.press('ControlOrMeta+z');
    await eventually(
      () => button('error').getAttribute('aria-pressed'),
      (pressed) => pressed === 'true',
      'error is pressed',
    );
    await search(scene, 'severity:error last:6h');
  });

  /** The next search is not answered while anybody waits. */
  const slow = (): void => {
    const latency = { kind: 'latency', endpoint: 'post_logs_query', latencyMs: 60_000 } as const;
    scene.controlPlane.admin.fault(latency);
  };

  it('is cancelled while it runs, with what has come by then', async () => {
    slow();
    await scene.bar.fill('severity:info last:6h');
    await scene.bar.press('Enter');
    await scene.explorer.locator('.progress').filter({ hasText: 'Searching' }).waitFor();
    await button('Cancel').click();
    await button('Cancel').waitFor({ state: 'hidden' });
    assert.equal(await focused().textContent(), 'Search');
  });

  it('is cancelled by the keyboard, too', async () => {
    slow();
    await button('Search').focus();
    await scene.page.keyboard.press('Enter');
    await button('Cancel').waitFor();
    await scene.page.keyboard.press('Tab');
    assert.equal(await focused().textContent(), 'Cancel');
    await scene.page.keyboard.press('Enter');
    await button('Cancel').waitFor({ state: 'hidden' });
    assert.equal(await focused().textContent(), 'Search');
  });

  it('tells what failed and what helps', async () => {
    scene.controlPlane.admin.fault({
      kind: 'status',
      endpoint: 'post_logs_query',
      status: 403,
      code: 'FORBIDDEN',
      message: 'no <b>logs</b>',
    });
    await scene.bar.fill('severity:info last:6h');
    await scene.bar.press('Enter');
    await scene.explorer.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
    assert.equal(await scene.explorer.locator('.notices b').count(), 0);
    await button('Show Diagnostics').waitFor();
    assert.deepEqual(await findings(scene), []);
    await search(scene, 'last:6h');
    await button('Show Diagnostics').waitFor({ state: 'hidden' });
  });

  it('offers a longer range where nothing is found', async () => {
    await scene.bar.fill('"no such text anywhere" last:6h');
    await scene.bar.press('Enter');
    await button('Last 24 hours').click();
    await becomes('"no such text anywhere" last:24h');
    await search(scene, 'last:6h');
  });

  it('is there again after a reload, is run again, and lines still wrap', async () => {
    const { page, bar } = scene;
    await search(scene, 'severity:error last:6h');
    await button('Wrap Lines').click();
    await eventually(
      () => button('Wrap Lines').getAttribute('aria-pressed'),
      (pressed) => pressed === 'true',
      'lines wrap',
    );
    // Without the command, the page of VS Code goes before it has kept its state.
    const { filters } = await asked(scene, () => runCommand(page, 'Developer: Reload Window'));
    assert.deepEqual(filters['severities'], ['error']);
    await bar.waitFor();
    await becomes('severity:error last:6h');
    assert.equal(await button('Wrap Lines').getAttribute('aria-pressed'), 'true');
  });

  it('gives way to an offer to connect once nobody is signed in', async () => {
    await runCommand(scene.page, 'Control Plane: Sign Out');
    await button('Connect…').waitFor();
    assert.deepEqual(await findings(scene), []);
  });
});
