// Generated from src/api/openapi.json by `npm run generate`. Do not edit.
import type { Validator } from './validators';

export const searchLogs: Validator<{ query: string; limit?: number }>;
export const summariseLogs: Validator<{ query: string }>;
export const listResources: Validator<{ sourceId?: string }>;
export const listDeployments: Validator<{ resourceId: string }>;
export const listAlertRules: Validator<{ serverId?: string }>;
export const listSecretKeys: Validator<{ sourceId: string; environment: string }>;
export const syncEnvironment: Validator<{ sourceId: string; environmentId: string }>;
export const cleanUpOrphans: Validator<{ serverId: string; items: readonly string[] }>;
