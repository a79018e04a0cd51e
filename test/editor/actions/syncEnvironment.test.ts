import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import {
  answerPick,
  clickInMessage,
  closeMessage,
  dialogDetails,
  errorMessages,
  shownMessages,
  notification,
} from '../person';
import { signOutQuestion, syncQuestion } from '../questions';
import { inWindow, rowOf } from '../rows';
import { known, setScene } from '../scene';
import { inChannel, run, until } from '../wait';

/** Waits for the message about a sync; returns what it says. */
async function syncSays(): Promise<string> {
  const title = `${uiText('Sync {0} of {1}', 'production', 'shop')}: `;
  return (await notification(new RegExp(`^${title}`))).slice(title.length);
}

describe('Sync Environment', () => {
  const scene = setScene({ operationSeconds: 0 }, { settings: known.shop });
  const sent = () => scene.requests('/syncs');
  const target = (): object => {
    const { id: sourceId, environmentId } = scene.controlPlane.world.sources[0]!;
    return { sourceId, environmentId };
  };

  const agree = (): void => void clickInMessage(syncQuestion, 'Sync');

  beforeEach(async () => assert.isTrue(await scene.connect()));

  it('with an argument asks first, with environment, source and connection', async () => {
    closeMessage(syncQuestion);
    assert.isUndefined(await run('syncEnvironment', target()));
    const { id = '', environmentId = '' } = scene.controlPlane.world.sources[0] ?? {};
    const [detail = ''] = dialogDetails();
    assert.include(detail, uiText('Environment: {0}', `production (${environmentId.slice(0, 8)})`));
    assert.include(detail, uiText('Source: {0}', `shop (${id.slice(0, 8)})`));
    assert.include(detail, uiText('Connection: {0}', `${scene.name} (${scene.controlPlane.url})`));
    assert.isEmpty(await sent());
  });

  it('says which secret keys the environment lacks and another one has, and which have no value', async () => {
    const bindings = [
      { environment: 'production', stage: 'build', keys: ['A', 'B'], missingKeys: ['B'] },
      { environment: 'staging', stage: 'build', keys: ['A', 'C'] },
    ];
    const body = JSON.stringify({ bindings });
    await scene.controlPlane.admin.fault({
      ...{ kind: 'status', status: 200, body, times: 100 },
      endpoint: 'get_sources_secrets',
    });
    closeMessage(syncQuestion);
    assert.isUndefined(await run('syncEnvironment', target()));
    const [detail = ''] = dialogDetails();
    assert.include(detail, uiText('Secret keys without a value: {0}', 'B'));
    assert.include(detail, uiText('Secret keys that it lacks and {1} has: {0}', 'C', 'staging'));
    assert.isEmpty(await sent());
  });

  it('with an argument is sent, and its deployments are followed', async () => {
    await scene.set('activity.notify', true);
    await run('showOutput');
    agree();
    assert.isString(await run('syncEnvironment', target()));
    assert.match(await syncSays(), /succeeded: \d/);
    assert.lengthOf(await sent(), 1);
    const line = await inChannel('diagnostics', (text) => / sync: (\{.*\})$/m.exec(text)?.[1]);
    const { revision } = scene.controlPlane.world.sources[0]!;
    assert.include(JSON.parse(line), { state: 'accepted', commitSha: revision });
  });

  it(`asks first for its row, and for what a link makes of the row ${covers('F88', 'editor')}`, async () => {
    const { id, environmentId } = scene.controlPlane.world.sources[0]!;
    const path = [`source ${id}`, `environment ${environmentId}`];
    const row = await until('the row', async () => {
      await run('sources.focus');
      await vscode.commands.executeCommand('list.focusFirst');
      await vscode.commands.executeCommand('list.expand');
      return rowOf('sources', ...path);
    });
    closeMessage(syncQuestion);
    assert.isUndefined(await run('syncEnvironment', row));
    closeMessage(syncQuestion);
    await inWindow('controlPlane.syncEnvironment', {
      $treeViewId: 'controlPlane.sources',
      $treeItemHandle: `1/${path.join('/')}`,
    });
    const asked = (await shownMessages()).filter((text) => syncQuestion.test(text));
    assert.lengthOf(asked, 2);
    assert.isEmpty(await sent());
  });

  it(`lets the user pick if the argument is a copy of a row ${covers('F88', 'editor')}`, async () => {
    const { id, environmentId } = scene.controlPlane.world.sources[0]!;
    const view = 'controlPlane.sources';
    const copy = { view, id: `source ${id}/environment ${environmentId}` };
    let picks = 0;
    const dismiss = (): undefined => {
      picks++;
      return undefined;
    };
    answerPick(dismiss);
    assert.isUndefined(await run('syncEnvironment', copy));
    answerPick(dismiss);
    // As a key, a task or a link passes it.
    await inWindow('controlPlane.syncEnvironment', copy);
    assert.equal(picks, 2);
    assert.isEmpty(await shownMessages());
    assert.isEmpty(await sent());
  });

  it('asks no more for an environment after the user chose that, until it is taken back', async () => {
    const { world, admin } = scene.controlPlane;
    const source = world.sources[0]!;
    for (const { id, source: own } of world.workloads) {
      const environment = { id: source.environmentId, name: 'staging' };
      if (own.id === source.id) await admin.change(id, { environment });
    }
    const question = uiPattern('Sync {0} of {1}?', 'staging', 'shop');
    const asked = async (): Promise<number> =>
      (await shownMessages()).filter((text) => question.test(text)).length;
    let detail: string | undefined;
    const syncPicked = async (): Promise<void> => {
      answerPick((items) => items[0]);
      answerPick((items) => {
        detail = items[0]?.detail;
        return items[0];
      });
      await run('syncEnvironment');
    };
    const ended = (count: number): Promise<unknown> =>
      until(`${count} syncs have ended`, async () => {
        const title = `${uiText('Sync {0} of {1}', 'staging', 'shop')}: `;
        return (await shownMessages()).filter((one) => one.startsWith(title)).length === count;
      });
    await scene.set('activity.notify', true);

    clickInMessage(question, 'Sync and Don’t Ask Again');
    await syncPicked();
    await ended(1);
    assert.notInclude(detail, uiText('syncs without asking'));
    await syncPicked();
    await ended(2);
    assert.include(detail, uiText('syncs without asking'));
    assert.equal(await asked(), 1);
    assert.lengthOf(await sent(), 2);

    // An argument is no choice.
    closeMessage(question);
    await run('syncEnvironment', target());
    assert.equal(await asked(), 2);
    await run('askBeforeSync');
    closeMessage(question);
    await syncPicked();
    assert.equal(await asked(), 3);
    assert.lengthOf(await sent(), 2);

    clickInMessage(question, 'Sync and Don’t Ask Again');
    await syncPicked();
    await ended(3);
    clickInMessage(signOutQuestion, 'Sign Out');
    await run('signOut');
    await scene.connect();
    closeMessage(question);
    await syncPicked();
    assert.equal(await asked(), 5, 'a sign-out takes it back, too');
  });

  it('is never repeated automatically: without an answer its outcome is unknown', async () => {
    const endpoint = 'post_sources_environments_syncs';
    await scene.controlPlane.admin.fault({ kind: 'status', status: 502, accepted: true, endpoint });
    agree();
    await run('syncEnvironment', target());
    assert.match(
      await syncSays(),
      uiPattern(
        'no response, so it may or may not have started. It is not sent again automatically. Check the deployments first.',
      ),
    );
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
    assert.match(await syncSays(), uiPattern('It needs the permission {0}.', 'repository.sync'));
  });
});

