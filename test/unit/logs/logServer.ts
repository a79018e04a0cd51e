import { assert } from 'chai';
import type { ControlPlaneClient } from '../../../src/api/client';
import type { ApiSettings } from '../../../src/api/operation';
import type { Clock } from '../../../src/base/clock';
import {
  Failure,
  idAt,
  inMemoryControlPlane,
  type InMemoryControlPlane,
  type InMemoryOptions,
} from '../../control-plane/inMemory';
import type { ControlPlane } from '../../control-plane/server';
import { defaults } from '../api/cannedAnswers';
import { testClient } from '../api/testClient';

const servers = new Set<InMemoryControlPlane>();

/** A control plane in this process. Its reports fail the test, unless the test removes them. */
export function logServer(options: InMemoryOptions): InMemoryControlPlane {
  const server = inMemoryControlPlane(options);
  servers.add(server);
  return server;
}

afterEach('No control plane has reports', () => {
  const reports = [...servers].flatMap(({ admin }) => admin.takeReports());
  servers.clear();
  assert.deepEqual(
    reports.map(({ kind, what }) => `${kind}: ${what}`),
    [],
  );
});

/** The real client of a control plane; all bytes in between are real. */
export function clientOf(
  server: ControlPlane & Partial<Pick<InMemoryControlPlane, 'fetch'>>,
  clock: Clock,
  {
    token = () => server.keys['demo-full'],
    random = () => 0.5,
    timeoutSeconds = defaults.timeoutSeconds,
  }: Partial<Pick<ApiSettings, 'timeoutSeconds'>> & {
    readonly token?: () => string | undefined;
    readonly random?: () => number;
  } = {},
): ControlPlaneClient {
  return testClient({
    baseUrl: server.url,
    token,
    ...(server.fetch && { fetch: server.fetch }),
    clock,
    random,
    settings: () => ({ timeoutSeconds }),
  });
}

/** A refusal with a specific code; `seconds` are its Retry-After. */
export function refusal(status: number, seconds?: number): Failure {
  const headers = seconds === undefined ? {} : { 'retry-after': String(seconds) };
  return new Failure(status, 'No.', `code_${status}`, headers);
}

/** The ids of the records between two indexes of the log of such a control plane. */
export function ids(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => idAt(from + index));
}
