import * as vscode from 'vscode';
import { environmentFile, type TestEnvironment } from './testEnvironment';

let environment: Promise<TestEnvironment> | undefined;

/** Written by the runner of this machine for this run. */
export function testEnvironment(): Promise<TestEnvironment> {
  return (environment ??= read());
}

async function read(): Promise<TestEnvironment> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('The tests need a workspace folder.');
  const bytes = await vscode.workspace.fs.readFile(
    vscode.Uri.joinPath(folder.uri, environmentFile),
  );
  // Written by test/host/editorTests.ts and test/host/launcher.ts, with this type.
  return JSON.parse(new TextDecoder().decode(bytes)) as TestEnvironment;
}
