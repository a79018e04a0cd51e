import { assert } from 'chai';
import * as vscode from 'vscode';
import { covers } from '../../unit/covers';
import { testEnvironment } from '../environment';
import { recordsOf, setScene, shown } from '../scene';
import { channelDocument, inChannel } from '../wait';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A time as the channel shows it in UTC. */
function utc(timestamp: string): string {
  return timestamp.replace('T', ' ').slice(0, 23);
}

describe('the channel of logs', () => {
  const scene = setScene();

  beforeEach(async () => {
    await scene.connect();
    await scene.follow();
    await scene.tailIs('live');
  });

  it(`shows hostile bodies as text ${covers('F54, F55, F59', 'editor')}`, async () => {
    const bodies = [
      '\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007',
      '\u009b2J\u001b]52;c;aGk=\u0007 cleared',
      'left \u202eright\u202c \u2066isolated\u2069',
      'zero\u200bwidth \u{e0041}tag \ufeffmark nul\u0000',
      'one\u2028two\u2029three\u0085four',
      'lone \ud800 surrogate',
      '[click](command:workbench.action.quit) <img src=x onerror=alert(1)> $(error)',
    ];
    await scene.emit(
      ...bodies,
      { body: 'proto', attributes: JSON.parse('{"__proto__":"x"}') as Record<string, string> },
      `deep ${'['.repeat(20_000)}`,
      { body: 'number', attributes: { big: '9007199254740993' } },
    );
    const lines = await shown(10);
    const texts = lines.map(({ text }) => text);
    assert.equal(texts[0], 'red \\u{1b}]8;;https://evil.example\\u{7}link\\u{1b}]8;;\\u{7}');
    assert.equal(texts[4], 'one\\u{2028}two\\u{2029}three\\u{85}four');
    assert.equal(texts[6], bodies[6]);
    const all = channelDocument('logs')?.getText() ?? '';
    // eslint-disable-next-line no-control-regex -- these must not occur
    assert.notMatch(all, /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069\ufeff\ud800]/);
    assert.isTrue(lines.every(({ more }) => more.length === 0));
    assert.isUndefined((Object.prototype as Record<string, unknown>)['x']);
  });

  it(`shortens a body of 10 MB, and shows what follows it ${covers('F40', 'editor')}`, async () => {
    await scene.emit('x'.repeat(10_000_000), 'next record');
    const [huge, last] = await shown(2);
    assert.match(huge!.text, /^x{16384} \[\+9983616\]$/);
    assert.equal(last!.text, 'next record');
    assert.isBelow(channelDocument('logs')!.getText().length, 40_000);
  });

  it('shows a stream that never pauses while records arrive', async () => {
    const { slowness } = await testEnvironment();
    const giveUp = Date.now() + 20_000 * slowness;
    const isShown = (): boolean => channelDocument('logs')?.getText().includes('tick 0') ?? false;
    for (let tick = 0; !isShown(); tick++) {
      assert.isBelow(Date.now(), giveUp, `nothing is shown after ${tick} records`);
      await scene.emit(`tick ${tick}`);
    }
  });

  it('shows the records of a stack trace as one entry, unless a setting says no', async () => {
    const trace = [
      'Traceback (most recent call last):',
      '  File "a.py", line 1, in f',
      'KeyError: 1',
    ];
    const [first = '', ...others] = trace;
    const other = { body: 'GET / 200', containerId: 'd'.repeat(64) };
    await scene.emit(first, other, ...others);
    const lines = await shown(2);
    assert.deepEqual(
      lines.map(({ text, more }) => [text, ...more]),
      [['GET / 200'], trace],
    );
    await scene.set('logs.joinLines', false);
    await shown(4);
    await scene.set('logs.joinLines', true);
    await inChannel('logs', (text) => recordsOf(text).length === 2 || undefined);
  });

  it('keeps the newest lines within maxLines', async () => {
    await scene.set('logs.maxLines', 1000);
    const bodies = Array.from({ length: 2500 }, (_, index) => `line ${index}`);
    await scene.emit(...bodies);
    // Lines are added before the oldest are removed.
    const text = await inChannel('logs', (all) =>
      all.endsWith(' line 2499\n') && all.split('\n').length <= 1001 ? all : undefined,
    );
    const kept = recordsOf(text).map((line) => line.text);
    assert.isAtLeast(kept.length, 400);
    assert.deepEqual(kept, bodies.slice(-kept.length));
    // And it continues from there.
    await scene.emit('the newest');
    await inChannel('logs', (all) => all.endsWith(' the newest\n') || undefined);
  });

  it('shows times in the configured time zone, also for existing lines', async () => {
    const [record] = await scene.emit({ body: 'now' });
    const [line] = await shown(1);
    assert.equal(line?.time, utc(record!.timestamp));
    assert.equal(channelDocument('logs')?.languageId, 'log');
    await scene.set('logs.timeZone', 'workspace');
    // The workspace of the embedded control plane is in Berlin.
    const there = new Date(record!.timestamp)
      .toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' })
      .slice(0, 16);
    const moved = await inChannel('logs', (text) => {
      const [first] = recordsOf(text);
      return first?.time === line?.time ? undefined : first;
    });
    assert.equal(moved.time.slice(0, 16), there);
    assert.equal(moved.time.slice(16), line!.time.slice(16));
    assert.equal(moved.text, 'now');
    await scene.set('logs.timeZone', 'utc');
    await inChannel('logs', (text) => {
      return recordsOf(text)[0]?.time === line?.time || undefined;
    });
  });

  it('shows trace and attributes if the settings say so', async () => {
    await scene.emit({
      body: 'paid',
      traceId: trace,
      attributes: { user: '42', 'free text': 'a "b"' },
    });
    assert.equal((await shown(1))[0]?.text, 'paid');
    await scene.set('logs.showAttributes', true);
    const text = await inChannel('logs', (all) => {
      const [first] = recordsOf(all);
      return first?.text === 'paid' ? undefined : first?.text;
    });
    assert.equal(text, `paid {trace:${trace} user=42 "free text"="a \\"b\\""}`);
  });

  it('does not take the focus from the text editor', async () => {
    const untitled = await vscode.workspace.openTextDocument({ content: 'mine' });
    await vscode.window.showTextDocument(untitled);
    await scene.follow('severity:error');
    await scene.emit('a line');
    await shown(1);
    assert.equal(vscode.window.activeTextEditor?.document, untitled);
    await vscode.commands.executeCommand('type', { text: 'still ' });
    assert.equal(untitled.getText(), 'still mine');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
