import type { SecretBinding, SecretListing } from '../../api/types';
import { dotted, joined, someNames } from '../../base/textFormat';
import type { DataContext } from '../../data/labels';
import type { CacheEntry } from '../../data/store';
import { isUuid, shortId } from '../../data/targets';
import {
  createKeys,
  detailLines,
  makeNode,
  type NodeDetail,
  timeText,
  type TreeNode,
} from '../nodes';
import { problemNode, staleText } from '../placeholderNodes';
import { plain, warning } from '../status';
import { lackingKeys } from './secretComparison';

/*
 * Key names only, never a value. Only the members that the contract names are shown, one by one, so that
 * a value is not shown even if a server sends one.
 */

type Bindings = readonly SecretBinding[];

/** A row with secret keys of an environment. */
export interface SecretsRow {
  readonly id: string;
  readonly label: string;
  readonly bindings: Bindings;
  /** The name of the environment; absent for those of previews, which are not compared. */
  readonly environment?: string | undefined;
}

/**
 * The row with the secret keys of each stage.
 *
 * @returns no row while nothing is loaded, and if there are no keys.
 */
export function secretsNode(
  context: DataContext,
  { id, label, bindings, environment }: SecretsRow,
  sourceId: string,
  known: CacheEntry<SecretListing>,
): readonly TreeNode[] {
  const { t, counted } = context;
  const key = { kind: 'secrets', id: sourceId } as const;
  if (known.value === undefined && known.error === undefined) return [];
  if (known.value !== undefined && bindings.length === 0) return [];
  const missing = bindings.reduce((sum, one) => sum + (one.missingKeys?.length ?? 0), 0);
  const words = missing === 0 ? '' : t('{0} missing', missing);
  const status = missing === 0 ? plain('key') : { ...warning(words), states: [t('missing')] };
  const lacking = lackingKeys(known.value ?? {}, environment);
  const others = someNames(lacking.of, t) ?? '';
  const lacks =
    lacking.keys.length === 0
      ? undefined
      : counted(lacking.keys.length, 'lacks {0} key of {1}', 'lacks {0} keys of {1}', others);
  return [
    makeNode({
      id,
      kind: 'secrets',
      label,
      description: dotted([words, lacks, staleText(known, context)]),
      status,
      target: { sourceId },
      cacheKeys: [key],
      record: known.value,
      sentence: () => joined([words, lacks], ', '),
      details: () => detailLines([[t('Only in {0}', others), lacking.keys.join(', ')]]),
      children: () =>
        known.value === undefined
          ? [problemNode(context, id, key, known.error)]
          : bindingNodes(context, id, bindings),
    }),
  ];
}

function bindingNodes(context: DataContext, parent: string, bindings: Bindings): TreeNode[] {
  const { t, counted } = context;
  const keyOf = createKeys(parent, 'stage');
  return bindings.map((binding) => {
    const { stage, keys = [], missingKeys = [], pendingChanges, revision, declared } = binding;
    const id = keyOf(stage);
    const missing = missingKeys.length === 0 ? undefined : t('{0} missing', missingKeys.length);
    const pending = pendingChanges === true ? t('pending changes') : undefined;
    const states = [
      ...(missing === undefined ? [] : [t('missing')]),
      ...(pending === undefined ? [] : [pending]),
    ];
    const words = joined([missing, pending], ', ');
    return makeNode({
      id,
      kind: 'secretBinding',
      label: stage ?? t('Any stage'),
      description: dotted([
        counted(keys.length, '{0} key', '{0} keys'),
        missing,
        pending,
        declared === false ? t('not declared') : undefined,
        revision === undefined ? undefined : t('revision {0}', shortRevision(revision)),
      ]),
      status: words === '' ? plain('tag') : { ...warning(words), states },
      ...(stage === undefined ? {} : { target: { name: stage } }),
      record: binding,
      sentence: () => joined([counted(keys.length, '{0} key', '{0} keys'), missing, pending], ', '),
      details: () => bindingDetails(binding, context),
      children: () => [...keyNodes(context, id, binding), ...affectedNode(context, id, binding)],
    });
  });
}

/** Missing keys first, then existing keys, then inherited ones. */
function keyNodes({ t }: DataContext, parent: string, binding: SecretBinding): TreeNode[] {
  const { keys = [], missingKeys = [], inheritedKeys = [] } = binding;
  const missing = new Set(missingKeys);
  // What is missing may be listed among the declared keys, too.
  const own = keys.filter((name) => !missing.has(name));
  const inherited = new Set(inheritedKeys);
  const keyOf = createKeys(parent, 'key');
  const node = (name: string, description: string | undefined, isMissing: boolean): TreeNode =>
    makeNode({
      id: keyOf(name),
      kind: 'secretKey',
      label: name,
      description,
      status: isMissing ? warning(t('missing')) : plain('key'),
      target: { name },
    });
  return [
    ...missingKeys.map((name) => node(name, t('missing'), true)),
    ...own.map((name) =>
      node(name, inherited.has(name) ? inheritance(binding, name, t) : undefined, false),
    ),
    ...inheritedKeys
      .filter((name) => !missing.has(name) && !own.includes(name))
      .map((name) => node(name, inheritance(binding, name, t), false)),
  ];
}

/** Where a key is inherited from. Origins that the contract does not name are left out. */
function inheritance(
  { inheritedOrigins, inheritedRevisions }: SecretBinding,
  name: string,
  t: DataContext['t'],
): string {
  const origin: unknown =
    inheritedOrigins !== undefined && Object.hasOwn(inheritedOrigins, name)
      ? inheritedOrigins[name]
      : undefined;
  if (origin !== 'global' && origin !== 'source') return t('inherited');
  const revision = inheritedRevisions?.[origin];
  return revision === undefined
    ? t('inherited from {0}', origin)
    : t('inherited from {0}, revision {1}', origin, shortRevision(revision));
}

/** The start of an id; other text as it is. */
function shortRevision(revision: string): string {
  return isUuid(revision) ? shortId(revision) : revision;
}

function affectedNode({ t }: DataContext, parent: string, binding: SecretBinding): TreeNode[] {
  const affected = binding.affectedDeployables ?? [];
  const names = affected.map(affectedName).filter((name) => name !== undefined);
  const description = someNames(names, t);
  if (description === undefined) return [];
  return [
    makeNode({
      id: `${parent}/affected`,
      kind: 'affected',
      label: t('Affects'),
      description,
      status: plain('references'),
      record: binding.affectedDeployables,
      details: () => affected.flatMap((one) => affectedDetail(one, t)),
    }),
  ];
}

type Affected = NonNullable<SecretBinding['affectedDeployables']>[number];

function affectedName({ name, id }: Affected): string | undefined {
  return name ?? id;
}

function affectedDetail(one: Affected, t: DataContext['t']): NodeDetail[] {
  const name = affectedName(one);
  if (name === undefined) return [];
  return [
    one.kind === undefined
      ? { label: t('Affects'), value: name }
      : { label: name, value: one.kind },
  ];
}

function bindingDetails(binding: SecretBinding, context: DataContext): NodeDetail[] {
  const { t } = context;
  const { updatedAt, affectedDeployables } = binding;
  const affected = affectedDeployables?.map(affectedName).filter((name) => name !== undefined);
  return detailLines([
    [t('Missing keys'), binding.missingKeys?.join(', ')],
    [t('Keys'), binding.keys?.join(', ')],
    [t('Affects'), affected?.join(', ')],
    [t('Updated'), updatedAt === undefined ? undefined : timeText(updatedAt, context)],
    [t('Revision'), binding.revision],
  ]);
}
