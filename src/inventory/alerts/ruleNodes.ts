import type { AlertRule } from '../../api/types';
import { conditionWords, ruleWords } from './alertText';
import { detailsOf } from '../tree/details';
import { isUuid, shortId } from '../targets';
import { createKeys, makeNode } from '../tree/nodeParts';
import type { NodeTarget, TreeContext, TreeNode } from '../tree/nodes';
import { alertStatus } from '../tree/status';

/** The ids of a rule's row and of those above it, from the root on. */
export function rulePath(serverId: string, ruleId: string): readonly string[] {
  const server = `server ${serverId}`;
  const rules = `${server}/rules`;
  return [server, rules, createKeys(rules, 'rule')(ruleId)];
}

export function ruleNodes(
  context: TreeContext,
  parent: string,
  serverId: string,
  rules: readonly AlertRule[],
): readonly TreeNode[] {
  const keyOf = createKeys(parent, 'rule');
  return rules.map((rule) => {
    const { id, name } = rule;
    return makeNode({
      id: keyOf(id ?? name),
      kind: 'rule',
      label: ruleLabel(rule, context),
      description: ruleWords(rule, context),
      status: alertStatus(rule, context.t),
      target: {
        ...(id === undefined ? {} : { id }),
        ...(name === undefined ? {} : { name }),
        serverId,
        follow: ruleFollow(rule, serverId, context),
      },
      record: rule,
      details: () => detailsOf(rule, context),
    });
  });
}

/** Its name, else its condition, else its short id. */
export function ruleLabel(rule: AlertRule, context: Pick<TreeContext, 't' | 'moments'>): string {
  const { id, name } = rule;
  const label = name ?? conditionWords(rule, context);
  return label ?? (id === undefined ? context.t('Alert rule') : shortId(id));
}

/** The logs of the workload that a rule watches, else those of its server. */
export function ruleFollow(
  rule: AlertRule,
  serverId: string,
  context: Pick<TreeContext, 't' | 'moments'>,
): NonNullable<NodeTarget['follow']> {
  const { deployableId } = rule;
  const filter = isUuid(deployableId) ? { workloadIds: [deployableId] } : { serverIds: [serverId] };
  return { filter, label: ruleLabel(rule, context) };
}
