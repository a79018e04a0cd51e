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
