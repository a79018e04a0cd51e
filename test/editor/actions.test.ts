import { assert } from 'chai';
import * as vscode from 'vscode';
import type { Fault } from '../control-plane/server';
import { attendBoxes, clickInMessage, escape, nextBox, shownMessages, type } from './boxes';
import { errorMessages } from './person';
import { setScene } from './scene';
import { inChannel, until } from './wait';

function run(command: string, argument?: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand(`controlPlane.${command}`, argument);
}

function count(number: number): string[] {
  return Array.from({ length: number }, (_, index) => `item-${index}`);
}

describe('a clean-up', () => {
  const scene = setScene({ operationSeconds: 2 });
  attendBoxes();

  const server = (): { id: string; name: string } => scene.controlPlane.world.servers[0]!;
  const sent = () => scene.requests('/cleanup-orphans');
  const plan = (items: unknown = ['old-api']): object => ({ serverId: server().id, items });
  const fault = (given: Fault): Promise<unknown> => scene.controlPlane.admin.fault(given);
  /** Waits for an information, a warning or an error. */
  const told = (pattern: RegExp): Promise<string> =>
    until(String(pattern), () =>
      Promise.resolve([...shownMessages(), ...errorMessages()].find((text) => pattern.test(text))),
    );

  beforeEach(async () => {
    await scene.set('servers', [{ id: server().id, label: 'fra' }]);
    assert.isTrue(await scene.connect());
  });

  it('asks even where everything is given, and sends what is agreed to', async () => {
    clickInMessage(/^Clean up 1 item on fra\?$/, 'Clean Up');
    clickInMessage(/succeeded/, 'Show Details');
    assert.isTrue(await run('cleanUpOrphans', plan()));
    await told(/^Clean up old-api on fra: succeeded · done\./);
    const [request, ...others] = await sent();
    assert.isEmpty(others);
    assert.equal(request?.body, '{"items":[{"name":"old-api"}]}');
    assert.match(String(request?.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
    const result = await until('the result', () =>
      Promise.resolve(
        vscode.workspace.textDocuments.find(({ uri }) => uri.path.includes('Result')),
      ),
    );
    assert.include(result.getText(), 'removed old-api');
    assert.match(result.getText(), /^Replayed +no$/m);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('wants the name of the server for more than one item, and takes no other', async () => {
    clickInMessage(/^Clean up 100 items on fra\?$/, 'Clean Up');
    const running = run('cleanUpOrphans', plan(count(100)));
    const box = await nextBox();
    await type(box, 'fra-app');
    await until('it is refused', () => Promise.resolve(box.validationMessage !== undefined));
    assert.isEmpty(await sent());
    await type(box, 'fra');
    assert.isTrue(await running);
    await told(/^Clean up 100 items on fra: succeeded/);
    assert.lengthOf(await sent(), 1);
  });

  it('sends nothing where the name is not typed', async () => {
    clickInMessage(/^Clean up 2 items/, 'Clean Up');
    const running = run('cleanUpOrphans', plan(['a', 'b']));
    await nextBox();
    await escape();
    assert.isFalse(await running);
    assert.isEmpty(await sent());
  });

  it('of none, of 101 or of what is no text is not even asked about (F41)', async () => {
    for (const items of [[], count(101), ['a', 7], 'a', ['\ud800']]) {
      assert.isFalse(await run('cleanUpOrphans', plan(items)));
    }
    assert.isEmpty(shownMessages());
    assert.deepEqual(
      errorMessages().map((message) => message.replace(/^Nothing was sent\. /, '')),
      [
        'Give the names of 1 to 100 items.',
        '101 items are too many: at most 100 items.',
        'Item 2 is not a text.',
        'Give the names of 1 to 100 items.',
        'Item 1 holds half a character: \\u{d800}',
      ],
    );
    assert.isEmpty(await sent());
  });

  it('names items as they are: no link, no icon, no control character', async () => {
    const odd = '[x](command:workbench.action.quit) $(bug)\u001b[31m\u202e<b>';
    clickInMessage(/^Clean up 1 item/, 'Clean Up');
    assert.isTrue(await run('cleanUpOrphans', plan([odd])));
    const message = await told(/succeeded/);
    assert.include(message, '[x] (command:workbench.action.quit)');
    assert.include(message, '\\u{1b}[31m\\u{202e}');
    const [request] = await sent();
    assert.deepEqual(JSON.parse(request?.body ?? ''), { items: [{ name: odd }] });
  });

  it('that is refused says why, and which permission is missing', async () => {
    await scene.connect('demo-without-server-remove');
    clickInMessage(/^Clean up 1 item/, 'Clean Up');
    await run('cleanUpOrphans', plan());
    const message = await told(/^Clean up old-api on fra: The API key lacks the permission/);
    assert.match(message, /\(.*request req_[0-9a-f]+\) It needs the permission server\.remove\.$/);
    assert.lengthOf(await sent(), 1);
  });

  it('that the key was found to lack the permission for is not even asked about', async () => {
    await scene.connect('demo-without-server-remove');
    clickInMessage(/^Clean up 1 item/, 'Clean Up');
    await run('cleanUpOrphans', plan());
    await told(/It needs the permission server\.remove\.$/);
    clickInMessage(/lacks the permission server\.remove, which a clean-up needs/, 'Try Anyway');
    clickInMessage(/^Clean up 1 item/, 'Clean Up');
    assert.isTrue(await run('cleanUpOrphans', plan(['again'])));
    await told(/^Clean up again on fra: The API key lacks the permission/);
    assert.lengthOf(await sent(), 2);
    // What a model or another extension asks for waits for the person, too.
    void run('cleanUpOrphans', plan(['once more']));
    await until('it is said again', () =>
      Promise.resolve(
        shownMessages().filter((text) => text.includes('which a clean-up')).length === 2,
      ),
    );
    assert.lengthOf(await sent(), 2);
  });

  it('that fails says what the server says', async () => {
    clickInMessage(/^Clean up 1 item/, 'Clean Up');
    await run('cleanUpOrphans', plan(['in-use-db']));
    assert.include(
      await told(/^Clean up in-use-db on fra: failed/),
      'failed · removing. in-use-db is in use. (item_in_use)',
    );
  });

  it('is sent again with the same key after a failure that leaves all open (F43)', async () => {
    await fault({ kind: 'reset', endpoint: 'post_servers_cleanup_orphans' });
    await fault({
      kind: 'status',
      status: 502,
      accepted: true,
      endpoint: 'post_servers_cleanup_orphans',
    });
    clickInMessage(/^Clean up 1 item/, 'Clean Up');
    await run('cleanUpOrphans', plan());
    await told(/succeeded · done · replayed/);
    const requests = await sent();
    assert.lengthOf(requests, 3);
    assert.lengthOf(new Set(requests.map(({ body }) => body)), 1);
    assert.lengthOf(new Set(requests.map(({ headers }) => headers['idempotency-key'])), 1);
    assert.lengthOf(await scene.controlPlane.admin.operations(), 1);
  });

  it('of which no answer came is asked about, and sent again only if that is agreed to (F43)', async () => {
    await fault({ kind: 'reset', times: 3, endpoint: 'post_servers_cleanup_orphans' });
    clickInMessage(/^Clean up 1 item/, 'Clean Up');
    await run('cleanUpOrphans', plan());
    clickInMessage(/whether it has started is not known/, 'Send Again…');
    clickInMessage(/^Send the clean-up of 1 item on fra again\?$/, 'Send Again');
    await told(/replayed/);
    assert.lengthOf(await sent(), 4);
    assert.lengthOf(await scene.controlPlane.admin.operations(), 1);
  });

  for (const [name, given, expected] of [
    [
      '404',
      { kind: 'status', status: 404, times: 3 },
      /outcome unknown: the control plane does not/,
    ],
    [
      '404 without an error object',
      { kind: 'status', status: 404, times: 3, body: '<h1>Not Found</h1>' },
      /accepted, operation id [0-9a-f-]{36}\. Its progress cannot be followed here\./,
    ],
    ['410', { kind: 'status', status: 410 }, /expired: the control plane has removed/],
    ['429', { kind: 'status', status: 429, times: 2 }, /succeeded/],
    ['500', { kind: 'status', status: 500, times: 2 }, /succeeded/],
    ['a page for people', { kind: 'html', times: 2 }, /succeeded/],
    ['a page for people for ever', { kind: 'html', times: 99 }, /accepted, watching failed/],
    ['no JSON', { kind: 'malformedJson', times: 99 }, /accepted, watching failed/],
    ['JSON of something else', { kind: 'wrongSchema', times: 99 }, /accepted, watching failed/],
    ['nothing, as the control plane restarts', { kind: 'restart', downMs: 1500 }, /succeeded/],
    ['403', { kind: 'status', status: 403 }, /accepted, watching failed/],
  ] as const) {
    it(`whose polls are answered by ${name} says so (F46, F47)`, async () => {
      await fault({ ...given, endpoint: 'get_operation' });
      clickInMessage(/^Clean up 1 item/, 'Clean Up');
      await run('cleanUpOrphans', plan());
      await told(expected);
      assert.lengthOf(await sent(), 1);
    }).timeout(60_000);
  }

  it('is not polled where the setting names no path, and that is no error (F46)', async () => {
    await scene.set('api.operationPath', '');
    clickInMessage(/^Clean up 1 item/, 'Clean Up');
    await run('cleanUpOrphans', plan());
    await told(/accepted, operation id [0-9a-f-]{36}\. Its progress cannot be followed here\./);
    assert.isEmpty(errorMessages());
  });

  it('stays with its connection, and is gone on with when that is opened again', async () => {
    await scene.set('activity.notify', true);
    clickInMessage(/^Clean up 1 item/, 'Clean Up');
    await run('cleanUpOrphans', plan());
    await until('it is accepted', async () => (await sent()).length === 1);
    await scene.connect('demo-full', 'elsewhere');
    await scene.connect('demo-full');
    await told(/succeeded/);
    assert.lengthOf(await sent(), 1);
  });
});

describe('a sync', () => {
  const scene = setScene({ operationSeconds: 1 });
  attendBoxes();
  const sent = () => scene.requests('/syncs');
  const told = (pattern: RegExp): Promise<string> =>
    until(String(pattern), () =>
      Promise.resolve([...shownMessages(), ...errorMessages()].find((text) => pattern.test(text))),
    );
  const target = (): object => {
    const { id: sourceId, environmentId } = scene.controlPlane.world.sources[0]!;
    return { sourceId, environmentId };
  };

  beforeEach(async () => {
    const { sources } = scene.controlPlane.world;
    await scene.set('sources', [{ id: sources[0]?.id, label: 'shop' }]);
    assert.isTrue(await scene.connect());
  });

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

  it('of preview reports says how many failed, as a warning with the details', async () => {
    await run('retryPreviewReporting');
    await told(/^Retry preview reporting: 3 attempted · 2 succeeded · 1 failed\./);
    clickInMessage(/^Retry preview reporting: 1 attempted/, 'Show Details');
    await run('retryPreviewReporting');
    await until('the details', () =>
      Promise.resolve(
        vscode.workspace.textDocuments.find(({ uri }) => uri.path.includes('Result')),
      ),
    );
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
