import type { EnvironmentTarget } from '../actions/environmentDeployments';
import { exactItem } from '../actions/exactItems';
import { environmentNames, resourceCount, resourceNames, serverName } from '../actions/targetNames';
import type { TreeContext } from '../inventory/tree/nodes';

/** What a person agrees to: in the words of the person, with names that others have given. */
export interface ConfirmationPlan {
  readonly title: string;
  /** What will be done, where, and on which connection. */
  readonly what: string;
  /** What comes before the items. */
  readonly itemsTitle: string;
  /** Some or all of the items, in order: a line each, which shows every character of them. */
  readonly items: readonly string[];
  /** What stands for the others, and what there is to know besides. */
  readonly notes: readonly string[];
}

/** As many as a clean-up may have: whoever agrees has seen each. A large environment has more. */
const maxNamed = 100;

export function syncPlan(
  context: TreeContext,
  connection: string,
  target: EnvironmentTarget,
): ConfirmationPlan {
  const { t } = context;
  const { sourceName, environmentName } = environmentNames(context, target);
  const names = resourceNames(context, target);
  const total = Math.max(names.length, resourceCount(context, target));
  return {
    title: t('Sync an environment?'),
    what: t(
      'Sync the environment {0} of the source {1} on the connection {2}.',
      named(environmentName, target.environmentId),
      named(sourceName, target.sourceId),
      connection,
    ),
    itemsTitle:
      names.length === 0
        ? t('Which apps and jobs it has is not known.')
        : t('The control plane may deploy these apps and jobs:'),
    items: names.slice(0, maxNamed).map((name) => itemLine(name, context)),
    notes: [
      ...more(total - Math.min(names.length, maxNamed), context),
      t('It is sent once. A dialog asks you once more.'),
    ],
  };
}

export function cleanUpPlan(
  context: TreeContext,
  connection: string,
  { serverId, items }: { readonly serverId: string; readonly items: readonly string[] },
): ConfirmationPlan {
  const { t } = context;
  return {
    title: t('Clean up a server?'),
    what: t(
      'Clean up the server {0} on the connection {1}.',
      named(serverName(context, serverId), serverId),
      connection,
    ),
    itemsTitle: t('The control plane removes what it finds under these names:'),
    items: items.slice(0, maxNamed).map((name) => itemLine(name, context)),
    notes: [
      ...more(items.length - maxNamed, context),
      t('This cannot be undone. A dialog asks you once more.'),
    ],
  };
}

/** Nothing of it is markup: what would be stands as its code. */
function itemLine(name: string, { t }: TreeContext): string {
  return exactItem(name, { t, active: '<&', maxUnits: 300 });
}

function more(rest: number, { t }: TreeContext): string[] {
  return rest <= 0 ? [] : [t('and {0} more', rest)];
}

/** A name may be anybody's; the id is whose the request is about. */
function named(name: string, id: string): string {
  return id.toLowerCase().startsWith(name.toLowerCase()) ? id : `${name} (${id})`;
}
