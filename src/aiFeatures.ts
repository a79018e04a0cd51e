import * as vscode from 'vscode';
import type { ActionFeatures } from './actionFeatures';
import { letsModelsIn, onDidChangeSettings } from './platform/settings';
import { cleanUpOrphansTool } from './tools/cleanUpOrphans';
import { listAlertRulesTool } from './tools/listAlertRules';
import { listDeploymentsTool } from './tools/listDeployments';
import { listResourcesTool } from './tools/listResources';
import { listSecretKeysTool } from './tools/listSecretKeys';
import { searchLogsTool } from './tools/searchLogs';
import { summariseLogsTool } from './tools/summariseLogs';
import { syncEnvironmentTool } from './tools/syncEnvironment';
import { registerTool } from './tools/tool';
import type { LateServices, WorkspaceFeatures } from './workspaceFeatures';

/**
 * The list of what language models may call. The last part of the extension; nothing but
 * `extension.ts` may import it. Nothing is registered while a person has not switched it on.
 */
export function registerAiFeatures(
  { names, diagnostics }: LateServices,
  { data }: WorkspaceFeatures,
  { activity }: ActionFeatures,
): vscode.Disposable {
  const services = { data, names, activity, diagnostics };
  let registered: vscode.Disposable | undefined;

  function follow(): void {
    if (!letsModelsIn()) {
      registered?.dispose();
      registered = undefined;
      return;
    }
    registered ??= vscode.Disposable.from(
      registerTool(services, searchLogsTool(services)),
      registerTool(services, summariseLogsTool(services)),
      registerTool(services, listResourcesTool(services)),
      registerTool(services, listDeploymentsTool(services)),
      registerTool(services, listAlertRulesTool(services)),
      registerTool(services, listSecretKeysTool()),
      registerTool(services, syncEnvironmentTool(services)),
      registerTool(services, cleanUpOrphansTool(services)),
    );
  }

  follow();
  const subscription = onDidChangeSettings('ai', follow);
  return new vscode.Disposable(() => {
    subscription.dispose();
    registered?.dispose();
  });
}
