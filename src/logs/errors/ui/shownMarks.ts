import * as vscode from 'vscode';
import type { LineMark } from '../lineMarks';
import { lineText, type MarkTexts, problemText } from '../markText';

/**
 * Shows marks in editors (at the end of the line, in the gutter and in the overview ruler), and as warnings in
 * the view Problems.
 */
interface ShownMarks {
  /** The documents with warnings, which stay while their file is open. */
  readonly withProblems: readonly vscode.TextDocument[];
  /** Shows the marks of a document instead of those before. @param asProblems whether also as warnings. */
  show(document: vscode.TextDocument, marks: readonly LineMark[], asProblems: boolean): void;
  /** Removes all. */
  clear(): void;
  dispose(): void;
}

/** The source of the warnings: the name of this extension, which is not translated. */
const source = 'Control Plane';
/** The most warnings of a line. */
const mostKinds = 5;

export function createShownMarks(extensionUri: vscode.Uri, texts: MarkTexts): ShownMarks {
  /** Made when there is a first mark. */
  let decoration: vscode.TextEditorDecorationType | undefined;
  let problems: vscode.DiagnosticCollection | undefined;
  const withProblems = new Set<vscode.TextDocument>();

  function decorate(editor: vscode.TextEditor, marks: readonly LineMark[]): void {
    if (marks.length === 0 && decoration === undefined) return;
    decoration ??= makeDecoration(extensionUri);
    editor.setDecorations(
      decoration,
      marks.map((mark) => ({
        range: rangeOf(editor.document, mark),
        renderOptions: { after: { contentText: lineText(mark, texts) } },
      })),
    );
  }

  function removeProblems(document: vscode.TextDocument): void {
    if (withProblems.delete(document)) problems?.delete(document.uri);
  }

  function clear(): void {
    decoration?.dispose();
    decoration = undefined;
    problems?.clear();
    withProblems.clear();
  }

  const subscription = vscode.workspace.onDidCloseTextDocument(removeProblems);
  return {
    get withProblems() {
      return [...withProblems];
    },
    show(document, marks, asProblems) {
      for (const editor of vscode.window.visibleTextEditors) {
        if (editor.document === document) decorate(editor, marks);
      }
      if (!asProblems || marks.length === 0) {
        removeProblems(document);
        return;
      }
      problems ??= vscode.languages.createDiagnosticCollection(source);
      withProblems.add(document);
      problems.set(
        document.uri,
        marks.flatMap((mark) => problemsOf(document, mark, texts)),
      );
    },
    clear,
    dispose() {
      clear();
      subscription.dispose();
      problems?.dispose();
    },
  };
}

function makeDecoration(extensionUri: vscode.Uri): vscode.TextEditorDecorationType {
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

function problemsOf(
  document: vscode.TextDocument,
  mark: LineMark,
  texts: MarkTexts,
): vscode.Diagnostic[] {
  const range = rangeOf(document, mark);
  return mark.kinds.slice(0, mostKinds).map((kind) => {
    const message = problemText(mark, kind, texts);
    const problem = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
    problem.source = source;
    return problem;
  });
}

/** The text of the line of a mark, without its indentation. */
export function rangeOf(document: vscode.TextDocument, { line }: LineMark): vscode.Range {
  const { range, firstNonWhitespaceCharacterIndex } = document.lineAt(
    Math.min(line, document.lineCount) - 1,
  );
  return range.with(range.start.with(undefined, firstNonWhitespaceCharacterIndex));
}
