import { assert } from 'chai';
import { sequence, uiPattern, uiText } from '../../host/texts';
import { commandTitle } from '../../host/titles';
import { treeRowAt } from '../../host/treeRows';
import { answer, clickPick, dialog, notification, proceed, treeRow } from '../../host/workbench';
import { agreeToCleanUp, over, posts, setActions } from '../actionScene';
import { eventually, expect, keyOf, picture, sideBar } from '../scene';
import { message, showOnly, trees, welcomeIs } from '../trees';

/** What the dialog says about a missing permission. */
const lacks = {
  'integration.manage':
    'Preview reporting requires the permission {0}, which the API key does not have.',
  'server.remove': 'A clean-up requires the permission {0}, which the API key does not have.',
} as const;

describe('A missing permission', () => {
  const scene = setActions();

  /** Runs a command, which ends when its question is answered. */
  const run = (command: string, argument?: object): Promise<unknown> =>
    scene.driver.run(`controlPlane.${command}`, ...(argument ? [argument] : []));
  /** Waits for the modal dialog that names the missing permission. */
  const isSaid = (permission: keyof typeof lacks): Promise<void> =>
    dialog(scene.page)
      .filter({ hasText: uiText(lacks[permission], permission) })
      .waitFor();
  const choose = (button: string): Promise<void> =>
    dialog(scene.page).getByRole('button', { name: button }).click();
  /** Closes the dialog, after which there must be no further question. */
  const dismiss = async (asked: Promise<unknown>): Promise<void> => {
    const isAsked = scene.page.locator('.quick-input-widget:visible');
    await expect(isAsked, 'the dialog is the only question').toHaveCount(0);
    await scene.page.keyboard.press('Escape');
    await asked;
    await expect(isAsked, 'no further question').toHaveCount(0);
  };

  it('is named instead of the rows of a view, above the remaining ones, and if the environments for a sync cannot be listed', async () => {
    const { page } = scene;
    await scene.reconnect('demo-none');
    await showOnly(page, ...trees);
    const keys = {
      sources: 'sources.missing.repository.read',
      servers: 'servers.missing.alert.read',
      integrations: 'integrations.missing.integration.manage',
    } as const;
    for (const tree of trees) {
      await welcomeIs(page, tree, keys[tree]);
      await expect.poll(() => message(page, tree)).toBe('');
    }
    await picture(scene, 'missing-permission', sideBar);
    await scene.reconnect('demo-without-secret-list');
    await showOnly(page, 'sources');
    await treeRowAt(page, 'sources', [
      'shop-services',
      'production',
      uiText('Secret Keys'),
      uiText('Not allowed ({0})', 'secret.list'),
    ]);
    await expect
      .poll(() => message(page, 'sources'))
      .toBe(`${uiText('{0} is missing.', 'secret.list')} ${uiText('Secret keys are hidden.')}`);
    await picture(scene, 'missing-secrets', sideBar);

    await scene.reconnect('demo-logs');
    const asked = run('syncEnvironment');
    await clickPick(page, 'data-platform');
    await notification(page, uiText('It needs the permission {0}.', 'repository.read')).waitFor();
    await asked;
    assert.isEmpty(posts(scene, '/syncs'));
  });

  it('is shown before any question if a check or a view has found it; another key continues', async () => {
    const { page, controlPlane } = scene;
    const reports = (): number => posts(scene, '/retry-preview-reporting').length;
    await scene.reconnect('demo-readonly');
    await showOnly(page, 'logs');
    await run('checkConnection');
    const first = run('retryPreviewReporting');
    await isSaid('integration.manage');
    await dismiss(first);

    await scene.reconnect('demo-without-integration-manage');
    await showOnly(page, 'integrations');
    await treeRow(page, 'integrations', uiPattern('Not allowed ({0})')).waitFor();
    const second = run('retryPreviewReporting');
    await isSaid('integration.manage');
    await picture(scene, 'permission-before');
    assert.equal(reports(), 0);
    await choose(commandTitle('connect'));
    await answer(page, controlPlane.url);
    await answer(page, keyOf(scene, 'demo-full'));
    await dialog(page)
      .filter({ hasText: uiText('Retry preview reporting?') })
      .waitFor();
    await picture(scene, 'retry-preview-reporting');
    assert.equal(reports(), 0);
    await proceed(dialog(page)).click();
    const counts = [
      uiText('{0} attempted', 3),
      uiText('{0} succeeded', 2),
      uiText('{0} failed', 1),
    ].join(' · ');
    await notification(page, `${uiText('Retry preview reporting')}: ${counts}`).waitFor();
    await second;
    assert.equal(reports(), 1);
  });

  it('is known after a refusal, until the permission is granted', async () => {
    const { page, controlPlane } = scene;
    const { id: serverId } = controlPlane.world.servers[0]!;
    const cleanUp = (item: string): Promise<unknown> =>
      run('cleanUpOrphans', { serverId, items: [item] });
    const apiKey = controlPlane.admin.addKey('cleaner', ['logs.read']);
    const connected = run('connect', { baseUrl: controlPlane.url, apiKey });
    // Another key replaces the one that is used.
    await dialog(page)
      .getByRole('button', { name: uiText('Connect'), exact: true })
      .click();
    await connected;
    const refused = cleanUp('old-api');
    await agreeToCleanUp(scene);
    const isRefused = uiText(
      'The control plane does not allow this. To see what the API key may do, run “Check Connection and Permissions”.',
    );
    const refusal = notification(
      page,
      uiPattern('Clean up {0} on {1}', 'old-api', `fra-app-1: ${isRefused}`),
    );
    const request = uiPattern('request {0}', /req_[0-9a-f]+\)/);
    const permission = uiText('It needs the permission {0}.', 'server.remove');
    await refusal.filter({ hasText: sequence(request, /\s/, permission) }).waitFor();
    await refused;
    await picture(scene, 'permission-after');
    await run('checkConnection');
    await picture(scene, 'check-connection');
    const line = page.locator('.editor-instance .view-line');
    await line
      .filter({ hasText: `server.remove ${uiText('✗ missing: the last request was refused')}` })
      .waitFor();
    const asked = run('cleanUpOrphans');
    await isSaid('server.remove');
    await dismiss(asked);
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 1);

    controlPlane.admin.changeAccess('cleaner', ['logs.read', 'server.remove']);
    const granted = cleanUp('granted');
    await isSaid('server.remove');
    await choose(uiText('Try Anyway'));
    await agreeToCleanUp(scene);
    const accepted = await eventually(
      () => Promise.resolve(controlPlane.admin.operations()),
      (all) => all.length > 0,
      'the clean-up is not accepted',
    );
    controlPlane.admin.change(accepted[0]?.id ?? '', over);
    await notification(
      page,
      uiPattern('Clean up {0} on {1}', 'granted', 'fra-app-1: succeeded'),
    ).waitFor();
    await granted;
    const again = cleanUp('again');
    await dialog(page)
      .getByText(uiText('Clean up {0} item on {1}?', 1, 'fra-app-1'))
      .waitFor();
    await dismiss(again);
  });
});
