import * as vscode from 'vscode';
import type { LineMark } from '../lineMarks';
import { lineText, type MarkTexts } from '../markText';

/** Shows marks in editors: at the end of the line, in the gutter and in the overview ruler. */
export interface MarkDecorations {
  show(editor: vscode.TextEditor, marks: readonly LineMark[]): void;
  /** Removes all. */
  clear(): void;
  dispose(): void;
}

export function createMarkDecorations(extensionUri: vscode.Uri, texts: MarkTexts): MarkDecorations {
  /** Made when there is a first mark. */
  let type: vscode.TextEditorDecorationType | undefined;

  function makeType(): vscode.TextEditorDecorationType {
    const icon = (name: string): vscode.ThemableDecorationRenderOptions => ({
      gutterIconPath: vscode.Uri.joinPath(extensionUri, 'media', name),
    });
    return vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      light: icon('error-mark-light.svg'),
      dark: icon('error-mark-dark.svg'),
      gutterIconSize: 'contain',
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.errorForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Right,
      // A line break at the end of the line leaves the mark where it is.
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
      after: {
        color: new vscode.ThemeColor('editorCodeLens.foreground'),
        margin: '0 0 0 2em',
      },
    });
  }

  return {
    show(editor, marks) {
      if (marks.length === 0 && type === undefined) return;
      type ??= makeType();
      editor.setDecorations(
        type,
        marks.map((mark) => ({
          range: rangeOf(editor.document, mark),
          renderOptions: { after: { contentText: lineText(mark, texts) } },
        })),
      );
    },
    clear() {
      type?.dispose();
      type = undefined;
    },
    dispose() {
      type?.dispose();
    },
  };
}

/** The text of the line of a mark, without its indentation. */
export function rangeOf(document: vscode.TextDocument, { line }: LineMark): vscode.Range {
  const { range, firstNonWhitespaceCharacterIndex } = document.lineAt(
    Math.min(line, document.lineCount) - 1,
  );
  return range.with(range.start.with(undefined, firstNonWhitespaceCharacterIndex));
}
