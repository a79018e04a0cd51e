import type { LogRecord, Operation, Permission } from '../../src/api/types';
import type { DeploymentStep } from './deployments';
import type { Parts } from './parts';
import type { Fault } from './faults';
import type { ReceivedRequest, Report, ReportKind } from './journal';
import { type Unkindness, unkindTime } from './unkind';

/** Fields of a record that a test sets. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * What a test can do to the control plane besides calling its API. From another process: `POST
 * /_admin/<method>` with an array of the arguments, or test/host/relay.ts.
 */
export interface Admin {
  fault(fault: Fault): void;
  /** How many more requests the faults will affect. */
  pendingFaults(): number;
  /** Makes the server unkind in these ways from now on, in addition to the current ones. */
  unkind(ways: Unkindness): void;
  /** Adds records now: this many generated ones, or these with missing members generated. */
  emit(records: number | readonly Partial<LogRecord>[]): LogRecord[];
  /**
   * The event ids of all records from `from` on (default: all), in order; pass `end` as the next
   * `from`.
   */
  emitted(from?: number): { count: number; end: number; eventIds: string[] };
  /** What was passed to connections, in order, with repeats; not whether it arrived. */
  sent(): { count: number; distinct: number; eventIds: string[] };
  /** Requests received since the start or the last reset. */
  requests(): readonly ReceivedRequest[];
  /** Unexpected requests since the start. A reset does not clear them. */
  reports(): readonly Report[];
  /** Removes the reports of a kind, for a test that provokes them; throws if there are none. */
  expectReport(kind: ReportKind): Report[];
  /** Removes all reports, for the check after each test that there are none. */
  takeReports(): Report[];
  /** Reports every later request with this key: it was signed out, or its connection was left. */
  forbid(name: string): void;
  allow(name: string): void;
  /** Every operation that was accepted, in its current state. */
  operations(): Operation[];
  /** The number of open log streams. */
  streams(): number;
  /**
   * Changes members of a resource, a deployment, an alert rule or an operation by its id, even if
   * that breaks the contract; undefined removes a member.
   */
  change(id: string, members: Members): void;
  /** Starts a deployment; see `Deployments.deploy`. */
  deploy(resourceId: string, given: Members, steps: readonly DeploymentStep[]): string;
  addKey(name: string, permissions: readonly Permission[], value?: string): string;
  revokeKey(name: string): void;
  restoreKey(name: string): void;
  /** Changes the permissions of a key, or only its access revision. */
  changeAccess(name: string, permissions?: readonly Permission[]): void;
  /** Lets a key see only these log records; all others are restricted. Only in this process. */
  restrict(name: string, sees: (record: LogRecord) => boolean): void;
  /** Closes every connection, and listens on the same port again after `downMs`. */
  restart(downMs: number): Promise<void>;
  /** Clears faults, unkindness, requests and sent records; restores revoked and forbidden keys. */
  reset(): void;
}

export function createAdmin(parts: Parts): Admin {
  const { clock, keys, store, faults, journal, generator, streams, workspace } = parts;
  const revoked = new Set<string>();
  const forbidden = new Set<string>();

  function takeReports(isTaken: (report: Report) => boolean): Report[] {
    const taken = journal.reports.filter(isTaken);
    const left = journal.reports.filter((report) => !isTaken(report));
    journal.reports.splice(0, Infinity, ...left);
    return taken;
  }

  return {
    fault: (fault) => faults.add(fault),
    pendingFaults: () => faults.pending,
    unkind: (ways) => Object.assign(parts.unkind, ways),
    emit(given) {
      const time = clock.now();
      const records =
        typeof given === 'number'
          ? generator.make(given, time, time)
          : given.map((one) => generator.fill(one, time));
      const stamped = records.map((record, index) =>
        typeof given !== 'number' && given[index]?.timestamp !== undefined
          ? record
          : {
              ...record,
              timestamp: unkindTime(record.timestamp, parts.unkind, parts.unkindRandom),
            },
      );
      store.append(stamped);
      return stamped;
    },
    emitted(from = store.first) {
      const eventIds: string[] = [];
      for (let number = Math.max(from, store.first); number < store.end; number++) {
        eventIds.push(store.at(number).eventId);
      }
      return { count: eventIds.length, end: store.end, eventIds };
    },
    sent: () => ({
      count: journal.sent.length,
      distinct: new Set(journal.sent).size,
      eventIds: [...journal.sent],
    }),
    requests: () => journal.requests,
    reports: () => [...journal.reports],
    expectReport(kind) {
      const taken = takeReports((report) => report.kind === kind);
      if (taken.length > 0) return taken;
      const others = journal.reports.map((report) => `${report.kind}: ${report.what}`);
      throw new Error(`No report of kind ${kind}, but: ${others.join(' ') || 'nothing'}`);
    },
    takeReports: () => takeReports(() => true),
    forbid(name) {
      keys.named(name).forbidden = true;
      forbidden.add(name);
    },
    allow(name) {
      keys.named(name).forbidden = false;
    },
    operations: () => workspace().operations.all(),
    streams: () => streams.size,
    change(id, members) {
      const { resources, deployments, alerts, operations } = workspace();
      const resource = resources.find((one) => one.id === id);
      if (resource) Object.assign(resource, members);
      else if (![deployments, alerts, operations].some((all) => all.change(id, members))) {
        throw new Error(`There is no resource, deployment, alert rule or operation ${id}.`);
      }
    },
    deploy: (resourceId, given, steps) => workspace().deployments.deploy(resourceId, given, steps),
    addKey: (name, permissions, value) => keys.add(name, permissions, value).value,
    revokeKey(name) {
      keys.revoke(name);
      revoked.add(name);
    },
    restoreKey: (name) => keys.restore(name),
    changeAccess: (name, permissions) => keys.change(name, permissions),
    restrict: (name, sees) => keys.restrict(name, sees),
    restart: (downMs) => parts.restart(downMs),
    reset() {
      faults.clear();
      journal.clear();
      for (const way of Object.keys(parts.unkind)) Reflect.deleteProperty(parts.unkind, way);
      Object.assign(parts.unkind, parts.unkindAtStart);
      revoked.forEach((name) => keys.restore(name));
      forbidden.forEach((name) => (keys.named(name).forbidden = false));
      revoked.clear();
      forbidden.clear();
    },
  };
}
