import path from 'node:path';
import { assert } from 'chai';
import type { LogRecord } from '../../src/api/types';
import { createGitFolder, type GitFolder } from '../host/gitFolder';
import { temporaryFolder } from '../host/processes';
import { uiText } from '../host/texts';
import { openRow } from '../host/treeRows';
import { clickPick, dismiss, quickPickItems, treeRow } from '../host/workbench';
import { chooseOfRow } from './rowMenu';
import { eventually, picture, setScene } from './scene';
import { knownThings, showOnly } from './trees';

const file = 'web-api/src/pricing.ts';
const fresh = 'TypeError: no percent';
const hour = 3_600_000;
const pricing = (value: string): string =>
  `export function price(order: Order): number {\n  return ${value};\n}\n`;

describe('What came with a deployment', () => {
  let code: GitFolder;
  /** Oldest first. */
  const commits: string[] = [];
  const scene = setScene({
    connected: null,
    async folder() {
      code = await createGitFolder(path.join(await temporaryFolder('since'), 'shop-web'));
      await code.git('remote', 'add', 'origin', 'https://code.example/example-shop/shop-web.git');
      commits.push(await code.commit(file, pricing('order.sum'), 'Start the shop'));
      commits.push(await code.commit('README.md', 'A shop\n', 'Say what it is'));
      commits.push(await code.commit(file, pricing('order.percent.sum'), 'Give a discount'));
      commits.push(await code.commit(file, pricing('order.sum'), 'Take the discount back'));
      return code.folder;
    },
    settings: (controlPlane) => ({
      ...knownThings(controlPlane),
      'controlPlane.code.errors': 'off',
      'git.enabled': true,
      'git.autofetch': false,
    }),
    size: { width: 1280, height: 1000 },
    controlPlane: {
      historyRecords: 0,
      releases: [1, 2, 5].map((hoursAgo) => ({
        sha: String(hoursAgo).repeat(40),
        commit: 0,
        hoursAgo,
      })),
    },
  });
  const app = () => {
    const [workload] = scene.controlPlane.world.workloads.filter(
      ({ source }) => source.name === 'shop-web',
    );
    assert(workload);
    return workload;
  };
  /** A deployment of the app, 0 being the newest. */
  const deploymentId = (age: number): string => app().releaseIds[age] ?? '';
  const short = (commit: number): string => commits[commit]?.slice(0, 7) ?? '';
  const fail = (ago: number, age: number, body: string): Partial<LogRecord> => ({
    ...{ workloadName: app().name, severity: 'error', body, deploymentId: deploymentId(age) },
    timestamp: new Date(Date.now() - ago).toISOString(),
  });
  const stack = `${fresh}\n    at price (/app/${file}:2:10)`;
  const row = () => treeRow(scene.page, 'errors', fresh);

  before(async () => {
    const { admin } = scene.controlPlane;
    // The newest one has not begun.
    admin.change(deploymentId(0), { state: 'queued', commitSha: commits[3] });
    admin.change(deploymentId(1), { state: 'succeeded', commitSha: commits[2] });
    admin.change(deploymentId(2), { state: 'superseded', commitSha: commits[0] });
    admin.emit([
      ...[0, 1, 2].map((index) => fail(3 * hour + index, 2, 'known for long')),
      ...[0, 1, 2, 3].map((index) => fail(hour / 2 + index, 1, stack)),
    ]);
    await showOnly(scene.page, 'errors');
    await scene.reconnect('demo-full', 'since');
    await row().waitFor();
  });

  it('names the commit that is likely, whose changes a click shows', async () => {
    const { page } = scene;
    const likely = uiText('likely {0}', short(2));
    await row().filter({ hasText: likely }).waitFor();
    await openRow(page, 'errors', ['pricing.ts:2']);
    await picture(scene, 'suspect');
    await treeRow(page, 'errors', 'Give a discount').click();
    await page.locator('.tab', { hasText: short(2) }).waitFor();
    await scene.driver.run('workbench.action.closeAllEditors');
  });

  it('lists what changed, and all files', async () => {
    const { page } = scene;
    await chooseOfRow(page, 'errors', ['pricing.ts:2'], 'whatChanged', 'mouse');
    await eventually(
      async () => (await quickPickItems(page)).join(' | '),
      (items) => items.includes('Give a discount') && items.includes('Say what it is'),
      'the commits are not listed',
    );
    await picture(scene, 'whatChanged');
    await clickPick(page, uiText('Show All Files'));
    const title = uiText('What changed from {0} to {1}', short(0), short(2));
    await page.locator('.tab', { hasText: title }).waitFor();
    await picture(scene, 'whatChangedFiles');
    await scene.driver.run('workbench.action.closeAllEditors');
  });

  it('hides what is fixed in the next deployment until it comes back', async () => {
    const { page, controlPlane } = scene;
    const { admin } = controlPlane;
    await chooseOfRow(page, 'errors', ['pricing.ts:2'], 'fixedInNextDeployment', 'mouse');
    await row().waitFor({ state: 'detached' });
    admin.emit([fail(1000, 1, stack)]);
    await scene.driver.run('controlPlane.refreshErrors');
    await treeRow(page, 'errors', uiText('{0} muted', 1)).waitFor();
    assert.equal(await row().count(), 0);
    admin.change(deploymentId(0), { state: 'succeeded', createdAt: new Date().toISOString() });
    admin.emit([fail(0, 0, stack)]);
    await scene.driver.run('controlPlane.refreshErrors');
    await row()
      .filter({ hasText: uiText('came back in {0}', short(3)) })
      .waitFor();
    await picture(scene, 'cameBack');
  });

  it('offers the preview of the branch, with its site and state', async () => {
    const { page, controlPlane } = scene;
    controlPlane.admin.change(deploymentId(2), {
      ...{ environment: 'preview', deployableKind: 'preview', state: 'succeeded' },
      ...{ gitRef: 'refs/heads/topic', hostname: 'topic.shop.example' },
    });
    await code.git('checkout', '--quiet', '-b', 'topic');
    await scene.driver.run('git.refresh');
    await scene.driver.run('controlPlane.refresh');
    void scene.driver.run('controlPlane.branchMenu');
    await eventually(
      async () => {
        const items = (await quickPickItems(page)).join(' | ');
        if (!items.includes('topic.shop.example')) {
          await dismiss(page);
          void scene.driver.run('controlPlane.branchMenu');
        }
        return items;
      },
      (items) => items.includes('topic.shop.example') && items.includes(uiText('Open Preview')),
      'the preview is not offered',
    );
    await picture(scene, 'preview');
    await dismiss(page);
    await showOnly(page, 'sources');
    await openRow(page, 'sources', ['shop-web', 'production']);
    await treeRow(page, 'sources', uiText('preview of {0}', app().name)).waitFor();
    await picture(scene, 'previewRow');
  });
});
