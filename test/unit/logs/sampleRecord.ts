import type { LogRecord } from '../../../src/api/types';

/** A record with every field, with the changes of a test. */
export function sampleRecord(changes: Partial<LogRecord> = {}): LogRecord {
  return {
    eventId: 'event-1',
    timestamp: '2026-11-20T12:00:00.123Z',
    ingestedAt: '2026-11-20T12:00:01.000Z',
    serverId: '5b1a2f80-0c1d-4e2f-8a3b-4c5d6e7f8091',
    workloadId: '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102',
    workloadName: 'web-api',
    deploymentId: null,
    previewId: null,
    environment: 'production',
    containerId: 'c'.repeat(64),
    service: 'web',
    severity: 'warn',
    stream: 'stdout',
    body: 'slow request',
    attributes: {},
    traceId: null,
    spanId: null,
    truncated: false,
    ...changes,
  };
}
