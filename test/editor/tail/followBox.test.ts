import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiText } from '../../host/texts';
import { enter, escape, nextPick } from '../boxes';
import { followedLogs } from '../person';
import { setScene, shown } from '../scene';
import { run, until } from '../wait';

describe('The box of Follow Logs', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());
  afterEach(escape);

  const open = async () => {
    const followed = run<boolean>('followLogs');
    const pick = await nextPick();
    await until('the box has loaded', () => !pick.busy);
    return { pick, followed };
  };
  type Pick = Awaited<ReturnType<typeof open>>['pick'];
  /** Types, and waits until the window shows the items for it. */
  const write = async (pick: Pick, value: string): Promise<void> => {
    pick.value = value;
    await until(`the box has items for ${value}`, () => pick.items[0]?.label === value.trim());
    // Items are sent by a timer that was set before this one, and the window answers in order.
    await new Promise((resolve) => setTimeout(resolve, 5));
    await vscode.commands.executeCommand('setContext', 'controlPlane.followList', true);
  };
  const labels = (pick: Pick): string[] => pick.items.map(({ label }) => label);
  const isActive = (pick: Pick, label: string): Promise<unknown> =>
    until(`${label} is active`, () => pick.activeItems[0]?.label === label);

  it('completes fields and values with Enter, and then follows the query', async () => {
    const { pick, followed } = await open();
    await write(pick, 'sever');
    assert.deepEqual(labels(pick).slice(0, 2), ['sever', 'severity']);
    await isActive(pick, 'sever');
    await vscode.commands.executeCommand('quickInput.next');
    await isActive(pick, 'severity');
    await enter();
    await until('the field is completed', () => pick.value === 'severity:');
    await write(pick, 'severity:err');
    await isActive(pick, 'error');
    await enter();
    await isActive(pick, 'severity:error');
    assert.isEmpty(await followedLogs(), 'a completion does not follow');
    await enter();
    assert.isTrue(await followed);
    assert.equal((await followedLogs())[0]?.label, 'severity:error');
  });

  it('accepts Enter if several changes of the text reach it at once', async () => {
    const { createQuickPick } = vscode.window;
    const change = new vscode.EventEmitter<string>();
    const create = () => Object.assign(createQuickPick(), { onDidChangeValue: change.event });
    Object.assign(vscode.window, { createQuickPick: create });
    const { pick, followed } = await open();
    for (const value of ['stream:', 'stream:stdout']) {
      pick.value = value;
      change.fire(value);
    }
    await isActive(pick, 'stream:stdout');
    await enter();
    assert.isTrue(await followed);
  });

  it('opens even if the title of the view passes the focused row', async () => {
    const row = { id: 'searches saved', children: () => [], item: () => ({}) };
    const followed = run<boolean>('followLogs', row);
    await nextPick();
    await escape();
    assert.isFalse(await followed);
  });

  it('offers values from the logs, as text', async () => {
    await scene.emit({
      attributes: { tenant: 'acme $(error) [x](command:y)' },
      service: 'checkout',
    });
    await scene.follow();
    await shown(1);
    const { pick } = await open();
    await write(pick, 'service:che');
    assert.include(labels(pick), 'checkout');
    await write(pick, 'attr.tenant=');
    assert.include(labels(pick), 'acme \\$(error) [x](command:y)');
    await isActive(pick, 'acme \\$(error) [x](command:y)');
    await enter();
    const whole = 'attr.tenant="acme $(error) [x](command:y)"';
    await until('the value is completed', () => pick.value === whole);
  });

  it('offers the names of servers and workloads', async () => {
    const id = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
    await scene.set('servers', [{ id, label: 'eu-1' }]);
    await scene.emit({ workloadName: 'storefront' });
    const { pick } = await open();
    await write(pick, 'workload:store');
    assert.include(labels(pick), 'storefront');
    await write(pick, 'server:');
    assert.deepInclude(
      pick.items.map(({ label, description }) => [label, description]),
      ['eu-1', id],
    );
  });

  it('follows only the errors of a choice if the toggle is on, where the editor has toggles', async function () {
    if (Number(vscode.version.split('.')[1]) < 109) this.skip();
    const { createQuickPick } = vscode.window;
    const press = new vscode.EventEmitter<vscode.QuickInputButton>();
    const create = () => Object.assign(createQuickPick(), { onDidTriggerButton: press.event });
    Object.assign(vscode.window, { createQuickPick: create });
    const { pick, followed } = await open();
    const [button] = pick.buttons;
    assert(button);
    // VS Code changes the button and then reports it.
    Object.assign(button, { toggle: { checked: true } });
    press.fire(button);
    assert.isString((pick as { prompt?: unknown }).prompt);
    await write(pick, 'stream:stderr');
    await isActive(pick, 'stream:stderr');
    await enter();
    assert.isTrue(await followed);
    const [first] = await followedLogs();
    assert.equal(first?.label, uiText('errors of {0}', 'stream:stderr'));
  });

  it('starts with the last followed queries of this connection', async () => {
    const first = await open();
    assert.equal(labels(first.pick)[0], uiText('$(broadcast) Everything'));
    await write(first.pick, 'stream:stderr');
    await isActive(first.pick, 'stream:stderr');
    await enter();
    assert.isTrue(await first.followed);

    const second = await open();
    assert.deepEqual(labels(second.pick).slice(0, 2), [uiText('Recent'), 'stream:stderr']);
    await isActive(second.pick, 'stream:stderr');
    await enter();
    assert.isTrue(await second.followed);
    assert.lengthOf(await followedLogs(), 1);

    await scene.connect('demo-full', scene.newName());
    const third = await open();
    assert.notInclude(labels(third.pick), 'stream:stderr');
  });
});
