import { BoundedMap } from '../base/boundedMap';
import { isBlank } from '../base/textFormat';
import { Labels, type DataContext } from './labels';

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
  const labels = new Labels(context);
  for (const server of servers()) {
    const { id } = server;
    yield* named('server', id, labels.nameOfServer(server));
    for (const workload of store.read('alerts', id).value?.workloads ?? []) {
      yield* named('workload', workload.id, workload.name);
    }
  }
  for (const source of sources()) {
    for (const { id, name } of store.read('resources', source.id).value?.resources ?? []) {
      yield* named('workload', id, name);
      if (id === undefined) continue;
      for (const deployment of store.read('deployments', id).value?.deployments ?? []) {
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
  if (id !== undefined && name !== undefined) yield { kind, id, name };
}

/** Per kind. A control plane has far fewer; beyond this the oldest are forgotten. */
const maxNames = 10_000;

/** Names by id, collected from answers and log records. */
export class Names {
  private readonly byKind: Record<NamedKind, BoundedMap<string, string>> = {
    workload: new BoundedMap(maxNames),
    server: new BoundedMap(maxNames),
    deployment: new BoundedMap(maxNames),
  };

  /** Remembers the last name of an id. A record without a name has a blank one. */
  remember(kind: NamedKind, id: string, name: string): void {
    const names = this.byKind[kind];
    if (isBlank(name) || names.get(id) === name) return;
    names.set(id, name);
  }

  /** Forgets all names, as when the connection changes. */
  clear(): void {
    Object.values(this.byKind).forEach((names) => names.clear());
  }

  nameOf(kind: NamedKind, id: string): string | undefined {
    return this.byKind[kind].get(id);
  }

  /** The latest first. */
  all(kind: NamedKind): { readonly id: string; readonly name: string }[] {
    return [...this.byKind[kind]].map(([id, name]) => ({ id, name })).reverse();
  }

  /** The ids with a name, ignoring case. */
  idsOf(kind: NamedKind, name: string): string[] {
    const wanted = name.toLowerCase();
    return [...this.byKind[kind]]
      .filter(([, one]) => one.toLowerCase() === wanted)
      .map(([id]) => id);
  }
}
