// Generated from src/api/openapi.json by `npm run generate`. Do not edit.
import type { components } from './schema';

/** One problem that a validator found; `params` depends on the keyword. */
export interface Problem {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
}

/** True where the value has the shape; else `errors` says what is wrong, until the next call. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: Problem[] | null;
}

export const LogPage: Validator<components['schemas']['LogPage']>;
export const LogQueryResponse: Validator<components['schemas']['LogQueryResponse']>;
export const LogQueryRequest: Validator<components['schemas']['LogQueryRequest']>;
export const LogTailRequest: Validator<components['schemas']['LogTailRequest']>;
export const CleanupRequest: Validator<components['schemas']['CleanupRequest']>;
export const ErrorResponse: Validator<components['schemas']['ErrorResponse']>;
export const parameters_post_servers_cleanup_orphans: Validator<Record<string, unknown>>;
export const parameters_get_servers_monitor_alerts: Validator<Record<string, unknown>>;
export const parameters_get_sources_resources: Validator<Record<string, unknown>>;
export const parameters_get_sources_secrets: Validator<Record<string, unknown>>;
export const parameters_get_repositories: Validator<Record<string, unknown>>;
export const parameters_get_resources_deployments: Validator<Record<string, unknown>>;
export const parameters_post_sources_environments_syncs: Validator<Record<string, unknown>>;
export const parameters_get_operation: Validator<Record<string, unknown>>;
