import * as vscode from 'vscode';

/** The parts of the hovers at a place of a document: of all of them, or of those that are ours. */
export async function hoversAt(
  uri: vscode.Uri,
  position: vscode.Position,
  isOurs: (parts: readonly vscode.MarkdownString[]) => boolean = () => true,
): Promise<vscode.MarkdownString[]> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    uri,
    position,
  );
  return hovers
    .map(({ contents }) => contents.filter((content) => content instanceof vscode.MarkdownString))
    .filter(isOurs)
    .flat();
}

/** Markdown without its escapes and other spaces. */
export function asText(...parts: readonly vscode.MarkdownString[]): string {
  return parts.map(({ value }) => value.replaceAll('&nbsp;', ' ').replaceAll('\\', '')).join('\n');
}
