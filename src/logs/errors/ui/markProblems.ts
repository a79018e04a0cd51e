import * as vscode from 'vscode';
import type { LineMark } from '../lineMarks';
import { type MarkTexts, problemText } from '../markText';
import { rangeOf } from './markDecorations';

/** Shows marks as warnings in the view Problems. */
export interface MarkProblems {
  /** The documents with problems. */
  readonly documents: readonly vscode.TextDocument[];
  show(document: vscode.TextDocument, marks: readonly LineMark[]): void;
  /** Removes all. */
  clear(): void;
  dispose(): void;
}

/** The source of the warnings: the name of this extension, which is not translated. */
const source = 'Control Plane';
/** The most kinds of errors of a line. */
const mostKinds = 5;

export function createMarkProblems(texts: MarkTexts): MarkProblems {
  /** Made when there is a first problem. */
  let collection: vscode.DiagnosticCollection | undefined;
  const documents = new Set<vscode.TextDocument>();

  function remove(document: vscode.TextDocument): void {
    if (documents.delete(document)) collection?.delete(document.uri);
  }

  const subscription = vscode.workspace.onDidCloseTextDocument(remove);
  return {
    get documents() {
      return [...documents];
    },
    show(document, marks) {
      if (marks.length === 0) {
        remove(document);
        return;
      }
      collection ??= vscode.languages.createDiagnosticCollection(source);
      documents.add(document);
      collection.set(
        document.uri,
        marks.flatMap((mark) => problemsOf(document, mark, texts)),
      );
    },
    clear() {
      documents.clear();
      collection?.clear();
    },
    dispose() {
      subscription.dispose();
      collection?.dispose();
    },
  };
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
