import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import { createGitFolder, gitFolder, type GitFolder } from '../../host/gitFolder';
import { temporaryFolder } from '../../host/processes';
import { scaled } from '../../host/slowness';
import { uiPattern, uiText } from '../../host/texts';
import {
  clickNotification,
  notification,
  openContainer,
  quickPickItems,
  treeRow,
} from '../../host/workbench';
import { activityIs, chooseInRowMenu } from '../actionScene';
import { eventually, expect, picture, setScene } from '../scene';
import { knownThings, showOnly } from '../trees';

const item =
  '.statusbar .statusbar-item[id="control-plane.deployment-control-plane.controlPlane.branch"]';

const good = `export function priceOf(cents: number): string {
  return (cents / 100).toFixed(2);
}
`;
const bad = `export function priceOf(cents: number, rate?: { percent: number }): string {
  const reduced = cents * rate!.percent;
  return (reduced / 100).toFixed(2);
}
`;

describe('a push', () => {
  let code: GitFolder;
  const scene = setScene({
    folder: async () => {
      const base = await temporaryFolder('push');
      // As most people have it: the identity is set for the user, not for the repository.
      const settings = path.join(base, 'gitconfig');
      await writeFile(settings, '[user]\n\tname = A Person\n\temail = person@example.com\n');
      const { folder } = await createGitFolder(path.join(base, 'shop-web'));
      code = gitFolder(folder, [], { GIT_CONFIG_GLOBAL: settings });
      await code.git('init', '--quiet', '--bare', path.join(base, 'origin', 'shop-web.git'));
      await code.git('remote', 'add', 'origin', path.join(base, 'origin', 'shop-web.git'));
      await code.commit('src/price.ts', good, 'Show prices');
      await code.git('push', '--quiet', '--set-upstream', 'origin', 'main');
      return code.folder;
    },
    settings: (controlPlane) => ({
      ...knownThings(controlPlane),
      'git.enabled': true,
      'git.autofetch': false,
      // What ended is read again soon.
      'controlPlane.refresh.intervalSeconds': 5,
    }),
    size: { width: 1280, height: 900 },
    controlPlane: { historyRecords: 0 },
  });

  const apps = () =>
    scene.controlPlane.world.workloads.filter(({ source }) => source.name === 'shop-web');

  /** Begins to deploy a commit in each app; returns the ids by the names of the apps. */
  function deploy(commitSha: string): ReadonlyMap<string, string> {
    const { admin } = scene.controlPlane;
    const steps = [{ afterSeconds: 0, state: 'building' }];
    return new Map(apps().map(({ id, name }) => [name, admin.deploy(id, { commitSha }, steps)]));
  }

  /** Ends deployments; notices come within ten seconds of that. */
  function end(deployments: Iterable<string>, state: string, members: object = {}): void {
    const finishedAt = new Date().toISOString();
    for (const id of deployments) {
      scene.controlPlane.admin.change(id, { state, finishedAt, ...members });
    }
  }

  const liveAs = (sha: string): RegExp =>
    uiPattern('{1} is live in {2}: {0} apps in {3}', '3', sha.slice(0, 7), 'production', /.+/);

  const statusBar = async (text: RegExp): Promise<string> => {
    const readable = async (): Promise<string> =>
      (await scene.page.locator(item).allInnerTexts()).join(' | ').replaceAll('\u00a0', ' ').trim();
    return eventually(readable, (found) => text.test(found), `the status bar is not like ${text}`);
  };

  const push = async (text: string, message: string): Promise<string> => {
    const sha = await code.commit('src/price.ts', text, message);
    await code.git('push', '--quiet');
    return sha;
  };

  afterEach(async () => {
    for (const one of scene.window.context.pages()) if (one !== scene.page) await one.close();
  });

  it('is followed in the status bar and in Activity, over a reload, and told once', async () => {
    const { page, driver } = scene;
    await showOnly(page, 'activity');
    const before = await code.git('rev-parse', 'HEAD');
    end(deploy(before).values(), 'succeeded');
    await driver.run('controlPlane.refresh');
    await statusBar(new RegExp(`^production ${before.slice(0, 7)}`));
    const other = await scene.newWindow();

    const sha = await push(`${good}// in euros\n`, 'Say that prices are in euros');
    const short = sha.slice(0, 7);
    const deployments = deploy(sha);
    await statusBar(/^production 0\/3$/);
    await picture(scene, 'push-status-bar');
    await scene.reload();
    await openContainer(page, 'Control Plane');
    await showOnly(page, 'activity');
    await statusBar(/^production 0\/3$/);
    end(deployments.values(), 'succeeded');
    const live = liveAs(sha);
    const [notified] = await Promise.race(
      [page, other.page].map(async (one) => {
        await notification(one, live).waitFor();
        return [one] as const;
      }),
    );
    await clickNotification(notified, live, uiText('What Changed'));
    await expect
      .poll(async () => (await quickPickItems(notified)).join('\n'))
      .toMatch(/Say that prices are in euros/);
    await picture(scene, 'push-what-changed');
    await notified.keyboard.press('Escape');
    await activityIs(scene, new RegExp(short));
    await statusBar(new RegExp(`^production ${short} `));
    const others = [page, other.page].filter((one) => one !== notified);
    for (const one of others) {
      const count = await notification(one, live).count();
      assert.equal(count, 0);
    }
  });

  it('that fails is told with the app, the code and the message', async () => {
    const { page } = scene;
    await showOnly(page, 'activity');
    const sha = await push(`${good}// in dollars\n`, 'Say that prices are in dollars');
    const deployments = deploy(sha);
    const failure = { errorCode: 'build_failed', errorMessage: 'The image could not be built.' };
    end(deployments.values(), 'succeeded');
    end([deployments.get('web-api')!], 'failed', failure);
    const failed = uiPattern('{0} failed in {1}. {2}', sha.slice(0, 7), 'production', /.+/);
    await notification(page, failed).waitFor();
    await picture(scene, 'push-failed');
    await clickNotification(page, failed, uiText('Show Deployment'));
    await treeRow(page, 'activity', 'build_failed').waitFor();
    await picture(scene, 'push-failed-row');
    const red = page.locator(item).and(page.locator('.error-kind'));
    await red.waitFor();
    await page.locator(item).click();
    await page.keyboard.press('Escape');
    await expect(red).toHaveCount(0);
  });

  it('of two in a row is told for what runs: the second', async () => {
    const { page } = scene;
    const first = await push(`${good}// in euro cents\n`, 'Say that prices are in euro cents');
    const replaced = deploy(first);
    // VS Code has seen it, before the next one comes.
    await statusBar(/^production 0\/3$/);
    const second = await push(`${good}// in cents\n`, 'Say that prices are in cents');
    const deployments = deploy(second);
    end(replaced.values(), 'superseded');
    end(deployments.values(), 'succeeded');
    await notification(page, liveAs(second)).waitFor({ timeout: scaled(10_000) });
    await activityIs(scene, new RegExp(uiText('overtaken by another commit')));
    const count = await notification(page, liveAs(first)).count();
    assert.equal(count, 0);
    await picture(scene, 'push-two-in-a-row');

    // What is rolled back to is no push, and does not undo the one that was live.
    end(deploy(first).values(), 'succeeded');
    await scene.driver.run('controlPlane.refresh');
    await statusBar(new RegExp(`^production ${first.slice(0, 7)}`));
    await activityIs(
      scene,
      new RegExp(`${second.slice(0, 7)}.*${uiText('went live in {0}', 'production')}`),
    );
    const after = await notification(page, liveAs(first)).count();
    assert.equal(after, 0);
  });

  it('that regresses is the likely commit of its error, which is hidden until it comes back', async () => {
    const { page, driver } = scene;
    const { admin } = scene.controlPlane;
    await showOnly(page, 'errors');
    const now = await code.git('rev-parse', 'HEAD');
    end(deploy(now).values(), 'succeeded');
    const sha = await push(bad, 'Reduce prices');
    const deployments = deploy(sha);
    end(deployments.values(), 'succeeded');
    await notification(page, liveAs(sha)).waitFor();
    const body =
      "TypeError: Cannot read properties of undefined (reading 'percent')\n    at priceOf (/app/src/price.ts:2:32)";
    const fail = (id: string): void => {
      admin.emit([{ workloadName: 'web-api', deploymentId: id, severity: 'error', body }]);
    };
    fail(deployments.get('web-api')!);
    await driver.run('controlPlane.refreshErrors');
    const row = treeRow(page, 'errors', 'TypeError: Cannot read properties');
    await row.filter({ hasText: sha.slice(0, 7) }).waitFor();
    await picture(scene, 'push-suspect');
    await chooseInRowMenu(scene, row, 'fixedInNextDeployment');
    await row.waitFor({ state: 'hidden' });
    // Again in the same deployment: it is not fixed there.
    fail(deployments.get('web-api')!);
    await driver.run('controlPlane.refreshErrors');
    await expect(row).toHaveCount(0);

    const next = await push(`${bad}// fixed\n`, 'Fix prices');
    const later = deploy(next);
    end(later.values(), 'succeeded');
    await notification(page, liveAs(next)).waitFor();
    fail(later.get('web-api')!);
    await driver.run('controlPlane.refreshErrors');
    await row.filter({ hasText: uiText('came back in {0}', next.slice(0, 7)) }).waitFor();
    await picture(scene, 'push-came-back');
  });
});
