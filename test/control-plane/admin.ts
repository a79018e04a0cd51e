import type { LogRecord, Operation } from '../../src/api/types';
import type { DeploymentStep } from './deployments';
import type { Face } from './face';
import type { Parts } from './parts';
import type { Fault } from './faults';
import type { ReceivedRequest, Report, ReportKind } from './journal';
import { type Unkindness, unkindTime } from './unkind';

/** Fields of a record that a test sets. */
export type Members = Readonly<Record<string, unknown>>;

export type Admin = ReturnType<typeof createAdmin>;

/**
 * What a test can do to the control plane besides calling its API; from another process by
 * test/host/relay.ts.
 */
export function createAdmin(parts: Parts, face: Face) {
  const { clock, keys, store, faults, journal, generator, streams, unkind } = parts;

  return {
    fault: (fault: Fault): void => faults.add(fault),

    /** How many more requests the faults will affect. */
    pendingFaults: (): number => faults.pending,

    /** Makes the server unkind in these ways from now on, in addition to the current ones. */
    unkind: (ways: Unkindness): void => void Object.assign(unkind, ways),

    /** Adds records now: this many generated ones, or these with missing members generated. */
    emit(asked: number | readonly Partial<LogRecord>[]): LogRecord[] {
      const time = clock.now();
      const given = typeof asked === 'number' ? [] : asked;
      const made =
        typeof asked === 'number'
          ? generator.make(asked, time, time)
          : asked.map((one) => generator.fill(one, time));
      const records = made.map((record, index) =>
        given[index]?.timestamp === undefined
          ? { ...record, timestamp: unkindTime(record.timestamp, unkind, parts.unkindRandom) }
          : record,
      );
      store.append(records);
      return records;
    },

    /** The event ids of all records that the server keeps, in order. */
    emitted(): { count: number; eventIds: string[] } {
      const eventIds = store.all().map(({ eventId }) => eventId);
      return { count: eventIds.length, eventIds };
    },

    /** Requests received since the start or the last reset. */
    requests: (): readonly ReceivedRequest[] => journal.requests,

    /** Unexpected requests since the start. A reset does not clear them. */
    reports: (): readonly Report[] => [...journal.reports],

    /** Removes the reports of a kind, for a test that provokes them; throws if there are none. */
    expectReport(kind: ReportKind): Report[] {
      const all = journal.reports.splice(0);
      const found = all.filter((report) => report.kind === kind);
      const others = all.filter((report) => report.kind !== kind);
      journal.reports.push(...others);
      if (found.length > 0) return found;
      const unexpected = others.map((report) => `${report.kind}: ${report.what}`);
      throw new Error(`No report of kind ${kind}, but: ${unexpected.join(' ') || 'nothing'}`);
    },

    /** Removes all reports, for the check after each test that there are none. */
    takeReports: (): Report[] => journal.reports.splice(0),

    /** Reports every later request with this key: it was signed out, or its connection was left. */
    forbid: (name: string): void => void (keys.named(name).forbidden = true),
    allow: (name: string): void => void (keys.named(name).forbidden = false),

    /** Every operation that was accepted, in its current state. */
    operations: (): readonly Operation[] => face.operations(),

    /** The number of open log streams. */
    streams: (): number => streams.size,

    /**
     * Changes members of a resource, a deployment, an alert rule or an operation by its id, even if
     * that breaks the contract; undefined removes a member.
     */
    change(id: string, members: Members): void {
      const changed = face.changesOf(id);
      if (changed === undefined) throw new Error(`There is nothing to change with the id ${id}.`);
      Object.assign(changed, members);
    },

    /** Starts a deployment; see `deploy` in deployments.ts. */
    deploy: (resourceId: string, given: Members, steps: readonly DeploymentStep[]): string =>
      face.deploy(resourceId, given, steps),

    addKey: (name: string, permissions: readonly string[], value?: string): string =>
      keys.add(name, permissions, { value }).value,
    revokeKey: (name: string): void => keys.revoke(name),

    /** Changes the permissions of a key, or only its access revision. */
    changeAccess: (name: string, permissions?: readonly string[]): void =>
      keys.change(name, permissions),

    /** Lets a key see only these log records; all others are restricted. Only in this process. */
    restrict(name: string, sees: (record: LogRecord) => boolean): void {
      keys.named(name).sees = sees;
      keys.change(name);
    },

    /** Closes every connection, and listens on the same port again after `downMs`. */
    restart: (downMs: number): Promise<void> => parts.restart(downMs),

    /** Clears faults, unkindness and requests; restores revoked and forbidden keys. */
    reset(): void {
      faults.clear();
      journal.clear();
      keys.restore();
      for (const way of Object.keys(unkind)) Reflect.deleteProperty(unkind, way);
      Object.assign(unkind, parts.unkindAtStart);
    },
  };
}
