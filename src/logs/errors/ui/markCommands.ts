import * as vscode from 'vscode';
import { commands } from '../../../vscode/contributions';
import { announce } from '../../../vscode/notifications';
import { codeErrors } from '../../../vscode/settings';
import { neighborOf } from '../lineMarks';
import { type MarkTexts, positionText } from '../markText';
import type { Errors } from './errors';
import { rangeOf } from './markDecorations';
import type { MarkedFiles } from './markedFiles';

const { t } = vscode.l10n;

/** The commands that go from one marked line of the active editor to the next. They return whether they did. */
export function registerMarkCommands(
  errors: Pick<Errors, 'state'>,
  files: MarkedFiles,
  texts: MarkTexts,
): vscode.Disposable {
  async function go(direction: 'next' | 'previous'): Promise<boolean> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) return false;
    if (codeErrors() === 'off') {
      announce(
        t('Errors are not shown in code: the setting controlPlane.code.errors is off.'),
        'info',
      );
      return false;
    }
    const marks = await files.marksOf(editor.document);
    const mark = neighborOf(marks, editor.selection.active.line + 1, direction);
    if (mark === undefined) {
      const isKnown = errors.state.at !== undefined;
      announce(
        isKnown
          ? t('No recent errors from logs point at this file.')
          : t('Errors from logs are not loaded yet. The view Errors shows why.'),
        'info',
      );
      return false;
    }
    const { start } = rangeOf(editor.document, mark);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    announce(positionText(mark, marks, texts), 'warning');
    return true;
  }

  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.nextError, () => go('next')),
    vscode.commands.registerCommand(commands.previousError, () => go('previous')),
  );
}
