import * as vscode from 'vscode';

/**
 * What the runner on this machine tells the tests inside the editor. It stands as JSON in the
 * workspace folder, since that reaches both hosts: a web worker has no environment variables.
 */
export interface TestEnvironment {
  /** Which extension host the tests run in. */
  host: 'node' | 'web';
  /** Mocha's filter by title; empty: all tests. */
  grep: string;
  /** The embedded control plane: its address without a path, and its API keys by name. */
  controlPlane: { url: string; keys: Readonly<Record<string, string>> };
}

/** The name of the file in the workspace folder. */
export const environmentFile = '.test-environment.json';

/** Reads what the runner wrote for this run. */
export async function testEnvironment(): Promise<TestEnvironment> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('The tests need a workspace folder.');
  const bytes = await vscode.workspace.fs.readFile(
    vscode.Uri.joinPath(folder.uri, environmentFile),
  );
  // Written by test/host/editorTests.ts, with this type.
  return JSON.parse(new TextDecoder().decode(bytes)) as TestEnvironment;
}
