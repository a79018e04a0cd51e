import { assert } from 'chai';
import type { Page } from 'playwright-core';
import {
  startControlPlane,
  type ControlPlane,
  type ReceivedRequest,
} from '../control-plane/server';
import { openRow, treeRowAt, treeRows } from '../host/treeRows';
import { runCommand, view } from '../host/workbench';
import { connect, enterConnection, eventually, keyOf, picture, sideBar, type Scene } from './scene';
import { message, openTrees, showOnly, steady, textIs, treeIs } from './trees';

/** As text, since the tests are not compiled against the DOM. */
const watchScript = (title: string): string => `{
  const panes = [...document.querySelectorAll('.pane')];
  const pane = panes.find((one) => one.querySelector('.pane-header h3')?.textContent === '${title}');
  window.drawnRows = new Set();
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
      const row = element?.closest('.monaco-list-row');
      const label = row?.querySelector('.label-name')?.textContent;
      if (label) window.drawnRows.add(label);
    }
  }).observe(pane.querySelector('.monaco-list-rows'), {
    childList: true, subtree: true, characterData: true,
  });
}`;

/** Notes the labels of the rows that are drawn anew from now on; what comes back reads them. */
async function watchDrawing(page: Page, title: string): Promise<() => Promise<string[]>> {
  await page.evaluate(watchScript(title));
  return () => page.evaluate<string[]>('[...window.drawnRows].sort()');
}

describe('the trees while things change', () => {
  let scene: Scene;
  before(async () => {
    scene = await openTrees();
    await connect(scene);
    await showOnly(scene.page, 'Sources');
    await openRow(scene.page, 'Sources', ['data-platform', 'production']);
    await openRow(scene.page, 'Sources', ['shop-web', 'production', 'web-api']);
  });
  after(() => scene.close());
  afterEach(() => scene.controlPlane.admin.reset());

  const webApi = ['shop-web', 'production', 'web-api'];
  const refresh = (): Promise<void> => runCommand(scene.page, 'Control Plane: Refresh');
  const rows = async (): Promise<string> =>
    steady((await treeRows(scene.page, 'Sources')).join('\n'));
  const workload = (name: string): ControlPlane['world']['workloads'][number] =>
    scene.controlPlane.world.workloads.find((one) => one.name === name)!;

  /** The labels of the rows with this class. */
  const labelsOf = (state: string): Promise<string[]> =>
    view(scene.page, 'Sources').locator(`.monaco-list-row.${state} .label-name`).allTextContents();

  it('draw the row that has changed anew and no other; selection and expansion stay', async () => {
    const { page, controlPlane } = scene;
    const before = (await rows()).split('\n');
    const at = before.findIndex((row) => row.trim().startsWith('web-api'));
    const [newest, second] = before.slice(at + 1).map((row) => row.trim().split(' ')[0]!);
    await (await treeRowAt(page, 'Sources', [...webApi, second!])).click();
    const drawn = await watchDrawing(page, 'Sources');
    controlPlane.admin.change(workload('web-api').deploymentId, {
      state: 'failed',
      errorCode: 'health_check_failed',
      errorMessage: 'GET /healthz did not answer.',
    });
    await refresh();
    await view(page, 'Sources').getByText('failed: GET /healthz').waitFor();
    assert.deepEqual(await drawn(), [newest]);
    const after = (await rows()).split('\n');
    assert.match(after[at + 1]!, /failed/);
    assert.deepEqual(
      after.filter((_, index) => index !== at + 1),
      before.filter((_, index) => index !== at + 1),
    );
    assert.deepEqual(await labelsOf('selected'), [second]);
    await picture(scene, 'changed-deployment', sideBar);
  });

  it('keep selection and expansion where rows come', async () => {
    const { controlPlane } = scene;
    const before = (await rows()).split('\n');
    const selected = await labelsOf('selected');
    const { source } = workload('web-api');
    const path = `/v1/api/sources/${source.id}/environments/${source.environmentId}/syncs`;
    const answered = await fetch(controlPlane.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf(scene, 'demo-full')}` },
    });
    assert.equal(answered.status, 202);
    await refresh();
    await eventually(
      rows,
      (text) => text.split('\n').length === before.length + 1,
      'one row more, of the deployment that has begun',
    );
    assert.deepEqual(await labelsOf('selected'), selected);
  });

  it('keep what they show when everything fails, and say how old it is and why', async () => {
    const { page, controlPlane } = scene;
    const before = (await rows()).split('\n').filter((row) => !row.includes('so far'));
    for (const path of ['/sources/', '/resources/']) {
      controlPlane.admin.fault({ kind: 'status', status: 503, times: 1000, path });
    }
    await refresh();
    await eventually(
      () => message(page, 'Sources'),
      (text) => /^Updated .*The control plane failed with status 503/.test(text),
      'the line above the rows',
    );
    const after = (await rows()).split('\n').filter((row) => !row.includes('so far'));
    assert.equal(after.length, before.length);
    await picture(scene, 'stale', sideBar);
    controlPlane.admin.reset();
    await refresh();
    await textIs(() => message(page, 'Sources'), '');
  });

  it('name the permission at the one source that is refused, and show the others', async () => {
    const { page, controlPlane } = scene;
    const { id } = workload('search').source;
    await runCommand(page, 'Control Plane: Sign Out');
    await view(page, 'Sources').getByText('You are signed out').waitFor();
    controlPlane.admin.fault({ kind: 'status', status: 403, times: 1000, path: id });
    await enterConnection(page, controlPlane.url, keyOf(scene, 'demo-full'));
    for (const name of ['data-platform', 'shop-services']) await openRow(page, 'Sources', [name]);
    await treeIs(
      page,
      'Sources',
      `
      data-platform cd305006
        Missing permission repository.read
        Missing permission secret.list
      operations 9f2e8185
      shop-services bea01f62
        production main
      shop-web a13ff5bf
      `,
    );
    await picture(scene, 'source-refused', sideBar);
  });

  it('show nothing of a connection that was left, however late its answers come', async () => {
    const { page, controlPlane } = scene;
    const other = await startControlPlane({ seed: 7, live: false, historyRecords: 0 });
    try {
      // The same ids, so that a late answer would find its place.
      for (const { id, name } of other.world.workloads) {
        other.admin.change(id, { name: `other-${name}`, environment: { name: 'elsewhere' } });
      }
      await openRow(page, 'Sources', ['shop-services', 'production']);
      controlPlane.admin.reset();
      const path = '/sources/';
      controlPlane.admin.fault({ kind: 'latency', latencyMs: 4000, path, times: 1000 });
      const slow = (): ReceivedRequest[] =>
        controlPlane.admin.requests().filter(({ url }) => url.includes(path));
      await refresh();
      await eventually(
        () => Promise.resolve(slow()),
        ({ length }) => length >= 4,
        'slow requests',
      );
      await enterConnection(page, other.url, other.keys['demo-full']!);
      await openRow(page, 'Sources', ['shop-services', 'elsewhere']);
      const shown = `
        data-platform cd305006
          elsewhere
          production
        operations 9f2e8185
        shop-services bea01f62
          elsewhere
            other-inventory running, healthy
            other-notifications restarting (wanted running), starting
            other-payments running, healthy
          production
        shop-web a13ff5bf
      `;
      await treeIs(page, 'Sources', shown);
      assert.isTrue(
        slow().every(({ isOver, status }) => isOver && status === undefined),
        'nobody waits for the slow answers any more',
      );
    } finally {
      await other.close();
    }
  });
});
