import { assert } from 'chai';
import * as vscode from 'vscode';
import {
  clickInMessage,
  closeMessage,
  dialogDetails,
  errorMessages,
  shownMessages,
  told,
} from './person';
import { setScene } from './scene';
import { inChannel, run, until } from './wait';

describe('Sync Environment', () => {
  const scene = setScene(
    { operationSeconds: 0 },
    { settings: ({ sources }) => ({ sources: [{ id: sources[0]?.id, label: 'shop' }] }) },
  );
  const sent = () => scene.requests('/syncs');
  const target = (): object => {
    const { id: sourceId, environmentId } = scene.controlPlane.world.sources[0]!;
    return { sourceId, environmentId };
  };

  const agree = (): void => clickInMessage(/^Sync production of shop\?$/, 'Sync');

  beforeEach(async () => assert.isTrue(await scene.connect()));

  it('with an argument asks first, with environment, source and connection', async () => {
    closeMessage(/^Sync production of shop\?$/);
    assert.isUndefined(await run('syncEnvironment', target()));
    const { id = '', environmentId = '' } = scene.controlPlane.world.sources[0] ?? {};
    const [detail = ''] = dialogDetails();
    assert.include(detail, `Environment: production (${environmentId.slice(0, 8)})`);
    assert.include(detail, `Source: shop (${id.slice(0, 8)})`);
    assert.include(detail, `Connection: ${scene.name} (${scene.controlPlane.url})`);
    assert.isEmpty(await sent());
  });

  it('with an argument is sent, and its deployments are followed', async () => {
    await scene.set('activity.notify', true);
    await run('showOutput');
    agree();
    assert.isString(await run('syncEnvironment', target()));
    await told(/^Sync production of shop: \d succeeded\./);
    assert.lengthOf(await sent(), 1);
    const line = await inChannel('diagnostics', (text) => / sync: (\{.*\})$/m.exec(text)?.[1]);
    const { revision } = scene.controlPlane.world.sources[0]!;
    assert.include(JSON.parse(line), { state: 'accepted', commitSha: revision });
  });

  it('is never repeated automatically: without an answer its outcome is unknown', async () => {
    const endpoint = 'post_sources_environments_syncs';
    await scene.controlPlane.admin.fault({ kind: 'status', status: 502, accepted: true, endpoint });
    agree();
    await run('syncEnvironment', target());
    await told(/^Sync production of shop: no response, so it may or may not have started\./);
    assert.lengthOf(await sent(), 1);
  });

  it('ends when the list of environments is closed, even while it loads', async () => {
    const endpoint = 'get_sources_resources';
    await scene.controlPlane.admin.fault({ kind: 'stall', endpoint, times: 10 });
    let lists = 0;
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly unknown[] | PromiseLike<readonly unknown[]>) =>
        lists++ === 0 ? (await items)[0] : undefined,
    });
    assert.isUndefined(await run('syncEnvironment'));
    assert.equal(lists, 2);
    assert.isEmpty(await errorMessages(), 'what the user closed says nothing');
    assert.isEmpty(await sent());
  });

  it('names the missing permission after a refusal', async () => {
    await scene.connect('demo-without-repository-sync');
    agree();
    await run('syncEnvironment', target());
    await told(/^Sync production of shop: .*It needs the permission repository\.sync\.$/);
  });
});

describe('A running sync', () => {
  const scene = setScene(
    { operationSeconds: 3600 },
    { settings: ({ sources }) => ({ sources: [{ id: sources[0]?.id, label: 'shop' }] }) },
  );

  it('is shown, or sent again, after a second click, as the user chooses', async () => {
    await scene.connect();
    const { id: sourceId, environmentId } = scene.controlPlane.world.sources[0]!;
    const sync = () => run('syncEnvironment', { sourceId, environmentId });
    clickInMessage(/^Sync production of shop\?$/, 'Sync');
    const [one, other] = await Promise.all([sync(), sync()]);
    assert.isString(one);
    assert.equal(other, one, 'both are of one entry');
    const sent = (count: number) =>
      until(
        `there are ${count} syncs`,
        async () => (await scene.requests('/syncs')).length === count,
      );
    await sent(1);

    clickInMessage(/^Sync production of shop again\?$/, 'Watch');
    assert.isUndefined(await sync());
    assert.match(dialogDetails()[0] ?? '', /A sync that started .* is still running\./);
    clickInMessage(/^Sync production of shop again\?$/, 'Sync Again');
    assert.isString(await sync());
    await sent(2);
  });
});

describe('Retry Preview Reporting', () => {
  const scene = setScene();

  it('says what it will do, and combines two clicks', async () => {
    await scene.connect();
    closeMessage(/^Retry preview reporting\?$/);
    assert.isUndefined(await run('retryPreviewReporting'));
    const [detail = ''] = dialogDetails();
    assert.include(detail, `Connection: ${scene.name} (${scene.controlPlane.url})`);
    assert.match(detail, /failed preview reports/);
    assert.isEmpty(await scene.requests('/retry-preview-reporting'));

    clickInMessage(/^Retry preview reporting\?$/, 'Retry');
    const [one, other] = await Promise.all([
      run('retryPreviewReporting'),
      run('retryPreviewReporting'),
    ]);
    assert.isString(one);
    assert.equal(other, one, 'both are of one entry');
    await told(/^Retry preview reporting: 3 attempted/);
    assert.lengthOf(await scene.requests('/retry-preview-reporting'), 1);
    assert.lengthOf(
      (await shownMessages()).filter((text) => text === 'Retry preview reporting?'),
      2,
    );
  });

  it('is shown by a second click while it runs, not sent again', async () => {
    await scene.connect();
    const endpoint = 'post_retry_preview_reporting';
    await scene.controlPlane.admin.fault({ kind: 'stall', endpoint });
    clickInMessage(/^Retry preview reporting\?$/, 'Retry');
    assert.isString(await run('retryPreviewReporting'));
    assert.isUndefined(await run('retryPreviewReporting'));
    const asked = (await shownMessages()).filter((text) => text === 'Retry preview reporting?');
    assert.lengthOf(asked, 1);
    await until(
      'it is sent',
      async () => (await scene.requests('/retry-preview-reporting')).length === 1,
    );
  });

  it('says how many failed, with the details', async () => {
    await scene.connect();
    clickInMessage(/^Retry preview reporting\?$/, 'Retry');
    clickInMessage(
      /^Retry preview reporting: 3 attempted · 2 succeeded · 1 failed\./,
      'Show Details',
    );
    await run('retryPreviewReporting');
    const shown = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';
    await until('the details', () => /^Failed +1$/m.test(shown()));
  });
});
