import * as vscode from 'vscode';
import { isOtherCode, statementLanguages } from '../languages';
import { findStatements, type LogStatement } from '../findStatements';

/** Documents whose logging calls are found. `isCode` excludes some of them. */
export const statementDocuments: vscode.DocumentSelector = statementLanguages.map((language) => ({
  language,
}));

/** Whether a document is code of the workspace: no old version of a file, and no dependency. */
export function isCode({ uri, languageId }: vscode.TextDocument): boolean {
  return (
    statementLanguages.includes(languageId) &&
    vscode.workspace.getWorkspaceFolder(uri) !== undefined &&
    !isOtherCode(vscode.workspace.asRelativePath(uri, false))
  );
}

interface Found {
  readonly version: number;
  readonly statements: readonly LogStatement[];
}

/** The statements of open documents, found once for each version. */
const found = new WeakMap<vscode.TextDocument, Found>();

/** The logging calls in a document, in order, without calls such as `print`, which seldom write logs. */
export function statementsIn(document: vscode.TextDocument): readonly LogStatement[] {
  const known = found.get(document);
  if (known?.version === document.version) return known.statements;
  const statements = isCode(document)
    ? findStatements(document.getText(), document.languageId)
    : [];
  found.set(document, { version: document.version, statements });
  return statements;
}

/** The innermost logging call at a position. */
export function statementAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): LogStatement | undefined {
  const offset = document.offsetAt(position);
  return statementsIn(document)
    .filter(({ start, end }) => start <= offset && offset <= end)
    .at(-1);
}
