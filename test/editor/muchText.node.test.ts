import { assert } from 'chai';
import * as vscode from 'vscode';
import { createBoundedOutput } from '../../src/views/boundedOutput';
import { logTexts, type TextOutput } from '../../src/views/textOutput';
import { startControlPlane } from './controlPlane';
import { setScene } from './scene';
import { inChannel, until } from './wait';

/** Records with 64 KB each in 16 lines, of which the channel shows the newest 1000. */
const body = Array(16).fill('x'.repeat(4000)).join('\n');

/** VS Code begins the file behind a channel again after 30 MiB, and then reads it at wrong places. */
describe('more text than VS Code keeps of a channel', () => {
  const scene = setScene();

  const isShown = (end: string): Promise<string> =>
    inChannel('Control Plane Logs', (text) => (text.includes(end) ? text : undefined));

  beforeEach(async () => {
    await scene.set('logs.maxLines', 1000);
    await scene.connect();
  });

  it('is shown to its end, and what comes after clearing too (F40)', async () => {
    await scene.follow();
    await scene.tailIs('live');
    // 16 MB come, and with what is written again where the oldest lines go, 30 MB are written.
    for (let part = 0; part < 5; part++) {
      await scene.emit(...Array<string>(50).fill(body), `end of part ${part}`);
      await isShown(`end of part ${part}`);
    }
    const other = await startControlPlane({ live: false, historyRecords: 0 });
    try {
      const apiKey = other.keys['demo-full'] ?? '';
      const argument = { name: 'other', baseUrl: other.url, apiKey };
      await vscode.commands.executeCommand('controlPlane.connect', argument);
      await scene.follow();
      await scene.tailIs('live');
      await other.admin.emit([{ body: 'first of the other' }]);
      assert.notInclude(await isShown('first of the other'), 'end of part');
    } finally {
      await vscode.commands.executeCommand('controlPlane.signOut');
      await other.close();
    }
  }).timeout(60_000);
});

describe('the channel that is renewed before its file is full', () => {
  let shown = '';
  let output: TextOutput;

  before(() => {
    output = createBoundedOutput(
      () => vscode.window.createOutputChannel('Renewed-Control Plane Logs', 'log'),
      () => shown,
      500_000,
    );
  });

  after(async () => {
    output.dispose();
    await until('its document is closed', () => Promise.resolve(logTexts().length === 0));
  });

  it('shows all, stays in view and leaves nothing behind, whatever comes at once', async () => {
    shown = 'first\n';
    output.append(shown);
    output.show(true);
    for (let burst = 0; burst < 5; burst++) {
      for (let line = 0; line < 40; line++) {
        const text = `${'x'.repeat(50_000)} ${burst} ${line}\n`;
        // What is shown has a bound of its own: here it is the newest line.
        shown = text;
        output.append(text);
      }
      await inChannel('Control Plane Logs', (text) => text.endsWith(` ${burst} 39\n`) || undefined);
    }
    await until('one document is left', () => Promise.resolve(logTexts().length === 1));
    const [editor] = vscode.window.visibleTextEditors;
    assert.deepEqual(editor?.document, logTexts()[0]);
    assert.equal(editor?.document.getText().split('\n').at(-2), shown.trimEnd());
  });
});