describe('A running sync', () => {
  const scene = setScene({ operationSeconds: 3600 }, { settings: known.shop });

  it('is shown, or sent again, after a second click, as the user chooses', async () => {
    await scene.connect();
    const { id: sourceId, environmentId } = scene.controlPlane.world.sources[0]!;
    const sync = () => run('syncEnvironment', { sourceId, environmentId });
    clickInMessage(syncQuestion, 'Sync');
    const [first, second] = await Promise.all([sync(), sync()]);
    assert.isString(first);
    assert.equal(second, first, 'both are of one entry');
    const sent = (count: number) =>
      until(
        `there are ${count} syncs`,
        async () => (await scene.requests('/syncs')).length === count,
      );
    await sent(1);

    const again = uiPattern('Sync {0} of {1} again?', 'production', 'shop');
    clickInMessage(again, 'Watch');
    assert.isUndefined(await sync());
    assert.match(dialogDetails()[0] ?? '', uiPattern('A sync that started {0} is still running.'));
    clickInMessage(again, 'Sync Again');
    assert.isString(await sync());
    await sent(2);
  });
});

describe('Retry Preview Reporting', () => {
  const scene = setScene();
  const title = uiText('Retry preview reporting');
  const question = uiPattern('Retry preview reporting?');

  it('says what it will do, and combines two clicks', async () => {
    await scene.connect();
    closeMessage(question);
    assert.isUndefined(await run('retryPreviewReporting'));
    const [detail = ''] = dialogDetails();
    assert.include(detail, uiText('Connection: {0}', `${scene.name} (${scene.controlPlane.url})`));
    assert.include(
      detail,
      uiText(
        'The control plane retries failed preview reports to the code host, in all repositories. The request is sent once.',
      ),
    );
    assert.isEmpty(await scene.requests('/retry-preview-reporting'));

    clickInMessage(question, 'Retry');
    const [first, second] = await Promise.all([
      run('retryPreviewReporting'),
      run('retryPreviewReporting'),
    ]);
    assert.isString(first);
    assert.equal(second, first, 'both are of one entry');
    await notification(new RegExp(`^${title}: ${uiText('{0} attempted', 3)}`));
    assert.lengthOf(await scene.requests('/retry-preview-reporting'), 1);
    assert.lengthOf(
      (await shownMessages()).filter((text) => question.test(text)),
      2,
    );
  });

  it('is shown by a second click while it runs, not sent again', async () => {
    await scene.connect();
    const endpoint = 'post_retry_preview_reporting';
    await scene.controlPlane.admin.fault({ kind: 'stall', endpoint });
    clickInMessage(question, 'Retry');
    assert.isString(await run('retryPreviewReporting'));
    assert.isUndefined(await run('retryPreviewReporting'));
    const asked = (await shownMessages()).filter((text) => question.test(text));
    assert.lengthOf(asked, 1);
    await until(
      'it is sent',
      async () => (await scene.requests('/retry-preview-reporting')).length === 1,
    );
  });

  it('says how many failed, with the details', async () => {
    await scene.connect();
    clickInMessage(question, 'Retry');
    const counts = [
      uiText('{0} attempted', 3),
      uiText('{0} succeeded', 2),
      uiText('{0} failed', 1),
    ].join(' · ');
    clickInMessage(new RegExp(`^${title}: ${counts}\\.`), 'Show Details');
    await run('retryPreviewReporting');
    const shown = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';
    const oneFailed = new RegExp(`^${uiText('Failed')} +1$`, 'm');
    await until('the details', () => oneFailed.test(shown()));
  });
});
