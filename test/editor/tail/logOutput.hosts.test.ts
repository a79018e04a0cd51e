import { assert } from 'chai';
import * as vscode from 'vscode';
import { ChannelDocuments } from '../../../src/logs/tail/ui/channelDocuments';
import { LogOutput } from '../../../src/logs/tail/ui/logOutput';
import { channels } from '../../../src/vscode/contributions';
import { inChannel, until } from '../wait';

describe('A channel that is shown while it is written', () => {
  it('has every line, whole and once', async () => {
    const first = `${'first '.repeat(10)}\n`;
    const second = `${'second '.repeat(10)}\n`;
    // VS Code reads and writes the file of a channel at the same time, seldom at the wrong moment.
    for (let round = 0; round < 10; round++) {
      const name = `Shown ${round}-${channels.logs}`;
      const documents = new ChannelDocuments(name);
      const output = new LogOutput(
        name,
        () => vscode.window.createOutputChannel(name, 'log'),
        () => first + second,
      );
      output.append(first);
      output.flush();
      output.show(true);
      await inChannel('logs', (text) => text.includes('first') || undefined);
      output.append(second);
      output.flush();
      const end = second.trimEnd().slice(-10);
      const text = await inChannel('logs', (all) => (all.includes(end) ? all : undefined));
      assert.equal(text, first + second);
      output.dispose();
      await until('its document is closed', () => documents.all.length === 0);
    }
  });

  it('is replaced if VS Code lost the start of its file', async () => {
    const first = '2026-11-20 12:00:00.123 [info] [web-api] first\n';
    const second = '2026-11-20 12:00:00.456 [info] [web-api] second\n';
    const name = `Lost-${channels.logs}`;
    const documents = new ChannelDocuments(name);
    let opened = 0;
    const open = (): vscode.OutputChannel => {
      const channel = vscode.window.createOutputChannel(name, 'log');
      if (++opened > 1) return channel;
      return {
        ...channel,
        name: channel.name,
        // The end of the second line, as if the first one was lost.
        append: (text) =>
          text === first ? channel.append(text) : channel.replace(text.slice(first.length - 10)),
      };
    };
    const output = new LogOutput(name, open, () => first + second);
    output.append(first);
    output.flush();
    output.show(true);
    await inChannel('logs', (text) => text.includes('first') || undefined);
    output.append(second);
    output.flush();
    const whole = await inChannel('logs', (text) => (text.includes(second) ? text : undefined));
    assert.equal(whole, first + second);
    output.dispose();
    await until('its documents are closed', () => documents.all.length === 0);
  });
});
