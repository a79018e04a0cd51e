import * as vscode from 'vscode';
import { aiEnabled, onDidChangeSettings } from '../../vscode/settings';
import { cleanUpOrphansTool, syncEnvironmentTool } from './actionTools';
import { listErrorsTool } from './errorTools';
import {
  listAlertRulesTool,
  listDeploymentsTool,
  listResourcesTool,
  listSecretKeysTool,
} from './listTools';
import { searchLogsTool, summariseLogsTool } from './logTools';
import { modelTool, type ToolServices } from './tool';

/** Registers the tools for language models while the setting allows it. */
export function registerTools(services: ToolServices): vscode.Disposable {
  let registered: readonly vscode.Disposable[] = [];
  const end = (): void => {
    for (const one of registered) one.dispose();
    registered = [];
  };
  const follow = (): void => {
    if (!aiEnabled()) end();
    else if (registered.length === 0) registered = registerAll(services);
  };
  follow();
  return vscode.Disposable.from(onDidChangeSettings('ai', follow), { dispose: end });
}

function registerAll(services: ToolServices): vscode.Disposable[] {
  return [
    modelTool(services, searchLogsTool(services)),
    modelTool(services, summariseLogsTool(services)),
    modelTool(services, listResourcesTool(services)),
    modelTool(services, listDeploymentsTool(services)),
    modelTool(services, listAlertRulesTool(services)),
    modelTool(services, listSecretKeysTool()),
    modelTool(services, listErrorsTool(services)),
    modelTool(services, syncEnvironmentTool(services)),
    modelTool(services, cleanUpOrphansTool(services)),
  ];
}
