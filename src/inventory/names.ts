import { createLabels } from './tree/labels';
import type { TreeContext } from './tree/nodes';

/** An id with the name that it goes by in queries. */
interface NamedThing {
  readonly kind: NamedKind;
  readonly id: string;
  readonly name: string;
}

/** As many digits of a commit as people read out; a deployment goes by its commit. */
const shortCommit = 7;

/**
 * Everything in the workspace that has a name, as far as it was looked at: servers by what a person
 * or else a configuration calls them, workloads, and deployments by the beginning of their commit.
 */
export function* knownNames(context: TreeContext): Generator<NamedThing> {
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
): Generator<NamedThing> {
  if (id !== undefined && name !== undefined && name !== '') yield { kind, id, name };
}

/** What has an id and, at times, a name. */
export type NamedKind = 'workload' | 'server' | 'deployment';

/** Names of things by id, learnt from whatever passes by. */
export interface Names {
  learn(kind: NamedKind, id: string, name: string): void;
  nameOf(kind: NamedKind, id: string): string | undefined;
  /** The ids that carry a name, compared without regard to case. */
  idsOf(kind: NamedKind, name: string): string[];
  /** What was learnt last comes first. */
  all(kind: NamedKind): { readonly id: string; readonly name: string }[];
  /** Forgets everything: another connection has other names. */
  clear(): void;
}

/** A control plane has far fewer; beyond this the names learnt first are forgotten. */
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
