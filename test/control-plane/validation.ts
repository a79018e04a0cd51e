import {
  CleanupRequest,
  LogQueryRequest,
  LogTailRequest,
  parameters_get_operation,
  parameters_get_repositories,
  parameters_get_resources_deployments,
  parameters_get_servers_monitor_alerts,
  parameters_get_sources_resources,
  parameters_get_sources_secrets,
  parameters_post_servers_cleanup_orphans,
  parameters_post_sources_environments_syncs,
  type Validator,
} from '../../src/api/generated/validators';
import { Failure } from './failure';

export const bodies = { CleanupRequest, LogQueryRequest, LogTailRequest };

const parameters: Record<string, Validator<Record<string, unknown>>> = {
  get_operation: parameters_get_operation,
  get_repositories: parameters_get_repositories,
  get_resources_deployments: parameters_get_resources_deployments,
  get_servers_monitor_alerts: parameters_get_servers_monitor_alerts,
  get_sources_resources: parameters_get_sources_resources,
  get_sources_secrets: parameters_get_sources_secrets,
  post_servers_cleanup_orphans: parameters_post_servers_cleanup_orphans,
  post_sources_environments_syncs: parameters_post_sources_environments_syncs,
};

/** The value as what the validator says it is, else 400 with the field and what is wrong with it. */
export function checked<T>(validator: Validator<T>, value: unknown): T {
  if (validator(value)) return value;
  const [problem] = validator.errors ?? [];
  const field = problem?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  const limits = JSON.stringify(problem?.params ?? {});
  throw new Failure(400, `${field || 'The request'} breaks ${problem?.keyword ?? ''} ${limits}`);
}

/** The parameters of an operation, all of them; any that the contract does not know is refused. */
export function checkedParameters(
  operationId: string,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const validator = parameters[operationId];
  if (validator) return checked(validator, given);
  const [unknown] = Object.keys(given);
  if (unknown !== undefined) throw new Failure(400, `There is no parameter ${unknown}.`);
  return given;
}
