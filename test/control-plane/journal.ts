import type { LogRecord } from '../../src/api/types';
import type { ReceivedRequest } from './context';

const maxRequests = 20_000;

/** What came in and what went out, for tests that compare it with what a client shows. */
export interface Journal {
  readonly requests: readonly ReceivedRequest[];
  readonly sent: readonly string[];
  streams: number;
  received(request: ReceivedRequest): void;
  gave(records: readonly LogRecord[]): void;
  clear(): void;
}

export function createJournal(): Journal {
  const requests: ReceivedRequest[] = [];
  const sent: string[] = [];
  return {
    requests,
    sent,
    streams: 0,
    received(request) {
      if (requests.length >= maxRequests) requests.shift();
      requests.push(request);
    },
    gave(records) {
      for (const { eventId } of records) sent.push(eventId);
    },
    clear() {
      requests.length = 0;
      sent.length = 0;
    },
  };
}
