import type * as vscode from 'vscode';
import { knownNames } from '../../../inventory/knownNames';
import type { Names } from '../../../inventory/names';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';

/** Lets queries name what the trees show, such as `server:eu-1`. */
export function registerQueryNames(data: WorkspaceData, names: Names): vscode.Disposable {
  const learn = (): void => {
    for (const { kind, id, name } of knownNames(data.context)) names.learn(kind, id, name);
  };
  learn();
  return data.onDidChange(learn);
}
