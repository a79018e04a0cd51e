import type { Random } from '../random';
import type { World } from '../world';
import { CleanUps, Syncs } from './actions';
import { createRules } from './alerts';
import { RealDeployments } from './deployments';
import { createEstate, type Deployable, type Row } from './estate';

export type State = ReturnType<typeof createState>;

/** Everything except logs. */
export function createState(
  world: World,
  random: Random,
  times: { readonly now: () => number; readonly stepSeconds: number },
) {
  const estate = createEstate(world, random.fork('estate'));
  const deployments = new RealDeployments(
    estate,
    world,
    random.fork('real deployments'),
    times.now,
  );
  const rules = createRules(world, estate, random.fork('rules'));
  const cleanUps = new CleanUps(estate, random.fork('clean-ups'), times);
  const syncs = new Syncs(estate, random.fork('syncs'), times);

  /** Of apps or databases in the form that is listed, newest change first. */
  function rowsOf(all: readonly Deployable[], sourceId?: string): Row[] {
    const changed = (one: Row): string => String(one['updatedAt']);
    return all
      .filter(({ environment }) => (sourceId ?? environment.source.id) === environment.source.id)
      .map(({ row }) => row)
      .sort((a, b) => (changed(a) < changed(b) ? 1 : -1));
  }

  return {
    world,
    estate,
    deployments,
    rules,
    cleanUps,
    syncs,
    times,
    rowsOf,
    random: random.fork('state'),
    /** Where the members are that a test changes. */
    changesOf: (id: string): object | undefined =>
      estate.deployables.find((one) => one.id === id)?.row ??
      estate.environments.find((one) => one.id === id)?.row ??
      [...estate.previews, ...rules].find((one) => one.id === id) ??
      estate.sourceRows.get(id) ??
      estate.serverRows.get(id) ??
      deployments.changesOf(id) ??
      cleanUps.changesOf(id) ??
      syncs.changesOf(id),
  };
}
