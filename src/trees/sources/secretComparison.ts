import type { SecretBinding, SecretListing } from '../../api/types';
import { getOrMake } from '../../base/maps';
import { aligned, compareNames, type Translate } from '../../base/textFormat';
import { rowText } from '../../base/untrustedText';

/** How the names of the environments of previews begin. */
export const previewPrefix = 'preview:';

/*
 * Names only, as in the rows: the API has no values. So it cannot say whether two environments have the same value,
 * nor which keys the code needs.
 */

/**
 * How an environment has a key in a stage. `missing`: it is declared and has no value. `absent`: the stage is known and
 * does not name it. `unknown`: the control plane says nothing of the stage.
 */
type KeyState = 'set' | 'inherited' | 'missing' | 'absent' | 'unknown';

/** A key in a stage. Both names are untrusted. */
interface ComparedKey {
  readonly name: string;
  readonly stage: string | undefined;
  /** In the order of the environments. */
  readonly states: readonly KeyState[];
}

export interface SecretComparison {
  /** Those of previews come last. */
  readonly environments: readonly string[];
  /** What an environment lacks comes first, then what only those of previews lack. */
  readonly keys: readonly ComparedKey[];
}

/** Compares the keys of all environments of a source. */
export function compareSecretKeys(listing: SecretListing): SecretComparison {
  const { bindings = [] } = listing;
  const environments = environmentsOf(listing);
  const stages = new Map<string | undefined, Map<string, SecretBinding[]>>();
  for (const binding of bindings) {
    if (binding.environment === undefined) continue;
    const byEnvironment = getOrMake(
      stages,
      binding.stage,
      () => new Map<string, SecretBinding[]>(),
    );
    getOrMake(byEnvironment, binding.environment, () => []).push(binding);
  }
  const keys = [...stages].flatMap(([stage, byEnvironment]) => {
    const names = new Set([...byEnvironment.values()].flat().flatMap(namesOf));
    return [...names].map((name) => ({
      name,
      stage,
      states: environments.map((one) => stateOf(name, byEnvironment.get(one))),
    }));
  });
  const ranked = keys.map((key) => ({ key, rank: rankOf(key, environments) }));
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      compareNames(a.key.name, b.key.name) ||
      compareNames(a.key.stage ?? '', b.key.stage ?? ''),
  );
  return { environments, keys: ranked.map(({ key }) => key) };
}

function environmentsOf({ environments = [], bindings = [] }: SecretListing): readonly string[] {
  const named = bindings.flatMap(({ environment }) => environment ?? []);
  const all = [...new Set([...environments, ...named])].sort(compareNames);
  return [...all.filter((one) => !isOfPreviews(one)), ...all.filter(isOfPreviews)];
}

function isOfPreviews(environment: string): boolean {
  return environment.startsWith(previewPrefix);
}

function namesOf({ keys = [], missingKeys = [], inheritedKeys = [] }: SecretBinding): string[] {
  return [...keys, ...missingKeys, ...inheritedKeys];
}

function stateOf(name: string, bindings: readonly SecretBinding[] | undefined): KeyState {
  if (bindings === undefined) return 'unknown';
  const isIn = (member: 'keys' | 'missingKeys' | 'inheritedKeys'): boolean =>
    bindings.some((one) => one[member]?.includes(name) === true);
  // A control plane may list what is missing among the declared keys, too.
  if (isIn('missingKeys')) return 'missing';
  if (isIn('inheritedKeys')) return 'inherited';
  return isIn('keys') ? 'set' : 'absent';
}

function isLacking(state: KeyState | undefined): boolean {
  return state === 'missing' || state === 'absent';
}

function rankOf({ states }: ComparedKey, environments: readonly string[]): number {
  const lacking = environments.filter((_, at) => isLacking(states[at]));
  if (lacking.length === 0) return 2;
  return lacking.every(isOfPreviews) ? 1 : 0;
}

/** What an environment does not have. Names are untrusted. */
export interface LackingKeys {
  /** Keys that other environments have, and it does not name. */
  readonly keys: readonly string[];
  /** The other environments that have one of them; never those of previews. */
  readonly of: readonly string[];
  /** Keys that are declared and have no value. */
  readonly missing: readonly string[];
}

/**
 * The keys that an environment lacks, by its name. Nothing is lacking where the control plane does not say what it has,
 * and previews lack nothing.
 */
export function lackingKeys(listing: SecretListing, environment: string | undefined): LackingKeys {
  const { environments, keys } = compareSecretKeys(listing);
  const isCompared = environment !== undefined && !isOfPreviews(environment);
  const own = isCompared ? environments.indexOf(environment) : -1;
  const of = new Set<string>();
  const absent = new Set<string>();
  const missing = new Set<string>();
  for (const { name, states } of keys) {
    if (states[own] === 'missing') missing.add(name);
    if (states[own] !== 'absent') continue;
    const having = environments.filter(
      (one, at) => !isOfPreviews(one) && (states[at] === 'set' || states[at] === 'inherited'),
    );
    if (having.length > 0) absent.add(name);
    for (const one of having) of.add(one);
  }
  return { keys: [...absent], of: [...of], missing: [...missing] };
}

/**
 * The comparison as a text with a table, and what it cannot say.
 *
 * @param source the name of the source. Untrusted.
 * @param age what to say of keys that could not be loaded again.
 */
export function secretComparisonText(
  { environments, keys }: SecretComparison,
  source: string,
  age: string | undefined,
  t: Translate,
): string {
  const rows = ({ name, stage, states }: ComparedKey): readonly string[] => [
    rowText(name),
    rowText(stage ?? t('Any stage')),
    ...states.map((state) => stateText(state, t)),
  ];
  const heads = [t('Key'), t('Stage'), ...environments.map((one) => rowText(one))];
  const [head = '', ...table] = aligned([heads, ...keys.map(rows)]);
  const lacking = keys.findIndex((key) => rankOf(key, environments) === 2);
  const count = lacking < 0 ? keys.length : lacking;
  const sections = [
    { title: t('Not in all environments:'), lines: table.slice(0, count) },
    { title: t('In all environments whose stage is known:'), lines: table.slice(count) },
  ];
  return [
    t('Secret keys of {0}', rowText(source)),
    ...(age === undefined ? [] : [age]),
    ...(keys.length === 0 ? ['', t('There are no secret keys.')] : []),
    ...sections.flatMap(({ title, lines }) =>
      lines.length === 0 ? [] : ['', title, '', ...[head, ...lines].map((line) => `  ${line}`)],
    ),
    '',
    t('missing: it is declared and has no value'),
    t('–: the environment does not have it'),
    t('?: the control plane says nothing about this stage of the environment'),
    '',
    t(
      'The control plane tells the names of keys only: not whether environments have the same value, nor which keys your code needs.',
    ),
    '',
  ].join('\n');
}

function stateText(state: KeyState, t: Translate): string {
  switch (state) {
    case 'set':
      return t('set');
    case 'inherited':
      return t('inherited');
    case 'missing':
      return t('missing');
    case 'absent':
      return '–';
    case 'unknown':
      return '?';
  }
}
