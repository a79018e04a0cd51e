import type { AlertRule } from '../api/types';
import { conditionWords, ruleWords } from './alertWords';
import { detailsOf } from './details';
import { isUuid, shortId } from './knownThings';
import { createKeys, makeNode } from './nodeParts';
import type { NodeTarget, TreeContext, TreeNode } from './nodes';
import { alertStatus } from './status';

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
