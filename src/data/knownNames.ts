import { createLabels } from './labels';
import type { DataContext } from './dataContext';

type NamedKind = 'workload' | 'server' | 'deployment';

/** An id with its name in queries. */
interface NamedItem {
  readonly kind: NamedKind;
  readonly id: string;
  readonly name: string;
}

/** How many digits of a commit name a deployment. */
const shortCommit = 7;

/**
 * The names that the store knows: servers by their label or configured name, workloads, and deployments
 * by the first digits of their commit.
 */
export function* knownNames(context: DataContext): Generator<NamedItem> {
  const { store, sources, servers } = context;
  const labels = createLabels(context);
  for (const server of servers()) {
    const { id } = server;
    yield* named('server', id, labels.nameOfServer(server));
    for (const workload of store.alerts(id).value?.workloads ?? []) {
      yield* named('workload', workload.id, workload.name);
    }
  }
  for (const source of sources()) {
    for (const { id, name } of store.resources(source.id).value?.resources ?? []) {
      yield* named('workload', id, name);
      if (id === undefined) continue;
      for (const deployment of store.deployments(id).value?.deployments ?? []) {
        yield* named('deployment', deployment.id, deployment.commitSha?.slice(0, shortCommit));
      }
    }
  }
}

function* named(
  kind: NamedKind,
  id: string | undefined,
  name: string | undefined,
): Generator<NamedItem> {
  if (id !== undefined && name !== undefined && name !== '') yield { kind, id, name };
}

/** Names by id, collected from answers and log records. */
export interface Names {
  learn(kind: NamedKind, id: string, name: string): void;
  nameOf(kind: NamedKind, id: string): string | undefined;
  /** The ids with a name, ignoring case. */
  idsOf(kind: NamedKind, name: string): string[];
  /** The latest first. */
  all(kind: NamedKind): { readonly id: string; readonly name: string }[];
  /** Forgets all names, as when the connection changes. */
  clear(): void;
}

/** Per kind. A control plane has far fewer; beyond this the oldest are forgotten. */
const maxNames = 10_000;

export function createNames(): Names {
  const byKind: Record<NamedKind, Map<string, string>> = {
    workload: new Map(),
    server: new Map(),
    deployment: new Map(),
  };
  return {
    learn(kind, id, name) {
      const names = byKind[kind];
      if (names.get(id) === name) return;
      names.set(id, name);
      if (names.size > maxNames) {
        const { value: first } = names.keys().next();
        if (first !== undefined) names.delete(first);
      }
    },
    clear: () => Object.values(byKind).forEach((names) => names.clear()),
    nameOf: (kind, id) => byKind[kind].get(id),
    all: (kind) => [...byKind[kind]].map(([id, name]) => ({ id, name })).reverse(),
    idsOf(kind, name) {
      const wanted = name.toLowerCase();
      return [...byKind[kind]].filter(([, one]) => one.toLowerCase() === wanted).map(([id]) => id);
    },
  };
}
