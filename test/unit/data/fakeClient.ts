import type { Calls, ControlPlaneClient } from '../../../src/api/client';
import { ApiError } from '../../../src/api/errors';
import { operations } from '../../../src/api/generated/operations';
import { RequestScheduler } from '../../../src/api/requestScheduler';
import type { LogQueryResponse, LogRecord } from '../../../src/api/types';
import type { Clock } from '../../../src/base/clock';
import { queryAnswer } from '../api/cannedAnswers';
import { sampleRecord } from '../logs/sampleRecord';

/** A client whose operations all fail except the given ones. */
export function fakeClient(given: Partial<ControlPlaneClient>): ControlPlaneClient {
  const refuse = (): Promise<never> => Promise.reject(httpError(403, 'forbidden'));
  const names = Object.keys(operations);
  const all = Object.fromEntries(names.map((name) => [name, refuse]));
  return {
    serverNow: () => Date.UTC(2026, 10, 20, 12),
    ...(all as Record<keyof Calls, typeof refuse>),
    ...given,
  };
}

/** A client whose actions are sent by a scheduler, like those of the real one. */
export function scheduled(
  client: ControlPlaneClient,
  clock: Clock,
  random: () => number,
): ControlPlaneClient {
  const scheduler = new RequestScheduler(clock, random);
  return {
    ...client,
    cleanUpOrphans: (request, options) =>
      scheduler.run(operations.cleanUpOrphans, options, () =>
        client.cleanUpOrphans(request, options),
      ),
    syncEnvironment: (request, options) =>
      scheduler.run(operations.syncEnvironment, options, () =>
        client.syncEnvironment(request, options),
      ),
    retryPreviewReporting: (request, options) =>
      scheduler.run(operations.retryPreviewReporting, options, () =>
        client.retryPreviewReporting(request, options),
      ),
    getOperation: (request, options) =>
      scheduler.run(operations.getOperation, options, () => client.getOperation(request, options)),
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
