import type { EnvironmentTarget } from '../actions/environmentDeployments';
import { escapedItem } from '../actions/escapedNames';
import { environmentNames, resourceCount, resourceNames } from '../actions/targetNames';
import { serverName } from '../data/labels';
import type { DataContext } from '../data/dataContext';

/** What the user confirms, in the user's language; names are untrusted. */
export interface ConfirmationPlan {
  readonly title: string;
  /** The action, its target and the connection. */
  readonly what: string;
  /** The line above the items. */
  readonly itemsTitle: string;
  /** Some or all of the items, in order: one line each, with all characters visible. */
  readonly items: readonly string[];
  /** How many more items there are, and further notes. */
  readonly notes: readonly string[];
}

/** The most items of a clean-up, so that the user sees each one. Large environments have more. */
const maxNamed = 100;

export function syncPlan(
  context: DataContext,
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
        ? t('Its apps and jobs are unknown.')
        : t('The control plane may deploy these apps and jobs:'),
    items: names.slice(0, maxNamed).map((name) => itemLine(name, context)),
    notes: [
      ...more(total - Math.min(names.length, maxNamed), context),
      t('It is sent once. A dialog asks you to confirm again.'),
    ],
  };
}

export function cleanUpPlan(
  context: DataContext,
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
    itemsTitle: t('The control plane removes the items with these names:'),
    items: items.slice(0, maxNamed).map((name) => itemLine(name, context)),
    notes: [
      ...more(items.length - maxNamed, context),
      t('This cannot be undone. A dialog asks you to confirm again.'),
    ],
  };
}

/** Markup characters are shown as codes. */
function itemLine(name: string, { t }: DataContext): string {
  return escapedItem(name, t, 300, '<&');
}

function more(rest: number, { t }: DataContext): string[] {
  return rest <= 0 ? [] : [t('and {0} more', rest)];
}

/** Names are not unique, so the id is shown too. */
function named(name: string, id: string): string {
  return id.toLowerCase().startsWith(name.toLowerCase()) ? id : `${name} (${id})`;
}
