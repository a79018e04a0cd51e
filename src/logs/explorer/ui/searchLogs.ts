import * as vscode from 'vscode';
import type { Deployment } from '../../../api/types';
import type { Names } from '../../../data/knownNames';
import { deploymentPair } from '../../../data/deployments';
import { isUuid } from '../../../data/targets';
import type { TreeNode } from '../../../trees/nodes';
import type { Views } from '../../../trees/ui/views';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { type CommandId, registerCommand } from '../../../vscode/commands';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { asLogFilter, type LogFilter } from '../../query/filter';
import { type NameOf, unambiguousNames } from '../../query/print';
import { printSearch, searchForRule, searchSince } from '../../query/searchQuery';
import type { LogExplorer } from './logExplorer';

const { t } = vscode.l10n;

/** `searchLogs`, and commands that search for the logs of tree rows. */
export function registerSearchLogs(
  explorer: LogExplorer,
  data: ConnectionData,
  views: Views,
  names: Names,
  diagnostics: Diagnostics,
): vscode.Disposable {
  const nameOf = unambiguousNames(names);
  const on = (
    command: CommandId,
    queryOf: (node: TreeNode) => string | undefined,
  ): vscode.Disposable =>
    registerCommand(command, (argument) => {
      const node = views.nodeOf(argument);
      const query = node && queryOf(node);
      if (query !== undefined) explorer.open(query);
      return query !== undefined;
    });

  return vscode.Disposable.from(
    registerCommand(
      commands.searchLogs,
      (argument) => {
        if (argument === undefined) explorer.show();
        else explorer.open(queryOfArgument(argument, nameOf));
        return true;
      },
      { diagnostics, failed: t('Could not search the logs.') },
    ),
    // From the title of a view, the argument is the focused row, which does not matter here.
    registerCommand(commands.openLogExplorer, () => explorer.show()),
    on(commands.searchRowLogs, ({ target: { follow } }) =>
      follow === undefined ? undefined : searchSince(follow.filter, undefined, nameOf),
    ),
    on(commands.logsSinceDeployment, ({ target }) => {
      const { deploymentId } = target;
      if (deploymentId === undefined) return undefined;
      const pair = deploymentPair(data.context, target);
      return searchSince(filterSince(deploymentId, pair?.deployment), pair?.time, nameOf);
    }),
    on(commands.showRuleLogs, ({ kind, target: { id, serverId } }) => {
      if (kind !== 'rule' || id === undefined || serverId === undefined) return undefined;
      const rule = data.store.alerts(serverId).value?.rules?.find((one) => one.id === id);
      return rule && searchForRule(rule, serverId, nameOf);
    }),
  );
}

/** All deployments of the app in that environment, since later ones count too. */
function filterSince(
  deploymentId: string,
  { appId, environment }: Partial<Deployment> = {},
): LogFilter {
  if (!isUuid(appId)) return { deploymentIds: [deploymentId] };
  const isKnown = environment === 'production' || environment === 'preview';
  return { workloadIds: [appId], ...(isKnown ? { environments: [environment] } : {}) };
}

/** A query, whose errors are shown in the query bar, or a filter. */
function queryOfArgument(argument: unknown, nameOf: NameOf): string {
  if (typeof argument === 'string') return argument;
  return printSearch({ filter: asLogFilter(argument), range: {} }, nameOf);
}
