import type { ActionFeatures } from './actionFeatures';
import type { ToolName } from './platform/contributions';
import type { ModelTool } from './platform/lateTools';
import { cleanUpOrphansTool } from './tools/cleanUpOrphans';
import { listAlertRulesTool } from './tools/listAlertRules';
import { listDeploymentsTool } from './tools/listDeployments';
import { listResourcesTool } from './tools/listResources';
import { listSecretKeysTool } from './tools/listSecretKeys';
import { searchLogsTool } from './tools/searchLogs';
import { summariseLogsTool } from './tools/summariseLogs';
import { syncEnvironmentTool } from './tools/syncEnvironment';
import { modelTool } from './tools/tool';
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
