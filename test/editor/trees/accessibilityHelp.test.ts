import { assert } from 'chai';
import * as vscode from 'vscode';
import texts from '../../../package.nls.json';
import { viewTitle } from '../../host/titles';

describe('Accessibility Help', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens a document about each view, with the texts of package.nls.json', async () => {
    await vscode.commands.executeCommand('controlPlane.accessibilityHelp');
    const document = vscode.window.activeTextEditor?.document;
    const text = document?.getText() ?? '';
    const titles = [...text.matchAll(/^# (.*)$/gm)].map(([, title]) => title);
    const views = ['errors', 'sources', 'servers', 'logs', 'activity', 'integrations'] as const;
    assert.deepEqual(titles, views.map(viewTitle));
    assert.include(text, texts['accessibilityHelp.logs'].split('\n')[0] ?? '');
    assert.notMatch(text, /keybinding|%/);
    assert.isFalse(document?.isDirty);
  });
});
