import { assert } from 'chai';
import * as vscode from 'vscode';
import type { Fault } from '../../control-plane/server';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { escape, nextBox, type } from '../boxes';
import {
  clickInMessage,
  closeMessage,
  dialogDetails,
  errorMessages,
  offeredButtons,
  shownMessages,
  notification,
} from '../person';
import { agreeToCleanUp, cleanUpQuestion } from '../questions';
import { rowOf } from '../rows';
import { known, setScene, type Scene } from '../scene';
import { run, until } from '../wait';

const endpoint = 'post_servers_cleanup_orphans';

function count(number: number): string[] {
  return Array.from({ length: number }, (_, index) => `item-${index}`);
}

/** A server with the label `fra`, and its clean-ups. */
function setCleanUpScene(operationSeconds: number) {
  const scene = setScene({ operationSeconds }, { settings: known.fra });
  beforeEach(async () => assert.isTrue(await scene.connect()));
  return { scene, cleanUp: (items?: unknown) => cleanUp(scene, items), sent: () => sentBy(scene) };
}

function cleanUp({ controlPlane }: Scene, items: unknown = ['old-api']): Thenable<unknown> {
  const plan = { serverId: controlPlane.world.servers[0]?.id, items };
  return vscode.commands.executeCommand('controlPlane.cleanUpOrphans', plan);
}

/** The name of the open document, then its lines. Empty if there is none. */
function shownDocument(): string {
  const { document } = vscode.window.activeTextEditor ?? {};
  return document === undefined ? '' : `${document.uri.path}\n${document.getText()}`;
}

/** The missing permission, as said before a question. */
const isMissing = uiPattern(
  'A clean-up requires the permission {0}, which the API key does not have.',
  'server.remove',
);

const sentBy = (scene: Scene) => scene.requests('/cleanup-orphans');

