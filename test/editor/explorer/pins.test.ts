import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiText } from '../../host/texts';
import { nextBox, type } from '../boxes';
import { asText, hoversAt } from '../hovers';
import { notification } from '../person';
import { setScene, shown } from '../scene';
import { channelDocument, run, until } from '../wait';

describe('pins in the log channel', () => {
  const scene = setScene();

  it('are gone through by a command, from line to line', async () => {
    await scene.connect();
    await scene.follow({ services: ['pins'] });
    await scene.tailIs('live');
    const at = (seconds: number) => ({
      service: 'pins',
      containerId: 'ab'.repeat(32),
      timestamp: new Date(Date.now() + seconds * 1000).toISOString(),
    });
    const [{ eventId } = assert.fail()] = await scene.emit(
      { ...at(-3), body: 'the first one' },
      { ...at(-2), body: 'in between' },
      { ...at(-1), body: 'the second one' },
    );
    await shown(1, 'the second one');
    const document = channelDocument('logs') ?? assert.fail('It is not shown.');
    const editor = await vscode.window.showTextDocument(document);
    const lineOf = (body: string): number =>
      document.positionAt(document.getText().lastIndexOf(body)).line;
    for (const body of ['the second one', 'the first one']) {
      await vscode.commands.executeCommand('controlPlane.togglePin', { line: lineOf(body) });
    }
    const hover = async (): Promise<string> => {
      const [first] = await hoversAt(document.uri, new vscode.Position(lineOf('the first one'), 0));
      return asText(first!);
    };
    assert.equal(await hover(), uiText('Pinned'));
    const noting = run('editPinNote', { id: `pin ${'ab'.repeat(32)} ${eventId}` });
    await type(await nextBox(), 'it *began*');
    await noting;
    assert.equal(await hover(), uiText('Pinned: {0}', 'it *began*'));
    await run('togglePin', { id: 'pin gone' });
    await notification(new RegExp(uiText('This record is no longer pinned.')));
    for (const body of ['the second one', 'the first one', 'the second one']) {
      await vscode.commands.executeCommand('controlPlane.goToNextPin');
      await until(`the cursor is at ${body}`, () => editor.selection.active.line === lineOf(body));
    }
  });
});
