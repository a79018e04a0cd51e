import { assert } from 'chai';
import * as vscode from 'vscode';
import { logTexts } from '../../src/logs/follow/ui/channelDocuments';
import { createLogOutput } from '../../src/logs/follow/ui/logOutput';
import { channels } from '../../src/vscode/contributions';
import { inChannel, until } from './wait';

describe('A channel that is shown while it is written', () => {
  it('has every line, whole and once', async () => {
    const first = `${'first '.repeat(10)}\n`;
    const second = `${'second '.repeat(10)}\n`;
    // VS Code reads and writes the file of a channel at the same time, seldom at the wrong moment.
    for (let round = 0; round < 10; round++) {
      const output = createLogOutput(
        () => vscode.window.createOutputChannel(`Shown ${round}-${channels.logs}`, 'log'),
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
      await until('its document is closed', () => logTexts().length === 0);
    }
  });
});
