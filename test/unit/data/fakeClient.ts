import type { ControlPlaneClient } from '../../../src/api/client';
import { ApiError } from '../../../src/api/errors';
import type { LogQueryResponse, LogRecord } from '../../../src/api/types';
import { queryAnswer } from '../api/cannedAnswers';
import { sampleRecord } from '../logs/sampleRecord';

/** A client whose operations all fail except the given ones. */
export function fakeClient(given: Partial<ControlPlaneClient>): ControlPlaneClient {
  const refuse = (): Promise<never> => Promise.reject(httpError(403, 'forbidden'));
  return {
    serverNow: () => Date.UTC(2026, 10, 20, 12),
    queryLogs: refuse,
    openLogStream: refuse,
    cleanUpOrphans: refuse,
    getOperation: refuse,
    listAlertRules: refuse,
    listResources: refuse,
    listSecrets: refuse,
    listRepositories: refuse,
    listDeployments: refuse,
    syncEnvironment: refuse,
    retryPreviewReporting: refuse,
    listIntegrations: refuse,
    ...given,
  };
}

export function httpError(status: number, code: string): ApiError {
  return new ApiError({ kind: 'http', status, code, message: code, requestId: 'r-1' });
}

export function logRecord(members: Partial<LogRecord> = {}): LogRecord {
  return sampleRecord({
    eventId: 'e-1',
    timestamp: '2026-11-20T12:00:00.000Z',
    serverId: '00000000-0000-4000-8000-000000000001',
    workloadId: '00000000-0000-4000-8000-000000000002',
    ...members,
  });
}

export function logAnswer(
  records: LogRecord[],
  members: Partial<LogQueryResponse> = {},
): LogQueryResponse {
  return { ...queryAnswer, followCursor: 'follow', records, ...members };
}
