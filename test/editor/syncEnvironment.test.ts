import { assert } from 'chai';
import * as vscode from 'vscode';
import { clickInMessage, told } from './person';
import { setScene } from './scene';
import { inChannel, until } from './wait';

function run(command: string, argument?: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand(`controlPlane.${command}`, argument);
}

describe('a sync', () => {
  const scene = setScene(
    { operationSeconds: 0 },
    { settings: ({ sources }) => ({ sources: [{ id: sources[0]?.id, label: 'shop' }] }) },
  );
  const sent = () => scene.requests('/syncs');
  const target = (): object => {
    const { id: sourceId, environmentId } = scene.controlPlane.world.sources[0]!;
    return { sourceId, environmentId };
  };

  beforeEach(async () => assert.isTrue(await scene.connect()));

  it('of an argument is sent, and followed by what it deploys', async () => {
    await scene.set('activity.notify', true);
    await run('showOutput');
    assert.isTrue(await run('syncEnvironment', target()));
    await told(/^Sync production of shop: \d succeeded\./);
    assert.lengthOf(await sent(), 1);
    const line = await inChannel('Control Plane', (text) => / sync: (\{.*\})$/m.exec(text)?.[1]);
    const { revision } = scene.controlPlane.world.sources[0]!;
    assert.include(JSON.parse(line), { state: 'accepted', commitSha: revision });
  });

  it('is never sent again by itself: no answer leaves its outcome unknown', async () => {
    const endpoint = 'post_sources_environments_syncs';
    await scene.controlPlane.admin.fault({ kind: 'status', status: 502, accepted: true, endpoint });
    await run('syncEnvironment', target());
    await told(
      /^Sync production of shop: no answer came, so whether it has started is not known\./,
    );
    assert.lengthOf(await sent(), 1);
  });

  it('that is refused says which permission is missing', async () => {
    await scene.connect('demo-without-repository-sync');
    await run('syncEnvironment', target());
    await told(/^Sync production of shop: .*It needs the permission repository\.sync\.$/);
  });
});

describe('a retry of preview reporting', () => {
  const scene = setScene();

  it('says how many failed, with the details', async () => {
    await scene.connect();
    clickInMessage(
      /^Retry preview reporting: 3 attempted · 2 succeeded · 1 failed\./,
      'Show Details',
    );
    await run('retryPreviewReporting');
    const shown = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';
    await until('the details', () => Promise.resolve(/^Failed +1$/m.test(shown())));
  });
});
