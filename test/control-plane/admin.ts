import type { LogRecord, Operation, Permission } from '../../src/api/types';
import type { Parts } from './parts';
import type { Fault } from './faults';
import type { ReceivedRequest, Report, ReportKind } from './journal';
import type { Unkindness } from './unkind';

/** Members of a record as a test wants them. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * What is asked of the control plane besides its API. In another process: `POST /_admin/<method>` with
 * an array of the arguments, or by test/host/relay.ts.
 */
export interface Admin {
  fault(fault: Fault): void;
  /** How many requests the faults will still meet. */
  pendingFaults(): number;
  /** Makes the server unkind in these ways from now on, besides those that it has. */
  unkind(ways: Unkindness): void;
  /** Adds records now: so many made-up ones, or these with what they lack filled in. */
  emit(records: number | readonly Partial<LogRecord>[]): LogRecord[];
  /** The event ids of all records since (or without) `from`, in order; `end` is the next `from`. */
  emitted(from?: number): { count: number; end: number; eventIds: string[] };
  /** What has been given to connections, in order, repeats included; not whether it arrived. */
  sent(): { count: number; distinct: number; eventIds: string[] };
  /** What was received since the start or the last reset. */
  requests(): readonly ReceivedRequest[];
  /** What nobody expected, since the start: a reset does not take it back. */
  reports(): readonly Report[];
  /** Takes the reports of a kind out, for a test that provokes them; throws where there are none. */
  expectReport(kind: ReportKind): Report[];
  /** Takes all reports out, for what asserts after each test that there are none. */
  takeReports(): Report[];
  /** Reports what comes with this key from now on: it was signed out, or its connection left. */
  forbid(name: string): void;
  allow(name: string): void;
  /** Every operation that was accepted, as it stands. */
  operations(): Operation[];
  /** How many log streams are open. */
  streams(): number;
  /** Changes members of a resource, a deployment, an alert rule or an operation by its id, to what may
   * break the contract; undefined removes one. */
  change(id: string, members: Members): void;
  addKey(name: string, permissions: readonly Permission[], value?: string): string;
  revokeKey(name: string): void;
  restoreKey(name: string): void;
  /** Changes what a key may do, or only its access revision. */
  changeAccess(name: string, permissions?: readonly Permission[]): void;
  /** Leaves a key these log records to see; the others are restricted. In this process alone. */
  restrict(name: string, sees: (record: LogRecord) => boolean): void;
  /** Sets the rate of the made-up records; 0 stops them. */
  setRate(logsPerSecond: number): void;
  /** Ends every connection, and listens again at the same port after `downMs`. */
  restart(downMs: number): Promise<void>;
  /** Forgets faults, unkindness, requests and what was sent; restores revoked and forbidden keys. */
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
      store.append(records);
      return records;
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
      throw new Error(`Nothing was reported as ${kind}, but: ${others.join(' ') || 'nothing'}`);
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
    addKey: (name, permissions, value) => keys.add(name, permissions, value).value,
    revokeKey(name) {
      keys.revoke(name);
      revoked.add(name);
    },
    restoreKey: (name) => keys.restore(name),
    changeAccess: (name, permissions) => keys.change(name, permissions),
    restrict: (name, sees) => keys.restrict(name, sees),
    setRate: (rate) => parts.live.setRate(rate),
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
