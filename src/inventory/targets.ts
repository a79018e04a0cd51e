import { InvalidRequestError } from '../api/errors';
import { parameters_get_sources_resources as sourceParameters } from '../api/generated/validators';
import { isObject, membersOf } from '../api/lenient';
import { validateParameters } from '../api/validateRequest';

/** A source or a server of the settings, since the API lists neither. */
export interface Target {
  /** A UUID in lower case. */
  readonly id: string;
  /** What a person calls it. */
  readonly label?: string;
  /** It, and its label, come from the settings of the workspace that is open: anybody may have written them. */
  readonly isOfWorkspace?: true;
}

export interface Targets {
  /** Each id once, in the order of the setting. */
  readonly things: readonly Target[];
  /** What is wrong with the entries that were left out, in English, such as `[2].id is not a UUID`. */
  readonly problems: readonly string[];
}

/** The user's own list and that of the workspace as one. */
export interface JoinedTargets {
  readonly things: readonly Target[];
  /** How many are left out, since there are too many. */
  readonly left: number;
}

/** As many as are shown, and asked for again and again: more of them can only be a mistake, or a trick. */
export const maxTargets = 200;

/** Longest label, in UTF-16 units: it stands in a tree. */
export const maxLabel = 100;

/** Reads `controlPlane.sources` or `controlPlane.servers`; never throws. */
export function readTargets(setting: unknown): Targets {
  if (setting === undefined || setting === null) return { things: [], problems: [] };
  if (!Array.isArray(setting)) return { things: [], problems: ['is not a list'] };
  const things = new Map<string, Target>();
  const problems: string[] = [];
  setting.forEach((entry: unknown, index) => {
    const { id, label } = membersOf(entry);
    if (!isObject(entry)) problems.push(`[${index}] is not an object`);
    else if (!isUuid(id)) problems.push(`[${index}].id is not a UUID`);
    else if (things.has(id.toLowerCase())) problems.push(`[${index}].id was there before`);
    else things.set(id.toLowerCase(), thingOf(id, label));
  });
  return { things: [...things.values()], problems };
}

/**
 * Adds what a workspace shares to the user's own, never in its place: an entry of the user counts, label
 * and all, and what is too much is left out of the end.
 */
export function joinTargets(own: Targets, shared: Targets): JoinedTargets {
  const ids = new Set(own.things.map(({ id }) => id));
  const added = shared.things.filter(({ id }) => !ids.has(id));
  const all = [...own.things, ...added.map((one) => ({ ...one, isOfWorkspace: true as const }))];
  return { things: all.slice(0, maxTargets), left: Math.max(0, all.length - maxTargets) };
}

/** Whether the contract takes it for a UUID, in either case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && sourceParameters({ sourceId: value });
}

/**
 * The UUID that a person typed, in lower case.
 *
 * @throws InvalidRequestError where the contract takes it for none.
 */
export function parseId(text: string): string {
  const id = text.trim();
  try {
    validateParameters(sourceParameters, { sourceId: id });
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    throw new InvalidRequestError('id', error.problem, error.limit);
  }
  return id.toLowerCase();
}

/** The setting with a thing added, or with the label of the one that is there; other entries stay. */
export function addTarget(setting: unknown, thing: Target): unknown[] {
  const entries = entriesOf(setting);
  if (!entries.some((entry) => hasId(entry, thing.id))) {
    return [...entries, thingOf(thing.id, thing.label)];
  }
  return thing.label === undefined ? entries : renameTarget(entries, thing.id, thing.label);
}

/** The setting with another label; an empty or absent one takes the label away. */
export function renameTarget(setting: unknown, id: string, label?: string): unknown[] {
  return entriesOf(setting).map((entry) => {
    if (!isObject(entry) || !hasId(entry, id)) return entry;
    const { label: _label, ...rest } = entry;
    const named = labelOf(label);
    return named === undefined ? rest : { ...rest, label: named };
  });
}

export function removeTarget(setting: unknown, id: string): unknown[] {
  return entriesOf(setting).filter((entry) => !hasId(entry, id));
}

/**
 * The setting with an entry back that was taken away, as it was and where it was; unchanged where
 * there is one of its id, or was none.
 *
 * @param before the setting before it was taken away.
 */
export function restoreTarget(setting: unknown, id: string, before: unknown): unknown[] {
  const entries = entriesOf(setting);
  const index = entriesOf(before).findIndex((entry) => hasId(entry, id));
  if (index < 0 || entries.some((entry) => hasId(entry, id))) return entries;
  return [...entries.slice(0, index), entriesOf(before)[index], ...entries.slice(index)];
}

/** The first eight characters, as people quote ids. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

function entriesOf(setting: unknown): unknown[] {
  return Array.isArray(setting) ? (setting as unknown[]) : [];
}

function hasId(entry: unknown, id: string): boolean {
  const there = membersOf(entry)['id'];
  return typeof there === 'string' && there.toLowerCase() === id.toLowerCase();
}

function thingOf(id: string, label: unknown): Target {
  const named = labelOf(label);
  return { id: id.toLowerCase(), ...(named === undefined ? {} : { label: named }) };
}

function labelOf(label: unknown): string | undefined {
  const text = typeof label === 'string' ? label.trim().slice(0, maxLabel) : '';
  return text === '' ? undefined : text;
}
