import * as vscode from 'vscode';
import { environmentFile, type TestEnvironment } from './testEnvironment';

/** Reads what the runner on this machine wrote for this run. */
export async function testEnvironment(): Promise<TestEnvironment> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('The tests need a workspace folder.');
  const bytes = await vscode.workspace.fs.readFile(
    vscode.Uri.joinPath(folder.uri, environmentFile),
  );
  // Written by test/host/editorTests.ts, with this type.
  return JSON.parse(new TextDecoder().decode(bytes)) as TestEnvironment;
}
