import * as vscode from 'vscode';
import { environmentFile, type TestEnvironment } from './testEnvironment';

let environment: Promise<TestEnvironment> | undefined;

/** Written by the runner of this machine for this run. */
export function testEnvironment(): Promise<TestEnvironment> {
  return (environment ??= read());
}

/** A file of the workspace folder; without a path, the folder itself. */
export function inWorkspace(...path: readonly string[]): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('The tests need a workspace folder.');
  return vscode.Uri.joinPath(folder.uri, ...path);
}

async function read(): Promise<TestEnvironment> {
  const bytes = await vscode.workspace.fs.readFile(inWorkspace(environmentFile));
  // Written by test/host/editorTests.ts and test/host/launcher.ts, with this type.
  return JSON.parse(new TextDecoder().decode(bytes)) as TestEnvironment;
}
