import type { ActionFeatures } from './actionFeatures';
import type { ToolName } from './vscode/contributions';
import type { ModelTool } from './vscode/lateTools';
import { cleanUpOrphansTool } from './ai/ui/cleanUpOrphans';
import { listAlertRulesTool } from './ai/ui/listAlertRules';
import { listDeploymentsTool } from './ai/ui/listDeployments';
import { listResourcesTool } from './ai/ui/listResources';
import { listSecretKeysTool } from './ai/ui/listSecretKeys';
import { searchLogsTool } from './ai/ui/searchLogs';
import { summariseLogsTool } from './ai/ui/summariseLogs';
import { syncEnvironmentTool } from './ai/ui/syncEnvironment';
import { modelTool } from './ai/ui/tool';
import type { LateServices, WorkspaceFeatures } from './workspaceFeatures';

/**
 * The list of what language models may call. The last part of the extension, loaded when the first tool
 * is called; nothing but `extension.ts` may import it.
 */
export function createTools(
  { names, diagnostics }: LateServices,
  { data }: WorkspaceFeatures,
  { activity }: ActionFeatures,
): ReadonlyMap<ToolName, ModelTool> {
  const services = { data, names, activity, diagnostics };
  return new Map([
    modelTool(services, searchLogsTool(services)),
    modelTool(services, summariseLogsTool(services)),
    modelTool(services, listResourcesTool(services)),
    modelTool(services, listDeploymentsTool(services)),
    modelTool(services, listAlertRulesTool(services)),
    modelTool(services, listSecretKeysTool()),
    modelTool(services, syncEnvironmentTool(services)),
    modelTool(services, cleanUpOrphansTool(services)),
  ]);
}
