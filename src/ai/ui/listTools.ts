import * as vscode from 'vscode';
import { operations } from '../../api/generated/operations';
import {
  listAlertRules,
  listDeployments,
  listResources,
  listSecretKeys,
} from '../../api/generated/toolInputs';
import { newestFirst } from '../../data/deployments';
import { serverName, sourceName } from '../../data/labels';
import type { ConnectionData } from '../../data/ui/connectionData';
import { tools } from '../../vscode/contributions';
import { count } from '../answer';
import {
  deploymentOutline,
  listing,
  resourceOutline,
  ruleOutline,
  secretKeysOutline,
} from '../outlines';
import { type Validated, nothingKnown } from '../toolProblems';
import type { Tool } from './tool';

/** Lists apps and jobs with their state. */
export function listResourcesTool(data: ConnectionData): Tool<Validated<typeof listResources>> {
  const { store, targets: known, context } = data;
  return {
    name: tools.listResources,
    accepts: listResources,
    permission: operations.listResources.permission,
    doing: vscode.l10n.t('Listing apps and jobs'),
    async run({ sourceId }, { signal }) {
      const ids = sourceId === undefined ? known.sources().map(({ id }) => id) : [sourceId];
      if (ids.length === 0) return nothingKnown('source');
      const places = ids.map((id) => ({
        key: { kind: 'resources', id } as const,
        known: () => store.read('resources', id),
        head: () => ({ source: sourceName(context, id), sourceId: id }),
      }));
      return listing(
        store,
        places,
        'resource',
        ({ resources = [] }) => resources.map(resourceOutline),
        signal,
      );
    },
  };
}

/** Lists the deployments of an app or job. */
export function listDeploymentsTool({
  store,
}: ConnectionData): Tool<Validated<typeof listDeployments>> {
  return {
    name: tools.listDeployments,
    accepts: listDeployments,
    permission: operations.listDeployments.permission,
    doing: vscode.l10n.t('Listing deployments'),
    run: ({ resourceId }, { signal }) =>
      listing(
        store,
        [
          {
            key: { kind: 'deployments', id: resourceId },
            known: () => store.read('deployments', resourceId),
          },
        ],
        'deployment',
        ({ deployments = [] }) => newestFirst(deployments).map(deploymentOutline),
        signal,
      ),
  };
}

export function listAlertRulesTool(data: ConnectionData): Tool<Validated<typeof listAlertRules>> {
  const { store, targets: known, context } = data;
  return {
    name: tools.listAlertRules,
    accepts: listAlertRules,
    permission: operations.listAlertRules.permission,
    doing: vscode.l10n.t('Listing alert rules'),
    async run({ serverId }, { signal }) {
      const ids = serverId === undefined ? known.servers().map(({ id }) => id) : [serverId];
      if (ids.length === 0) return nothingKnown('server');
      const places = ids.map((id) => ({
        key: { kind: 'alerts', id } as const,
        known: () => store.read('alerts', id),
        head: () => ({ server: serverName(context, id), serverId: id }),
      }));
      return listing(
        store,
        places,
        'alert rule',
        ({ rules = [], workloads = [] }) => rules.map((rule) => ruleOutline(rule, workloads)),
        signal,
      );
    },
  };
}

/** Lists the names of the secret keys of an environment. The API never sends values. */
export function listSecretKeysTool(): Tool<Validated<typeof listSecretKeys>> {
  return {
    name: tools.listSecretKeys,
    accepts: listSecretKeys,
    permission: operations.listSecrets.permission,
    doing: vscode.l10n.t('Listing secret keys'),
    async run({ sourceId: ownerId, environment }, { client, signal }) {
      const { bindings = [] } = await client.listSecrets(
        { ownerId, environment },
        { signal, priority: 'person' },
      );
      const entries = bindings.map(secretKeysOutline);
      return {
        words: [
          `${count(entries.length, 'stage')} found, one per line as JSON. Names only; values are not available.`,
        ],
        data: { entries, keep: 'first', noun: 'stage' },
      };
    },
  };
}
