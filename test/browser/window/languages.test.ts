import { assert } from 'chai';
import type { Page } from 'playwright';
import germanTexts from '../../../media/l10n/bundle.l10n.de.json';
import germanTitles from '../../../package.nls.de.json';
import { pseudoLanguage } from '../../host/pseudoLanguage';
import { temporaryFolder } from '../../host/processes';
import { uiText } from '../../host/texts';
import { commandTitle, viewTitle } from '../../host/titles';
import { pseudo } from '../../host/translations';
import { openRow, treeRows } from '../../host/treeRows';
import { dataOf, untranslated } from '../../host/untranslated';
import * as workbench from '../../host/workbench';
import { explorerPage } from '../explorer/explorerPage';
import { pageText } from '../explorer/pageTexts';
import { eventually, keyOf, picture, setScene, withoutIcon } from '../scene';
import { knownThings, setTrees } from '../trees';

async function texts(page: Page, selector: string): Promise<string[]> {
  const found = await page.locator(selector).allInnerTexts();
  return found.flatMap((text) => text.split('\n')).filter((text) => text.trim() !== '');
}

const logs = { title: pseudo(viewTitle('logs')) };
const sources = { title: pseudo(viewTitle('sources')) };
const servers = { title: pseudo(viewTitle('servers')) };

describe('In another language', () => {
  const scene = setScene({
    connected: null,
    language: pseudoLanguage,
    folder: () => temporaryFolder('languages'),
    size: { width: 1280, height: 1200 },
  });
  beforeEach(async () => {
    await scene.forget();
  });

  it('translates the views, commands, boxes and messages of the first minutes', async () => {
    const { page, controlPlane } = scene;
    const connect = workbench
      .view(page, sources)
      .getByRole('button', { name: pseudo(commandTitle('connect')) });
    await connect.waitFor();
    const views = [
      ...(await texts(page, '.pane .pane-header .title')),
      ...(await texts(page, '.pane .welcome-view-content')),
    ];
    assert.isAtLeast(views.length, 2);
    assert.deepEqual(untranslated(views), []);
    await picture(scene, 'pseudo-welcome');

    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input').first().fill('>Control Plane: ');
    const commands = (await workbench.quickPickItems(page)).filter((item) =>
      // `Focus on … View` is VS Code's own.
      /^Control Plane: (?!Focus on )/.test(item),
    );
    assert.isAbove(commands.length, 5);
    assert.deepEqual(untranslated(commands.map((item) => item.split(' · ')[0] ?? '')), []);
    await workbench.dismiss(page);

    await connect.click();
    const { host } = new URL(controlPlane.url);
    for (const text of [controlPlane.url, keyOf(scene, 'demo-full')]) {
      const { title, message } = await workbench.inputBox(page);
      // The hint about Enter and Escape is VS Code's own.
      const [prompt = ''] = message.split(' (Press');
      assert.deepEqual(untranslated([title, prompt], [host]), []);
      await workbench.answer(page, text);
    }
    const nothing = pseudo(withoutIcon(uiText('$(circle-slash) Nothing Yet')));
    await page.locator('.quick-input-list', { hasText: nothing }).waitFor();
    await picture(scene, 'pseudo-follow');
    const items = (await workbench.quickPickItems(page)).map((item) => item.split(' · ')[0] ?? '');
    assert.deepEqual(untranslated(items, dataOf(controlPlane.world)), []);
    await workbench.dismiss(page);

    const things = `${uiText('{0} sources', 4)}, ${uiText('{0} servers', 3)}`;
    const found = pseudo(uiText('Found: {0}.', things));
    const toast = workbench.notification(page, found);
    await toast.hover();
    const buttons = await toast.getByRole('button').allInnerTexts();
    const messages = [...(await workbench.notifications(page)), ...buttons];
    assert.isAbove(messages.length, 2);
    assert.deepEqual(untranslated(messages), []);
    await picture(scene, 'pseudo-notification');
    await workbench.clickNotification(page, found, pseudo(uiText('Show All')));
    await workbench.treeRow(page, sources, /\w/).waitFor();
  });

  it('translates the rows and status bar items', async () => {
    const { page, controlPlane } = scene;
    const names = dataOf(controlPlane.world);
    await scene.driver.set(knownThings(controlPlane));
    await scene.connect();
    const loading = pseudo(uiText('Loading…'));
    for (const [tree, root] of [
      [sources, 'shop-web'],
      [servers, 'hel-data-1'],
    ] as const) {
      await openRow(page, tree, [root]);
      const rows = await eventually(
        () => treeRows(page, tree),
        (now) => now.some((row) => row.startsWith('  ') && !row.includes(loading)),
        'there are no rows below a root',
      );
      // States are words of the server, and rules are formatted as the server does.
      const states = /\b(?:production|running|stopped|failed|healthy|degraded|unhealthy|ready)\b/g;
      const shown = rows
        .filter((row) => !row.startsWith('    '))
        .map((row) => row.replaceAll(states, ''));
      assert.deepEqual(untranslated(shown, names), []);
    }
    await picture(scene, 'pseudo-trees');
    await scene.driver.run('controlPlane.followLogs', {});
    const live = pseudo(uiText('live'));
    const item = workbench.statusBarItem(page, live);
    await item.waitFor();
    const label = (await item.locator('a').getAttribute('aria-label')) ?? '';
    const text = await item.innerText();
    assert.deepEqual(untranslated([text, label]), []);
    await workbench.treeRow(page, logs, live).waitFor();
    const rows = await treeRows(page, logs);
    assert.deepEqual(untranslated(rows), []);
  });

  it('translates the Log Explorer', async () => {
    const { controlPlane } = scene;
    await scene.connect();
    await scene.driver.run('controlPlane.searchLogs', 'last:7d');
    const explorer = explorerPage(scene);
    await explorer.getByRole('combobox', { name: pseudo(pageText('query.label')) }).waitFor();
    await explorer.locator('.summary').filter({ hasText: /\d/ }).waitFor();
    const parts = explorer.locator(
      '.query-line, .tools, .notice-parts, .histogram-parts .line, .row.header, .end',
    );
    // Rows, and marks of deployments, are words of the server.
    const said = await explorer
      .locator('body')
      .evaluate((body: PageBody) =>
        ['aria-label', 'title', 'placeholder', 'aria-valuetext', 'label'].flatMap((name) =>
          [...body.querySelectorAll(`[${name}]`)]
            .filter((element) => element.closest('.rows, .deployment') === null)
            .map((element) => element.getAttribute(name) ?? ''),
        ),
      );
    const shown = (await parts.allInnerTexts()).flatMap((text) => text.split('\n'));
    assert.isAbove(shown.length, 10);
    assert.isAbove(said.length, 10);
    assert.deepEqual(untranslated([...shown, ...said], dataOf(controlPlane.world)), []);
    await picture(scene, 'pseudo-log-explorer');
  });
});

