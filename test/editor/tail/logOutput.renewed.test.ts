import { assert } from 'chai';
import * as vscode from 'vscode';
import { ChannelDocuments } from '../../../src/logs/tail/ui/channelDocuments';
import { LogOutput } from '../../../src/logs/tail/ui/logOutput';
import { channels } from '../../../src/vscode/contributions';
import { covers } from '../../unit/covers';
import { inChannel, until } from '../wait';

describe('A channel that is replaced before its file is full', () => {
  let shown = '';
  let output: LogOutput;
  /** The most bytes that VS Code gets for the file of each channel. */
  const limit = 500_000;
  /** The bytes of each channel so far: in its file, also what was replaced. */
  const written: number[] = [];
  const name = `Renewed-${channels.logs}`;
  const shownIn = new ChannelDocuments(name);
  const documents = (): vscode.TextDocument[] => shownIn.all;

  before(() => {
    output = new LogOutput(
      name,
      () => {
        const channel = vscode.window.createOutputChannel(name, 'log');
        const at = written.push(0) - 1;
        const count = (text: string): void => void (written[at]! += Buffer.byteLength(text));
        return new Proxy(channel, {
          get(target, member) {
            const value: unknown = Reflect.get(target, member);
            if (typeof value !== 'function') return value;
            return (...args: unknown[]): unknown => {
              if (typeof args[0] === 'string') count(args[0]);
              return Reflect.apply(value, target, args);
            };
          },
        });
      },
      () => shown,
      limit,
    );
  });

  after(async () => {
    output.dispose();
    await until('its document is closed', () => documents().length === 0);
  });

  it(`shows everything, stays visible, and leaves no document open and no file over its bound ${covers('F40', 'editor')}`, async () => {
    output.append('first\n');
    output.show(true);
    output.flush();
    await inChannel('logs', (text) => text === 'first\n' || undefined);
    const others = new Set<string>();
    const watching = vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const { document } of editors) {
        const isOutput = document.uri.scheme === 'output';
        if (isOutput && !documents().includes(document)) others.add(document.uri.toString());
      }
    });
    for (let burst = 0; burst < 4; burst++) {
      for (let line = 0; line < 40; line++) {
        // The visible text has its own limit: here it is the newest line.
        shown = `${'x'.repeat(10_000)} ${burst} ${line}\n`;
        output.append(shown);
      }
      output.flush();
      await inChannel('logs', (text) => text.endsWith(` ${burst} 39\n`) || undefined);
    }
    assert.isAbove(written.length, 2);
    assert.isAtMost(Math.max(...written), limit);
    await until('one document is left', () => documents().length === 1);
    const inView = vscode.window.visibleTextEditors.map(({ document }) => document);
    assert.includeMembers(inView, documents());
    watching.dispose();
    assert.deepEqual([...others], [], 'no other channel became visible');
  });
});

describe('A channel that is cleared while it is hidden', () => {
  for (const [which, limit] of [
    ['of a new file', 1000],
    ['of the same file', 500_000],
  ] as const) {
    it(`shows what is written next when it is shown again, ${which}`, async () => {
      let shown = `${'old '.repeat(200)}\n`;
      const name = `Cleared-${channels.logs}`;
      const documents = new ChannelDocuments(name);
      const output = new LogOutput(
        name,
        () => vscode.window.createOutputChannel(name, 'log'),
        () => shown,
        limit,
      );
      const other = vscode.window.createOutputChannel('Other');
      try {
        output.append(shown);
        output.show(true);
        output.flush();
        await inChannel('logs', (text) => text === shown || undefined);
        // VS Code may not show this before the channel is hidden.
        output.append('late\n');
        output.flush();
        other.show(true);
        await until('the other channel is shown', () => !documents.isVisible);

        output.clear();
        shown = 'new\n';
        output.append(shown);
        output.flush();
        const start = performance.now();
        output.show(true);
        await inChannel('logs', (text) => text === shown || undefined);
        assert.isBelow(performance.now() - start, 5000, 'it waited for a text that is gone');
      } finally {
        output.dispose();
        other.dispose();
        await until('its document is closed', () => documents.all.length === 0);
      }
    });
  }
});
