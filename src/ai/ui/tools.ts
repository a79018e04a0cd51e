import * as vscode from 'vscode';
import type { Activity } from '../../activity/activity';
import type { Names } from '../../data/knownNames';
import type { ConnectionData } from '../../data/ui/connectionData';
import type { SourceFiles } from '../../logs/record/ui/sourceFiles';
import type { Diagnostics } from '../../vscode/diagnostics';
import { aiEnabled, onDidChangeSettings } from '../../vscode/settings';
import { cleanUpOrphansTool, syncEnvironmentTool } from './actionTools';
import { listErrorsTool } from './errorTools';
import {
  listAlertRulesTool,
  listDeploymentsTool,
  listResourcesTool,
  listSecretKeysTool,
} from './listTools';
import { compareLogsTool, searchLogsTool, summariseLogsTool } from './logTools';
import { modelTool, type Tool } from './tool';

/** Registers the tools for language models while the setting allows it. */
export function registerTools(
  data: ConnectionData,
  names: Names,
  files: SourceFiles,
  activity: Activity,
  diagnostics: Diagnostics,
): vscode.Disposable {
  let registered: readonly vscode.Disposable[] = [];
  const end = (): void => {
    for (const one of registered) one.dispose();
    registered = [];
  };
  const register = <Input extends Record<string, unknown>>(tool: Tool<Input>): vscode.Disposable =>
    modelTool(data.session, diagnostics, tool);
  const registerAll = (): vscode.Disposable[] => [
    register(searchLogsTool(names)),
    register(summariseLogsTool(names)),
    register(compareLogsTool(names)),
    register(listResourcesTool(data)),
    register(listDeploymentsTool(data)),
    register(listAlertRulesTool(data)),
    register(listSecretKeysTool()),
    register(listErrorsTool(data, files)),
    register(syncEnvironmentTool(data, activity)),
    register(cleanUpOrphansTool(data, activity)),
  ];
  const follow = (): void => {
    if (!aiEnabled()) end();
    else if (registered.length === 0) registered = registerAll();
  };
  follow();
  return vscode.Disposable.from(onDidChangeSettings('ai', follow), { dispose: end });
}
