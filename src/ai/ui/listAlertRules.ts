import * as vscode from 'vscode';
import { serverName } from '../../actions/targetNames';
import { listAlertRules } from '../../api/generated/toolInputs';
import { ruleOutline } from '../../inventory/tree/outlines';
import { tools } from '../../vscode/contributions';
import type { Validated } from '../answer';
import { listing } from '../listing';
import { nothingKnown } from '../toolProblems';
import type { Tool, ToolServices } from './tool';

/** Alert rules with their state. */
export function listAlertRulesTool({ data }: ToolServices): Tool<Validated<typeof listAlertRules>> {
  const { store, known, context } = data;
  return {
    name: tools.listAlertRules,
    accepts: listAlertRules,
    permission: 'alert.read',
    doing: vscode.l10n.t('Looking at alert rules'),
    async run({ serverId }, { signal }) {
      const ids = serverId === undefined ? known.servers().map(({ id }) => id) : [serverId];
      if (ids.length === 0) return nothingKnown('server');
      const places = ids.map((id) => ({
        topic: { kind: 'alerts', serverId: id } as const,
        known: () => store.alerts(id),
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