describe('a clean-up', () => {
  const { scene, cleanUp, sent } = setCleanUpScene(0);

  it('asks for the name of the server if there are several items, and accepts no other text', async () => {
    clickInMessage(cleanUpQuestion(100), 'Clean Up');
    const running = cleanUp(count(100));
    const box = await nextBox();
    await type(box, 'fra-app');
    await until('it is refused', () => box.validationMessage !== undefined);
    assert.isEmpty(await sent());
    await type(box, 'fra');
    assert.isString(await running);
    await notification(uiPattern('Clean up {0} items on {1}', 100, 'fra: succeeded'));
    assert.lengthOf(await sent(), 1);
  });

  it('asks for the name of an item that runs, which is no orphan, and sends nothing without it', async () => {
    const { name } = scene.controlPlane.world.workloads.find(
      ({ server }) => server.id === scene.controlPlane.world.servers[0]?.id,
    )!;
    clickInMessage(cleanUpQuestion(1), 'Clean Up');
    const running = cleanUp([name]);
    const box = await nextBox();
    assert.include(
      dialogDetails().join(),
      uiText('{0} runs on this server and is not an orphan.', name),
    );
    await type(box, 'fra');
    await until('it is refused', () => box.validationMessage !== undefined);
    await escape();
    assert.isUndefined(await running);
    assert.isEmpty(await sent());
  });

  it('sends nothing without the name', async () => {
    clickInMessage(cleanUpQuestion(2), 'Clean Up');
    const running = cleanUp(['a', 'b']);
    await nextBox();
    await escape();
    assert.isUndefined(await running);
    assert.isEmpty(await sent());
  });

  it(`shows server, id, connection and every item as it is sent, in a document if they are many ${covers('F69', 'editor')}`, async () => {
    const id = scene.controlPlane.world.servers[0]?.id ?? '';
    const alike = ['prod  db', 'prod db', 'оld-api', 'old-api', `${'x'.repeat(200)}-old`];
    closeMessage(cleanUpQuestion(5));
    assert.isUndefined(await cleanUp(alike));
    const [few = ''] = dialogDetails();
    const server = uiText('Server: {0}', `fra (${id.slice(0, 8)})`);
    assert.include(few, server);
    assert.include(few, `${scene.name} (${scene.controlPlane.url})`);
    assert.include(few, '⚠ prod \\u{20}db — ');
    assert.include(
      few,
      `\n• prod db\n⚠ \\u{43e}ld-api — ${uiText('special characters are shown as codes')}\n• old-api\n• xxx`,
    );
    assert.equal(shownDocument(), '');

    const many = [...count(98), `${'y'.repeat(500)}-old`, `${'y'.repeat(500)}-live`];
    clickInMessage(cleanUpQuestion(100), 'Clean Up');
    const running = cleanUp(many);
    const box = await nextBox();
    const [detail = ''] = dialogDetails();
    assert.match(detail, /• item-0\n/);
    assert.match(detail, uiPattern('and {0} more', /\d+/));
    assert.include(
      detail,
      uiText('The open document lists all items in full. Read it before you continue.'),
    );
    const shown = shownDocument().split('\n');
    assert.match(shown[0] ?? '', /^\/.+ [0-9a-f]{8}\.txt$/);
    assert.deepEqual(
      shown.filter((line) => line.startsWith('• ')),
      many.map((name) => `• ${name}`),
    );
    assert.include(shown, server);
    await type(box, 'fra');
    assert.isString(await running);
    const body = await until('it is sent', async () => (await sent())[0]?.body);
    assert.deepEqual(JSON.parse(body), { items: many.map((name) => ({ name })) });
  });

  it(`asks for the id if the label of the server is not the user’s own ${covers('F69', 'editor')}`, async () => {
    await scene.set('servers', undefined);
    const id = scene.controlPlane.world.servers[0]?.id ?? '';
    clickInMessage(cleanUpQuestion(2, id.slice(0, 8)), 'Clean Up');
    const running = cleanUp(['a', 'b']);
    const box = await nextBox();
    assert.equal(box.placeholder, id.slice(0, 8));
    await type(box, 'fra');
    await until('it is refused', () => box.validationMessage !== undefined);
    await type(box, id.slice(0, 8));
    assert.isString(await running);
  });

  it(`says that another program gave the name, and asks for the id also for one item ${covers('F109', 'editor')}`, async () => {
    await scene.set('servers', undefined);
    const id = scene.controlPlane.world.servers[0]?.id ?? '';
    assert.isTrue(await run('addServer', { id, label: 'ci scratch' }));
    clickInMessage(cleanUpQuestion(1, 'ci scratch'), 'Clean Up');
    const running = cleanUp(['a']);
    const box = await nextBox();
    assert.equal(box.placeholder, id.slice(0, 8));
    assert.include(dialogDetails()[0], uiText('⚠ Another program gave this name.'));
    await escape();
    assert.isUndefined(await running);
    assert.isEmpty(await sent());
  });

  it(`asks nothing for 0 items, 101 items or invalid items ${covers('F41', 'editor')}`, async () => {
    for (const [items, problem] of [
      [[], uiText('Enter 1 to 100 item names.')],
      [count(101), uiText('Too many items ({0}): {1}.', 101, uiText('at most {0} items', 100))],
      [['a', 7], uiText('Item {0} is not a text.', 2)],
      [['\ud800'], uiText('Item {0} contains an invalid character: {1}', 1, '\\u{d800}')],
    ] as const) {
      assert.isUndefined(await cleanUp(items));
      await notification(`${uiText('Nothing was sent.')} ${problem}`);
    }
    assert.isEmpty(await shownMessages());
    assert.isEmpty(await sent());
  });

  it('shows items without links, icons and control characters', async () => {
    const odd = '[x](command:workbench.action.quit) $(bug)\u001b[31m\u202e<b>';
    agreeToCleanUp();
    assert.isString(await cleanUp([odd]));
    const message = await notification(/succeeded/);
    assert.include(message, '[x] (command:workbench.action.quit)');
    assert.include(message, '\\u{1b}[31m\\u{202e}');
    const [request] = await sent();
    assert.deepEqual(JSON.parse(request?.body ?? ''), { items: [{ name: odd }] });
  });

  it('names the missing permission after a refusal, and from then on before it asks', async () => {
    await scene.connect('demo-without-server-remove');
    agreeToCleanUp();
    await cleanUp();
    const message = await notification(uiPattern('It needs the permission {0}.', 'server.remove'));
    assert.match(message, / old-api .*\(.*request req_[0-9a-f]+\) /);
    assert.lengthOf(await sent(), 1);
    clickInMessage(isMissing, 'Try Anyway');
    agreeToCleanUp();
    assert.isString(await cleanUp(['again']));
    await notification(/ again .*request req_/);
    assert.lengthOf(await sent(), 2);
    // Requests of models and other extensions wait for the user, too.
    void cleanUp(['once more']);
    await until(
      'it is said again',
      async () => (await shownMessages()).filter((text) => isMissing.test(text)).length === 2,
    );
    assert.lengthOf(await sent(), 2);
  });

  it('shows the error of the server', async () => {
    agreeToCleanUp();
    await cleanUp(['in-use-db']);
    assert.include(
      await notification(uiPattern('Clean up {0} on {1}', 'in-use-db', 'fra: failed')),
      'failed · removing. in-use-db is in use. (item_in_use)',
    );
  });

  it(`asks if no answer arrived, and sends again only after a confirmation ${covers('F43', 'editor')}`, async () => {
    await scene.controlPlane.admin.fault({ kind: 'reset', times: 3, endpoint });
    agreeToCleanUp();
    await cleanUp();
    clickInMessage(uiPattern('it may or may not have started.'), 'Send Again…');
    clickInMessage(
      uiPattern('Send the clean-up of {0} item on {1} again?', 1, 'fra'),
      'Send Again',
    );
    await notification(uiPattern('replayed'));
    const requests = await sent();
    assert.lengthOf(requests, 4);
    assert.lengthOf(new Set(requests.map(({ body }) => body)), 1);
    assert.lengthOf(new Set(requests.map(({ headers }) => headers['idempotency-key'])), 1);
    assert.lengthOf(await scene.controlPlane.admin.operations(), 1);
  });
});

