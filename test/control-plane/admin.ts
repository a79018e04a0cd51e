import type { Admin, Context } from './context';

interface Parts extends Omit<Context, 'admin'> {
  readonly setRate: Admin['setRate'];
  readonly restart: Admin['restart'];
}

export function createAdmin(parts: Parts): Admin {
  const { now, keys, store, faults, journal, generator, operations, setRate, restart } = parts;
  const { resources, deployments, alerts } = parts;
  const revoked = new Set<string>();
  return {
    fault: (fault) => faults.add(fault),
    pendingFaults: () => faults.pending,
    emit(given) {
      const time = now();
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
    operations: () => operations.all(),
    requests: () => journal.requests,
    streams: () => journal.streams,
    change(id, members) {
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
    setRate,
    restart,
    reset() {
      faults.clear();
      journal.clear();
      revoked.forEach((name) => keys.restore(name));
      revoked.clear();
    },
  };
}
