import { assert } from 'chai';
import type { ControlPlaneClient } from '../../../src/api/client';
import type { Clock } from '../../../src/api/clock';
import { createClient } from '../../../src/api/createClient';
import {
  idAt,
  inMemoryControlPlane,
  type InMemoryControlPlane,
  type InMemoryOptions,
} from '../../control-plane/inMemory';
import { defaults } from '../api/inMemoryServer';

const servers = new Set<InMemoryControlPlane>();

/** A control plane in this process. What it reports fails the test, unless the test takes it. */
export function logServer(options: InMemoryOptions): InMemoryControlPlane {
  const server = inMemoryControlPlane(options);
  servers.add(server);
  return server;
}

afterEach('No control plane has anything to report', () => {
  const reports = [...servers].flatMap(({ admin }) => admin.takeReports());
  servers.clear();
  assert.deepEqual(
    reports.map(({ kind, what }) => `${kind}: ${what}`),
    [],
  );
});

/** The real client of a control plane in this process; all bytes in between are real, too. */
export function clientOf(
  server: InMemoryControlPlane,
  clock: Clock,
  token: () => string | undefined = () => server.key,
): ControlPlaneClient {
  return createClient({
    baseUrl: server.url,
    token: () => Promise.resolve(token()),
    fetch: server.fetch,
    clock,
    random: () => 0.5,
    settings: () => defaults,
  });
}

/** The ids of the records from one index of the log of such a control plane up to another. */
export function ids(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => idAt(from + index));
}
