import { assert } from 'chai';
import type { Locator } from 'playwright';
import type { Deployment, LogRecord } from '../../../src/api/types';
import { uiText } from '../../host/texts';
import { openRow } from '../../host/treeRows';
import type { CommandName, ViewName } from '../../host/titles';
import {
  answer,
  clickLink,
  clickNotification,
  dialog,
  notification,
  runCommand,
} from '../../host/workbench';
import { asked, search, searches, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { chooseOfRow, type Way } from '../rowMenu';
import { pageText } from './pageTexts';
import { keyOf } from '../scene';

const minute = 60_000;

describe('entry points of the Log Explorer', () => {
  const scene = setExplorer({ size: { width: 1280, height: 1900 } });
  const rows = explorerRows(scene);
  let deployments: readonly Deployment[];
  before(async () => {
    const { id } = scene.controlPlane.world.workloads.find(({ name }) => name === 'web-api')!;
    const headers = { authorization: `Bearer ${keyOf(scene, 'demo-full')}` };
    const url = `${scene.controlPlane.url}/v1/api/resources/${id}/deployments`;
    const response = await fetch(url, { headers });
    ({ deployments = [] } = (await response.json()) as { deployments?: Deployment[] });
  });
  // What was loaded for rows says the names of servers and apps.
  beforeEach(() => openRow(scene.page, 'sources', ['shop-web', 'production', 'web-api']));

  /** Chooses of the menu of a row, and answers what is searched for then, with this in the bar. */
  async function searchedFor(
    query: RegExp,
    ...[view, path, command, way]: [ViewName, readonly string[], CommandName, Way]
  ): Promise<Readonly<Record<string, unknown>>> {
    const { filters } = await asked(scene, () => chooseOfRow(scene.page, view, path, command, way));
    await scene.becomes((text) => query.test(text));
    return filters;
  }

  it('include rows of servers, apps, deployments and alert rules, and the comparison of the errors of two deployments', async () => {
    const app = ['shop-web', 'production', 'storefront'];
    await searchedFor(/^server:fra-app-1$/, 'servers', ['fra-app-1'], 'searchRowLogs', 'mouse');
    await searchedFor(/^workload:storefront/, 'sources', app, 'searchRowLogs', 'keyboard');
    const { commitSha = '' } = deployments[1]!;
    const { to } = await searchedFor(
      /^workload:web-api env:production from:/,
      'sources',
      ['shop-web', 'production', 'web-api', commitSha.slice(0, 7)],
      'logsSinceDeployment',
      'keyboard',
    );
    assert.isAtLeast(Date.parse(String(to)), Date.now() - minute, 'it is still open');
    await searchedFor(
      /^workload:web-api server:fra-app-1 from:\S+ to:\S+$/,
      'servers',
      ['fra-app-1', uiText('Alert Rules'), 'web-api: error rate 6.4 > 2'],
      'showRuleLogs',
      'mouse',
    );

    const { page } = scene;
    const [current, previous] = deployments;
    const errorsOf = (
      { id = '', createdAt = '' }: Deployment,
      body: string,
    ): Partial<LogRecord> => ({
      workloadName: 'web-api',
      deploymentId: id,
      timestamp: new Date(Date.parse(createdAt) + minute).toISOString(),
      severity: 'error',
      body,
    });
    scene.controlPlane.admin.emit([
      errorsOf(previous!, 'the lease has expired'),
      errorsOf(current!, 'no <b>price</b>'),
    ]);
    const label = (current?.commitSha ?? '').slice(0, 7);
    // Another app runs the same commit.
    await openRow(page, 'sources', ['shop-web', 'production', 'storefront', label]);
    const path = ['shop-web', 'production', 'web-api', label];
    await chooseOfRow(page, 'sources', path, 'compareDeployments', 'mouse');
    const comparison = page
      .frameLocator('iframe.webview.ready:visible')
      .frameLocator('iframe#active-frame');
    const side = comparison.locator('.side.now button', { hasText: `deployment:${label}` });
    await side.waitFor();
    for (const template of ['no <b>price</b>', 'the lease has expired']) {
      await comparison.locator('.template', { hasText: template }).waitFor();
    }
    await comparison.getByRole('button', { name: pageText('toolbar.openAsText') }).click();
    const line = (text: string): Locator =>
      page.locator('.editor-instance .view-line', { hasText: text });
    await line('no <b>price</b>').first().waitFor();
    const { filters } = await asked(scene, () =>
      clickLink(line(`deployment:${current?.id}`), 'severity:'),
    );
    assert.deepEqual(filters['deploymentIds'], [current?.id]);
    await scene.becomes((text) => text.startsWith('severity:error,fatal deployment:'));
  });

  it('include copied links, which VS Code confirms and which run only on request', async () => {
    const { page, controlPlane } = scene;
    const [workload] = controlPlane.world.workloads;
    const { id = '', name = '' } = workload ?? {};
    await search(scene, `workload:${id} "a & b=c" last:6h`);
    await rows.copies(
      () => scene.more('toolbar.copyLink'),
      (text) => text.includes('/logs?q='),
    );
    const link = await rows.clipboard();
    const [, query = ''] =
      /^[\w-]+:\/\/control-plane\.deployment-control-plane\/logs\?q=([^&#\s]+)$/.exec(link) ?? [];
    const text = `workload:${name} "a & b=c" last:6h`;
    assert.equal(decodeURIComponent(query), text, link);
    const { host, port } = new URL(controlPlane.url);
    for (const secret of [host, port, id, keyOf(scene, 'demo-full')]) {
      assert.notInclude(link, secret);
    }

    const question = uiText('A link opened this search, which has not run yet: {0}', text);
    /** As the system does when a link is clicked in another program: VS Code asks first. */
    const open = async (): Promise<void> => {
      await scene.bar.fill('');
      await runCommand(page, 'Developer: Open URL');
      await answer(page, link);
      await dialog(page).getByText('to open this URI').waitFor();
      await page.keyboard.press('Enter');
      await notification(page, question).waitFor();
      await scene.becomes(text);
    };
    const before = searches(scene).length;
    await open();
    await clickNotification(page, question, /^Clear Notification/);
    await notification(page, question).waitFor({ state: 'detached' });
    assert.lengthOf(searches(scene), before, 'nothing was asked for');
    await open();
    assert.lengthOf(searches(scene), before, 'nothing was asked for');
    const { filters } = await asked(scene, () =>
      clickNotification(page, question, uiText('Run Search')),
    );
    assert.equal(filters['search'], 'a & b=c');
    assert.deepEqual(filters['workloadIds'], [id]);
  });
});