/** The German translation of a text of the code. */
function german(text: keyof typeof germanTexts, argument = ''): string {
  return germanTexts[text].replace('{0}', argument);
}

describe('In German', () => {
  const scene = setTrees({ language: 'de' });

  it('shows German texts, plural forms and times', async () => {
    const { page, controlPlane } = scene;
    const { host } = new URL(controlPlane.url);
    // The status bar shows it for a while, for screen readers.
    const said = workbench.statusBarItem(page, german('Connected to {0}', host));
    const isSaid = said.locator('a[role="status"]').waitFor();
    await scene.reconnect();
    await isSaid;
    await scene.driver.run('controlPlane.followLogs', {});
    await workbench
      .statusBarItem(page, `${german('live')} · ${german('{0} lines/s', '0')}`)
      .waitFor();
    await openRow(page, { title: germanTitles['view.sources'] }, ['operations']);
    await eventually(
      () => treeRows(page, { title: germanTitles['view.sources'] }),
      (rows) => rows.some((row) => / vor \d+ Tagen$/.test(row)),
      'no row has a German time',
    );
    await eventually(
      () => treeRows(page, { title: germanTitles['view.servers'] }),
      (rows) => rows.some((row) => row.endsWith(german('{0} firing', '1'))),
      'no server has a German text for a firing alert',
    );
    await picture(scene, 'german');
  });
});

/** The properties of the page that are used. */
interface PageBody {
  querySelectorAll(selector: string): Iterable<{
    getAttribute(name: string): string | null;
    closest(selector: string): unknown;
  }>;
}