describe('a clean-up that is stopped', () => {
  const { scene, cleanUp, sent } = setCleanUpScene(0);

  it(`while it is looked up is unknown, which is said and asked about at once ${covers('F87', 'editor')}`, async () => {
    const fault: Fault = { kind: 'status', status: 409, code: 'in_progress', endpoint, times: 10 };
    await scene.controlPlane.admin.fault(fault);
    await run('activity.focus');
    agreeToCleanUp();
    const id = await cleanUp();
    await until('it is looked up', async () => (await sent()).length > 1);
    const row = await until('its row', () => rowOf('activity', `activity ${String(id)}`));
    await run('stopWatching', row);
    const said = await notification(uiPattern('You stopped it before a response arrived.'));
    assert.include(said, 'old-api');
    assert.deepEqual(offeredButtons(), [uiText('Send Again…'), uiText("Don't Send")]);
  });
});

/** test/unit/actions/cleanUp.watch.test.ts tests what each answer means. */
describe('an accepted clean-up', () => {
  const { scene, cleanUp, sent } = setCleanUpScene(60);

  it(`says so if its polls are refused ${covers('F46, F47', 'editor')}`, async () => {
    const fault: Fault = { kind: 'status', status: 403, endpoint: 'get_operation' };
    await scene.controlPlane.admin.fault(fault);
    agreeToCleanUp();
    await cleanUp();
    await notification(uiPattern('accepted, watching failed'));
    assert.lengthOf(await sent(), 1);
  });

  it(`is not polled if the setting has no path, which is not an error ${covers('F46', 'editor')}`, async () => {
    await scene.set('api.operationPath', '');
    agreeToCleanUp();
    await cleanUp();
    await notification(
      uiPattern(
        'accepted with the operation ID {0}. Its progress cannot be watched.',
        /[0-9a-f-]{36}/,
      ),
    );
    assert.isEmpty(await errorMessages());
  });
});
