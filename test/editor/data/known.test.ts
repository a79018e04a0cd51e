import { assert } from 'chai';
import * as vscode from 'vscode';
import { sequence, uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { enter, escape, nextBox, nextPick, tick, type } from '../boxes';
import { answerPick, clickInMessage, errorMessages, shownMessages, notification } from '../person';
import { rowOf } from '../rows';
import { setScene, setTo } from '../scene';
import { run, until } from '../wait';

const id = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
const other = '1b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a02';

function messageOf({ validationMessage }: vscode.InputBox): string {
  return typeof validationMessage === 'string' ? validationMessage : '';
}

describe('the lists of sources and servers', () => {
  const scene = setScene();

  it('accept an id and a label as an argument', async () => {
    assert.isTrue(await run('addSource', { id: id.toUpperCase(), label: 'shop' }));
    assert.isTrue(await run('addServer', { id: other }));
    assert.deepEqual(setTo('sources'), [{ id, label: 'shop', labelledBy: 'program' }]);
    assert.deepEqual(setTo('servers'), [{ id: other }]);
    assert.isEmpty(await errorMessages());
  });

  it(`keep the label of the user, of the folder, or none, whatever an argument says ${covers('F109', 'editor')}`, async () => {
    const own = [{ id, label: 'production eu-1' }, { id: other }];
    await scene.set('servers', own);
    assert.isTrue(await run('addServer', { id: id.toUpperCase(), label: 'ci scratch' }));
    assert.isTrue(await run('addServer', { id: other, label: 'ci scratch' }));
    assert.deepEqual(setTo('servers'), own);
    assert.isEmpty(await errorMessages());
  });

  it(`reject invalid ids, and say what is wrong ${covers('F41', 'editor')}`, async () => {
    for (const [argument, problem] of [
      [
        { id: 'shop' },
        uiPattern('Not sent: {0} {1} (allowed: {2}).', 'id', uiText('is not a UUID')),
      ],
      [{ id, label: 7 }, uiPattern('The label must be a string.')],
      ['shop', uiPattern('The ID must be a string.')],
    ] as const) {
      assert.isFalse(await run('addSource', argument));
      assert.match(await notification(problem), uiPattern('Could not add the source.'));
    }
    assert.isUndefined(setTo('sources'));
  });

  it('ask for an id and a label, and say at once what is wrong', async () => {
    const known = scene.controlPlane.world.servers[0]?.id ?? '';
    await scene.connect();
    await vscode.commands.executeCommand('controlPlane.servers.focus');
    await scene.set('servers', [{ id: known }]);
    // The title of a view passes the focused row.
    const row = await until('a row', () => rowOf('servers', `server ${known}`));
    const adding = run('addServer', row);
    const first = await nextBox();
    await type(first, 'shop');
    await until('the id is refused', () =>
      uiPattern('Enter a UUID, such as {0}.').test(messageOf(first)),
    );
    await type(first, ` ${id.toUpperCase()} `);
    await type(await nextBox(), 'fra-1');
    assert.isTrue(await adding);
    assert.deepEqual(setTo('servers'), [{ id: known }, { id, label: 'fra-1' }]);

    const again = run('addServer');
    const box = await nextBox();
    await type(box, id);
    await until(
      'it is known',
      () => box.validationMessage === uiText('Already in the list: {0}.', 'fra-1'),
    );
    await escape();
    assert.isFalse(await again);
  });

  it('rename an entry, and an empty name restores that of the API', async () => {
    await scene.set('sources', [{ id, label: 'shop' }, { id: other }]);
    const rename = async (name: string, shows: string): Promise<void> => {
      answerPick((items) => items.find(({ description }) => description === id.slice(0, 8)));
      const renaming = run('rename');
      const box = await nextBox();
      assert.equal(box.value, shows);
      await type(box, name);
      await renaming;
    };
    await rename('store', 'shop');
    assert.deepEqual(setTo('sources'), [{ id, label: 'store' }, { id: other }]);
    await rename('', 'store');
    assert.deepEqual(setTo('sources'), [{ id }, { id: other }]);
  });

  it('remove an entry without asking, and can undo it at its place', async () => {
    const list = [{ id, label: 'shop' }, { id: other }];
    const removed = uiPattern(
      'Removed {0} from the list. The control plane is not changed.',
      'shop',
    );
    await scene.set('sources', list);
    answerPick((items) => items.find(({ label }) => label === 'shop'));
    void run('remove');
    await notification(removed);
    assert.deepEqual(setTo('sources'), [{ id: other }]);

    await scene.set('sources', list);
    clickInMessage(removed, 'Undo');
    answerPick((items) => items.find(({ label }) => label === 'shop'));
    await run('remove');
    assert.deepEqual(setTo('sources'), list);
    assert.isEmpty(await errorMessages());
  });
});

describe('discovery', () => {
  // Few enough to read all of them. The content depends only on the seed.
  const scene = setScene({ historyRecords: 300 });

  it('offers what it found, ticked and with its origin, and saves what stays ticked', async () => {
    await scene.connect();
    const discovering = run('discover');
    const pick = await nextPick();
    const names = pick.items.map(({ label }) => label);
    assert.include(names, uiText('Sources'));
    assert.include(names, uiText('Servers'));
    const things = pick.items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
    assert.isAbove(things.length, 3);
    const origins = [
      uiText('recent logs'),
      uiText('alert rules'),
      uiText('apps and jobs'),
      uiText('deployments'),
    ].map((origin) => uiText('found by {0}', origin));
    for (const { detail, description } of things) {
      assert.isTrue(
        origins.some((origin) => detail?.startsWith(origin)),
        detail,
      );
      assert.match(description ?? '', /^[0-9a-f]{8}$/);
    }
    assert.sameMembers([...pick.selectedItems], things, 'everything is ticked');
    const left = things[0];
    await tick(pick, things.slice(1));
    await enter();
    await discovering;
    const ids = [setTo('sources'), setTo('servers')]
      .flat()
      .map((one) => (one as { id: string }).id);
    assert.lengthOf(ids, things.length - 1);
    assert.isFalse(ids.some((one) => one.startsWith(left?.description ?? '?')));

    const again = run('discover');
    const rest = await nextPick();
    assert.deepEqual(
      rest.items.slice(1).map(({ label }) => label),
      [left?.label],
      'what is known is left out',
    );
    await escape();
    await again;
    assert.lengthOf([setTo('sources'), setTo('servers')].flat(), ids.length);
    assert.isEmpty(await errorMessages());
  });

  it('says where the lists are saved, and saves nothing if it is dismissed', async () => {
    await scene.connect();
    const discovering = run('discover');
    const pick = await nextPick();
    assert.equal(pick.title, uiText('Discover: Add to User Settings'));
    assert.lengthOf(pick.buttons, 1);
    await escape();
    await discovering;
    assert.isUndefined(setTo('sources'));
  });

  it('names the missing permissions for what it could not search', async () => {
    await scene.connect('demo-logs');
    const discovering = run('discover');
    const pick = await nextPick();
    assert.equal(
      pick.placeholder,
      uiText('Not everything was checked. Missing: {0}', 'alert.read, resource.read'),
    );
    await enter();
    const message = await notification(uiPattern('Added: {0}', uiPattern('{0} servers', /\d+/)));
    assert.include(
      message,
      uiText('{0} is missing. Not checked: {1}.', 'alert.read', uiText('alert rules')),
    );
    void discovering;
  });

  it('says what to do if it finds nothing', async () => {
    await scene.connect('demo-none');
    void run('discover');
    const message = await notification(uiPattern('No sources or servers found.'));
    assert.include(
      message,
      uiText('{0} is missing. Not checked: {1}.', 'logs.read', uiText('recent logs')),
    );
  });

  it('runs by itself only after the first connect, and shows one message, once', async () => {
    await scene.connect();
    const count = sequence(uiPattern('{0} sources', /\d+/), ', ', uiPattern('{0} servers', /\d+/));
    clickInMessage(uiPattern('Found: {0}.', count), 'Show All');
    await run('discover', { firstConnect: true });
    assert.isNotEmpty(setTo('sources'));
    assert.isNotEmpty(setTo('servers'));
    assert.lengthOf(await shownMessages(), 1);

    await scene.set('sources', undefined);
    await scene.set('servers', undefined);
    await run('discover', { firstConnect: true });
    // Not by requests: the views that are visible now have their own.
    assert.lengthOf(await shownMessages(), 1, 'not again for this connection');
    assert.isUndefined(setTo('sources'));
    assert.isUndefined(setTo('servers'));
  });

  it('does not run by itself if something is known, or after connecting by an argument', async () => {
    await scene.connect();
    assert.deepEqual(
      (await scene.requests()).map(({ url }) => url),
      ['/v1/api/logs/query'],
    );
    await scene.set('servers', [{ id }]);
    const before = await scene.requests('/logs/query');
    await run('discover', { firstConnect: true });
    assert.lengthOf(await scene.requests('/logs/query'), before.length);
    assert.isEmpty(await shownMessages());
  });
});
