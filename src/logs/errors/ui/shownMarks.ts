import * as vscode from 'vscode';
import type { LineMark } from '../lineMarks';
import { lineText, type MarkTexts, problemText } from '../markText';

/** The source of the warnings: the name of this extension, which is not translated. */
const source = 'Control Plane';
/** The most warnings of a line. */
const mostKinds = 5;

/**
 * Shows marks in editors (at the end of the line, in the gutter and in the overview ruler), and as warnings in
 * the view Problems.
 */
export class ShownMarks {
  /** Made when there is a first mark. */
  private decoration: vscode.TextEditorDecorationType | undefined;
  private problems: vscode.DiagnosticCollection | undefined;
  private readonly warned = new Set<vscode.TextDocument>();
  private readonly subscription = vscode.workspace.onDidCloseTextDocument((document) =>
    this.removeProblems(document),
  );

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly texts: MarkTexts,
  ) {}

  /** Removes all. */
  clear(): void {
    this.decoration?.dispose();
    this.decoration = undefined;
    this.problems?.clear();
    this.warned.clear();
  }

  /** The documents with warnings, which stay while their file is open. */
  get withProblems(): readonly vscode.TextDocument[] {
    return [...this.warned];
  }

  /** Shows the marks of a document instead of those before. @param asProblems whether also as warnings. */
  show(document: vscode.TextDocument, marks: readonly LineMark[], asProblems: boolean): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document) this.decorate(editor, marks);
    }
    if (!asProblems || marks.length === 0) {
      this.removeProblems(document);
      return;
    }
    this.problems ??= vscode.languages.createDiagnosticCollection(source);
    this.warned.add(document);
    this.problems.set(
      document.uri,
      marks.flatMap((mark) => problemsOf(document, mark, this.texts)),
    );
  }

  dispose(): void {
    this.clear();
    this.subscription.dispose();
    this.problems?.dispose();
  }

  private decorate(editor: vscode.TextEditor, marks: readonly LineMark[]): void {
    if (marks.length === 0 && this.decoration === undefined) return;
    this.decoration ??= makeDecoration(this.extensionUri);
    editor.setDecorations(
      this.decoration,
      marks.map((mark) => ({
        range: rangeOf(editor.document, mark),
        renderOptions: { after: { contentText: lineText(mark, this.texts) } },
      })),
    );
  }

  private removeProblems(document: vscode.TextDocument): void {
    if (this.warned.delete(document)) this.problems?.delete(document.uri);
  }
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
