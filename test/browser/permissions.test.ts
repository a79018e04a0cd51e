import { assert } from 'chai';
import { commandTitle } from '../host/titles';
import { treeRowAt } from '../host/treeRows';
import { answer, clickPick, dialog, notification, treeRow } from '../host/workbench';
import { over, posts, setActions } from './actionScene';
import { eventually, keyOf, picture, sideBar } from './scene';
import { message, showOnly, textIs, trees, welcomeIs } from './trees';

describe('A missing permission', () => {
  const scene = setActions();

  /** Runs a command, which ends when its question is answered. */
  const run = (command: string, argument?: object): Promise<unknown> =>
    scene.driver.run(`controlPlane.${command}`, ...(argument ? [argument] : []));
  /** Waits for the modal dialog that names the missing permission. */
  const isSaid = (permission: string): Promise<void> =>
    dialog(scene.page)
      .filter({ hasText: `the permission ${permission}` })
      .waitFor();
  const choose = (button: string): Promise<void> =>
    dialog(scene.page).getByRole('button', { name: button }).click();
  /** Closes the dialog, after which there must be no further question. */
  const dismiss = async (asked: Promise<unknown>): Promise<void> => {
    const isAsked = scene.page.locator('.quick-input-widget:visible');
    assert.equal(await isAsked.count(), 0, 'the dialog is the only question');
    await scene.page.keyboard.press('Escape');
    await asked;
    assert.equal(await isAsked.count(), 0, 'no further question');
  };

  it('is named instead of the rows of a view, or above the remaining ones', async () => {
    const { page } = scene;
    await showOnly(page, ...trees);
    await scene.reconnect('demo-none');
    const keys = {
      sources: 'sources.missing.repository.read',
      servers: 'servers.missing.alert.read',
      integrations: 'integrations.missing.integration.manage',
    } as const;
    for (const tree of trees) {
      await welcomeIs(page, tree, keys[tree]);
      assert.equal(await message(page, tree), '');
    }
    await picture(scene, 'missing-permission', sideBar);
    await showOnly(page, 'sources');
    await scene.reconnect('demo-without-secret-list');
    await treeRowAt(page, 'sources', [
      'shop-services',
      'production',
      'Secret Keys',
      'Not allowed (secret.list)',
    ]);
    await textIs(() => message(page, 'sources'), 'secret.list is missing. Secret keys are hidden.');
    await picture(scene, 'missing-secrets', sideBar);
  });

  it('is shown before any question if a check or a view has found it; another key continues', async () => {
    const { page, controlPlane } = scene;
    const reports = (): number => posts(scene, '/retry-preview-reporting').length;
    await showOnly(page, 'logs');
    await scene.reconnect('demo-readonly');
    await run('checkConnection');
    const first = run('retryPreviewReporting');
    await isSaid('integration.manage');
    await dismiss(first);

    await showOnly(page, 'integrations');
    await scene.reconnect('demo-without-integration-manage');
    await treeRow(page, 'integrations', 'Not allowed').waitFor();
    const second = run('retryPreviewReporting');
    await isSaid('integration.manage');
    await picture(scene, 'permission-before');
    assert.equal(reports(), 0);
    await choose(commandTitle('connect'));
    await answer(page, controlPlane.url);
    await answer(page, keyOf(scene, 'demo-full'));
    await dialog(page).filter({ hasText: 'Retry preview reporting?' }).waitFor();
    await picture(scene, 'retry-preview-reporting');
    assert.equal(reports(), 0);
    await choose('Retry');
    await notification(page, /Retry preview reporting: 3 attempted · 2 succeeded · 1/).waitFor();
    await second;
    assert.equal(reports(), 1);
  });

  it('is known after a refusal, until the permission is granted', async () => {
    const { page, controlPlane } = scene;
    const { id: serverId } = controlPlane.world.servers[0]!;
    const cleanUp = (item: string): Promise<unknown> =>
      run('cleanUpOrphans', { serverId, items: [item] });
    const apiKey = controlPlane.admin.addKey('cleaner', ['logs.read']);
    await run('connect', { baseUrl: controlPlane.url, apiKey });
    const refused = cleanUp('old-api');
    await choose('Clean Up');
    const refusal = notification(page, /Clean up old-api on fra-app-1: The control plane does not/);
    await refusal.waitFor();
    assert.match(
      await refusal.innerText(),
      /request req_[0-9a-f]+\)\sIt needs the permission server\.remove\./,
    );
    await refused;
    await picture(scene, 'permission-after');
    await run('checkConnection');
    const line = page.locator('.editor-instance .view-line');
    await line.filter({ hasText: /server\.remove\s+✗\smissing:\sthe\slast/ }).waitFor();
    const asked = run('cleanUpOrphans');
    await isSaid('server.remove');
    await dismiss(asked);
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 1);

    controlPlane.admin.changeAccess('cleaner', ['logs.read', 'server.remove']);
    const granted = cleanUp('granted');
    await isSaid('server.remove');
    await choose('Try Anyway');
    await choose('Clean Up');
    const accepted = await eventually(
      () => Promise.resolve(controlPlane.admin.operations()),
      (all) => all.length > 0,
      'the clean-up is not accepted',
    );
    controlPlane.admin.change(accepted[0]?.id ?? '', over);
    await notification(page, /Clean up granted on fra-app-1: succeeded/).waitFor();
    await granted;
    const again = cleanUp('again');
    await dialog(page).getByText('Clean up 1 item on fra-app-1?').waitFor();
    await dismiss(again);
  });

  it('is named if the environments for a sync cannot be listed', async () => {
    const { page } = scene;
    await scene.reconnect('demo-logs');
    const asked = run('syncEnvironment');
    await clickPick(page, 'data-platform');
    await notification(page, /needs the permission repository\.read/).waitFor();
    await asked;
    assert.isEmpty(posts(scene, '/syncs'));
  });
});
