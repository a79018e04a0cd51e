import type * as vscode from 'vscode';
import { knownNames } from '../workspace/knownNames';
import type { Names } from '../workspace/names';
import type { WorkspaceData } from './workspaceData';

/** Lets queries name what the trees show, such as `server:eu-1`. */
export function registerQueryNames(data: WorkspaceData, names: Names): vscode.Disposable {
  const learn = (): void => {
    for (const { kind, id, name } of knownNames(data.context)) names.learn(kind, id, name);
  };
  learn();
  return data.onDidChange(learn);
}
