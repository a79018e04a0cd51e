import { createLabels } from './tree/labels';
import type { TreeContext } from './tree/nodes';
import type { NamedKind } from './names';

/** An id with the name that it goes by in queries. */
export interface NamedThing {
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
