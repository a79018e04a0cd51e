import { InvalidRequestError } from '../api/errors';
import { parameters_get_sources_resources as sourceParameters } from '../api/generated/validators';
import type { LogQueryFilters, ServerListing, SourceListing } from '../api/types';
import { validateParameters } from '../api/validateRequest';
import { isObject, membersOf } from '../base/json';
import { compareNames, joined } from '../base/textFormat';
import type { SignedInConnection } from '../connection/session';

/** A source or server: of the settings, because the API lists neither, or of a control plane that does. */
export interface Target {
  /** A UUID in lower case. */
  readonly id: string;
  /** The user's own name for it, unless a folder or another program gave it. */
  readonly label?: string;
  /** Set if the label comes from the argument of a command, which any program can run. */
  readonly labelledBy?: 'program';
  /** Set if it and its label come from the workspace settings, which are not the user's own. */
  readonly isOfWorkspace?: true;
  /** Its name in the list of the control plane. Untrusted. */
  readonly listedName?: string;
  /** Set if only the control plane lists it: it is not in the settings. */
  readonly isListed?: true;
}

/** The user's list and that of the workspace as one. */
export interface JoinedTargets {
  readonly targets: readonly Target[];
  /** How many are left out because there are more than `maxTargets`. */
  readonly leftOut: number;
}

/** How many are shown and polled. More can only be a mistake or an attack. */
export const maxTargets = 200;

/** The longest label, in UTF-16 units. */
export const maxLabel = 100;

/** Reads `controlPlane.sources` or `controlPlane.servers`: each id once, in order. Leaves out what is not valid. */
export function readTargets(setting: unknown): readonly Target[] {
  const targets = new Map<string, Target>();
  for (const entry of entriesOf(setting)) {
    const { id, label, labelledBy } = membersOf(entry);
    if (isUuid(id) && !targets.has(id.toLowerCase())) {
      targets.set(id.toLowerCase(), targetOf(id, label, labelledBy));
    }
  }
  return [...targets.values()];
}

/**
 * Adds the entries of a workspace after the user's own. For the same id, the user's entry and label win.
 * Entries beyond `maxTargets` are left out.
 */
export function joinTargets(own: readonly Target[], shared: readonly Target[]): JoinedTargets {
  const ids = new Set(own.map(({ id }) => id));
  const added = shared.filter(({ id }) => !ids.has(id));
  const all = [...own, ...added.map((one) => ({ ...one, isOfWorkspace: true as const }))];
  return { targets: all.slice(0, maxTargets), leftOut: Math.max(0, all.length - maxTargets) };
}

/** What the list of a control plane has of a source or server. */
interface ListedTarget {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** What is not archived of a list of the control plane. */
export function listedTargets(listing: SourceListing & ServerListing): readonly ListedTarget[] {
  const { sources = [], servers = [] } = listing;
  return [
    ...sources
      .filter(({ status }) => status !== 'archived')
      .map(({ id, repositoryOwner, repositoryName }) => ({
        id,
        name: joined([repositoryOwner, repositoryName], '/') || undefined,
      })),
    ...servers
      .filter(({ archivedAt }) => archivedAt === undefined)
      .map(({ id, name, canonicalIp }) => ({ id, name: name ?? canonicalIp })),
  ];
}

/**
 * Adds what the control plane lists after those of the settings, by name, and its names to those. Those beyond
 * `maxTargets` are left out.
 */
export function withListed(
  own: readonly Target[],
  listed: readonly ListedTarget[],
): readonly Target[] {
  if (listed.length === 0) return own;
  const names = new Map(listed.map(({ id = '', name }) => [id.toLowerCase(), name]));
  const named = own.map((one): Target => {
    const listedName = names.get(one.id);
    return listedName === undefined ? one : { ...one, listedName };
  });
  const known = new Set(own.map(({ id }) => id));
  const added = [...names]
    .filter(([id]) => isUuid(id) && !known.has(id))
    .map(([id, listedName]): Target => ({
      id,
      isListed: true,
      ...(listedName === undefined ? {} : { listedName }),
    }))
    .sort((a, b) => compareNames(a.listedName ?? a.id, b.listedName ?? b.id));
  return [...named, ...added].slice(0, maxTargets);
}

/** Whether the contract accepts a value as a UUID, in upper or lower case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && sourceParameters({ sourceId: value });
}

/**
 * The UUID that a user typed, in lower case.
 *
 * @throws InvalidRequestError if the contract does not accept it.
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

/** The setting with a target added. Unchanged if its id is listed: only `renameTarget` changes a label. */
export function addTarget(setting: unknown, { id, label, labelledBy }: Target): unknown[] {
  const entries = entriesOf(setting);
  const isListed = entries.some((entry) => hasId(entry, id));
  return isListed ? entries : [...entries, targetOf(id, label, labelledBy)];
}

/** The setting with another label of the user's. An empty or absent label removes it. */
export function renameTarget(setting: unknown, id: string, label?: string): unknown[] {
  return entriesOf(setting).map((entry) => {
    if (!isObject(entry) || !hasId(entry, id)) return entry;
    const { label: _label, labelledBy: _labelledBy, ...rest } = entry;
    const named = labelOf(label);
    return named === undefined ? rest : { ...rest, label: named };
  });
}

export function removeTarget(setting: unknown, id: string): unknown[] {
  return entriesOf(setting).filter((entry) => !hasId(entry, id));
}

/**
 * The setting with a removed entry back at its place. Unchanged if the id is listed, or was not.
 *
 * @param before the setting before the removal.
 */
export function restoreTarget(setting: unknown, id: string, before: unknown): unknown[] {
  const entries = entriesOf(setting);
  const index = entriesOf(before).findIndex((entry) => hasId(entry, id));
  if (index < 0 || entries.some((entry) => hasId(entry, id))) return entries;
  return [...entries.slice(0, index), entriesOf(before)[index], ...entries.slice(index)];
}

/** Whether two ids are the same, in upper or lower case. A missing one is not. */
export function isSameId(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

/** The target with an id; one without a label if it is not in the list. */
export function targetWithId(targets: readonly Target[], id: string): Target {
  return targets.find((one) => isSameId(one.id, id)) ?? { id };
}

/** The first eight characters of an id, which may come from anywhere. */
export function shortId(id: string): string {
  return id.trimStart().slice(0, 8);
}

function entriesOf(setting: unknown): unknown[] {
  return Array.isArray(setting) ? (setting as unknown[]) : [];
}

function hasId(entry: unknown, id: string): boolean {
  const there = membersOf(entry)['id'];
  return typeof there === 'string' && isSameId(there, id);
}

function targetOf(id: string, label: unknown, labelledBy: unknown): Target {
  const named = labelOf(label);
  return {
    id: id.toLowerCase(),
    ...(named === undefined ? {} : { label: named }),
    ...(named === undefined || labelledBy !== 'program' ? {} : { labelledBy }),
  };
}

function labelOf(label: unknown): string | undefined {
  const text = typeof label === 'string' ? label.trim().slice(0, maxLabel) : '';
  return text === '' ? undefined : text;
}

/** Logs that can be followed. */
export interface FollowTarget {
  readonly filter: Omit<LogQueryFilters, 'from' | 'to'>;
  /** What is followed, in words. May be of the server: untrusted. */
  readonly label: string;
}

/**
 * Follows the logs of a row or a message. Resolves with true if they are followed now.
 *
 * @param on the connection that the row or message belongs to, if it may have been left since.
 */
export type FollowLogs = (
  follow: FollowTarget | undefined,
  on?: SignedInConnection,
) => Promise<boolean>;
