import * as vscode from 'vscode';

/** The text of a file; undefined if it cannot be read or is larger. */
export async function readTextFile(uri: vscode.Uri, maxBytes: number): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytes) return undefined;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}
