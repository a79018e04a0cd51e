import { shapes } from '../api/generated/shapes';
import { isObject, membersOf } from '../base/json';
import { isBlank, joined, type Translate } from '../base/textFormat';
import { timeOf } from '../base/timeFormat';
import { cut, rowText } from '../base/untrustedText';
import type { DataContext } from '../data/labels';
import type { CacheKey } from '../data/store';
import type { FollowTarget, Target } from '../data/targets';

/** Deeper than any tree of this extension. */
const maxDepth = 6;

/** The ids of the rows from the root to the first matching node; undefined if none matches. */
export function pathTo(
  nodes: readonly TreeNode[],
  fits: (node: TreeNode) => boolean,
  depth = maxDepth,
): readonly string[] | undefined {
  for (const node of nodes) {
    if (fits(node)) return [node.id];
    const path = depth > 1 ? pathTo(node.children(), fits, depth - 1) : undefined;
    if (path !== undefined) return [node.id, ...path];
  }
  return undefined;
}

/** The parts of a node that differ from those of a leaf without state. */
export type NodeParts = Pick<TreeNode, 'id' | 'kind' | 'label' | 'status'> &
  Partial<Omit<TreeNode, 'contextValue' | 'collapsible'>> & {
    /** More tokens of the context value. */
    readonly tokens?: readonly string[];
    readonly isExpanded?: boolean;
  };

// Shared, because a tree may have many rows.
const noTarget: NodeTarget = {};
const none: readonly never[] = [];
const noItems = (): readonly never[] => none;
const noTime = (): undefined => undefined;

export function makeNode(parts: NodeParts): TreeNode {
  const { status, target = noTarget, cacheKeys = none, tokens = none, children } = parts;
  return {
    id: parts.id,
    kind: parts.kind,
    label: parts.label,
    description: parts.description === '' ? undefined : parts.description,
    status,
    contextValue: contextOf(parts.kind, target, cacheKeys, tokens),
    collapsible: children === undefined ? 'none' : parts.isExpanded ? 'expanded' : 'collapsed',
    target,
    cacheKeys,
    command: parts.command,
    isSortable: parts.isSortable ?? false,
    isUrgent: parts.isUrgent ?? false,
    record: parts.record,
    sentence: parts.sentence ?? (() => status.words),
    details: parts.details ?? noItems,
    time: parts.time ?? noTime,
    children: children ?? noItems,
  };
}

/** What menus ask for: the kind, what commands can use, and the tokens of the feature. */
function contextOf(
  kind: string,
  { follow, site, webUrl, id, name }: NodeTarget,
  cacheKeys: readonly CacheKey[],
  tokens: readonly string[],
): string {
  const parts = [kind];
  if (follow !== undefined) parts.push('canFollow');
  if (site !== undefined) parts.push('hasSite');
  if (webUrl !== undefined) parts.push('hasWebUrl');
  if (id !== undefined) parts.push('hasId');
  if (name !== undefined) parts.push('hasName');
  if (cacheKeys.length > 0) parts.push('canRefresh');
  return [...parts, ...tokens].join(' ');
}

/** Makes ids for the rows of one parent. A repeated or missing key gets a number. */
export function createKeys(parent: string, kind: string): (key: string | undefined) => string {
  const start = `${parent}/${kind} `;
  const used = new Set<string>();
  let counts: Map<string, number> | undefined;
  return (key = '') => {
    let unique = key;
    while (used.has(unique)) {
      counts ??= new Map();
      const count = (counts.get(key) ?? 1) + 1;
      counts.set(key, count);
      unique = `${key} #${count}`;
    }
    used.add(unique);
    return start + unique;
  };
}

export interface NodeStatus {
  /** The id of a codicon, such as `pass-filled`. */
  readonly icon: string;
  /** The id of a theme colour; absent: the colour of text. */
  readonly color?: string;
  /** The state in words for tooltips and screen readers; empty if there is none. */
  readonly words: string;
  /** The states that a filter offers, such as `running` and `healthy`. */
  readonly states: readonly string[];
  /** The order by state: from 0 (unknown) to 4 (failed). */
  readonly rank: number;
}

/** A line of a tooltip. Both texts may come from the server and are untrusted. */
export interface NodeDetail {
  readonly label: string;
  readonly value: string;
}

/** A position in a file of the workspace. */
export interface CodePosition {
  /** The URI of the file as text. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column?: number | undefined;
}

/** The parts of a node that commands use. Ids are as the API or the settings give them. */
export interface NodeTarget {
  /** The text that `Copy Id` copies. */
  readonly id?: string | undefined;
  /** The text that `Copy Name` copies. */
  readonly name?: string | undefined;
  readonly sourceId?: string | undefined;
  readonly serverId?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly environmentId?: string | undefined;
  readonly deploymentId?: string | undefined;
  readonly commitSha?: string | undefined;
  /** What *Follow Logs* follows. */
  readonly follow?: FollowTarget | undefined;
  /** The site of a resource, https only. */
  readonly site?: string | undefined;
  /** The page of a repository, https only. */
  readonly webUrl?: string | undefined;
  /** By what the feature of the row finds what it shows. */
  readonly key?: string;
  /** A line of a file of the workspace. */
  readonly place?: CodePosition | undefined;
  /** Why there is nothing else in place of the row. */
  readonly error?: unknown;
}

/** What a click on a row runs, or Enter. */
export interface RowCommand {
  /** The id of a command. */
  readonly id: string;
  /** What it does, in the user's language. */
  readonly title: string;
  /** Absent: the row, as in its menu. */
  readonly argument?: unknown;
}

/** A row of a tree: plain data, and a function for its children. All texts are untrusted. */
export interface TreeNode {
  /** Unique in its tree, and stable for the same object. */
  readonly id: string;
  /** What it shows, such as `server`: the first token of `contextValue`. */
  readonly kind: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly status: NodeStatus;
  /**
   * The kind and tokens for `when` clauses, separated by spaces: `canFollow`, `hasSite`, `hasWebUrl`,
   * `hasId`, `hasName`, `canRefresh`, and those of the feature.
   */
  readonly contextValue: string;
  readonly collapsible: 'none' | 'collapsed' | 'expanded';
  readonly target: NodeTarget;
  /** What the children are made of: refreshed when the node is expanded or refreshed. */
  readonly cacheKeys: readonly CacheKey[];
  readonly command?: RowCommand | undefined;
  /** Whether the view sorts it among its siblings. The others keep their places. */
  readonly isSortable: boolean;
  /** Comes first by name, too: it is what one looks for. */
  readonly isUrgent: boolean;
  /** What the details are made of: the same object as long as nothing in it changes. */
  readonly record?: unknown;
  /** What the tooltip says first; empty: nothing. */
  sentence(): string;
  /** The facts of the tooltip: three to five lines, ids last. */
  details(): readonly NodeDetail[];
  /** When something was last deployed, in milliseconds since 1970; undefined if unknown. */
  time(): number | undefined;
  /** Built from the current state of the store. */
  children(): readonly TreeNode[];
}

/** What screen readers say of a row: label and description as they are shown, then the states that only the icon shows. */
export function spokenText({ label, description = '', status }: TreeNode): string {
  const seen = rowText(description);
  const parts = /, | \u00b7 /;
  const said = new Set(seen.split(parts));
  const rest = status.words.split(parts).filter((word) => !said.has(word));
  return joined([rowText(label), seen, ...rest], ', ');
}

/** The most lines of a tooltip. A last line then says how many more there are. */
const maxLines = 150;
/** Deeper than anything in the contract. */
const deepestDetail = 10;
/** The longest value, in UTF-16 units. */
const maxValue = 1000;

type Words = Pick<DataContext, 't' | 'timeFormat'>;

/**
 * The members of an object as lines of a tooltip, including unknown ones: nested members by their path,
 * times in the formats of the workspace and relative to now. What says nothing has no line: blank texts, numbers that
 * are none.
 *
 * @param leftOut names of members that are shown elsewhere.
 */
export function detailsOf(
  record: object,
  words: Words,
  leftOut: readonly string[] = [],
): readonly NodeDetail[] {
  const lines: NodeDetail[] = [];
  let more = 0;

  function add(path: readonly string[], value: string): void {
    if (isBlank(value)) return;
    if (lines.length >= maxLines) more++;
    else lines.push({ label: path.join(' › '), value: cut(value, maxValue) });
  }

  function walk(path: readonly string[], name: string, value: unknown): void {
    if (value === undefined || value === null) return;
    const isList = Array.isArray(value);
    if (isList && value.every((item) => !isStructure(item))) {
      add(path, listOf(name, value, words));
    } else if (isList || isObject(value)) {
      const members = Object.entries(value);
      if (members.length === 0) add(path, words.t('none'));
      else if (path.length >= deepestDetail) add(path, '…');
      // Nested lists may hold more than can be visited.
      else if (lines.length >= maxLines) more += members.length;
      else for (const [member, inner] of members) walk([...path, titleOf(member)], member, inner);
    } else add(path, scalar(name, value, words));
  }

  for (const [name, value] of Object.entries(record)) {
    if (!leftOut.includes(name)) walk([titleOf(name)], name, value);
  }
  if (more > 0) lines.push({ label: '…', value: words.t('{0} more', more) });
  return lines;
}

/** The lines of these labels with their values. Values that are missing or blank are left out. */
export function detailLines(
  values: readonly (readonly [label: string, value: string | number | undefined])[],
): NodeDetail[] {
  return values.flatMap(([label, value]) =>
    value === undefined || isBlank(String(value)) ? [] : [{ label, value: String(value) }],
  );
}

/** The most members that the contract does not name in a tooltip. */
const maxUnknown = 3;

/**
 * The lines of a tooltip: a few facts, what the contract does not name, the id last.
 *
 * @param shape the name of the shape of the record.
 */
export function factsOf(
  shape: string,
  record: object,
  words: Words,
  facts: Parameters<typeof detailLines>[0],
): readonly NodeDetail[] {
  const known = Object.keys(shapes[shape] ?? {});
  const { id } = membersOf(record);
  return [
    ...detailLines(facts),
    ...detailsOf(record, words, known).slice(0, maxUnknown),
    ...detailLines([[words.t('ID'), typeof id === 'string' ? id : undefined]]),
  ];
}

/** A time for a tooltip: in full and relative to now. Other text as it is. */
export function timeText(iso: string, { timeFormat }: Pick<Words, 'timeFormat'>): string {
  if (timeOf(iso) === undefined) return iso;
  return `${timeFormat.moment(iso)} (${timeFormat.relative(iso)})`;
}

function scalar(name: string, value: unknown, words: Words): string {
  switch (typeof value) {
    case 'boolean':
      return value ? words.t('yes') : words.t('no');
    case 'string':
      return /(?:At|_at)$/.test(name) ? timeText(value, words) : value;
    case 'number':
      // JSON has numbers that are too large for JavaScript.
      return Number.isFinite(value) ? String(value) : '';
    default:
      return '';
  }
}

function listOf(name: string, items: readonly unknown[], words: Words): string {
  if (items.length === 0) return words.t('none');
  return items
    .slice(0, maxValue)
    .map((item) => scalar('', item, words))
    .filter((text) => !isBlank(text))
    .join(name === 'command' ? ' ' : ', ');
}

function isStructure(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The name of a member in words: `commitSha` becomes `Commit sha`, list index 0 becomes `1`, a blank one is quoted. */
function titleOf(name: string): string {
  if (isBlank(name)) return JSON.stringify(name);
  if (/^\d+$/.test(name)) return String(Number(name) + 1);
  const words = name
    .slice(0, 100)
    .replaceAll('_', ' ')
    .replace(
      /([a-z\d])([A-Z])/g,
      (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
    );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The line of the tooltip that names the owner; empty if the target is the user's own. */
export function ownerDetails({ isOfWorkspace }: Target, t: Translate): readonly NodeDetail[] {
  return isOfWorkspace ? [{ label: t('Listed by'), value: t('the settings of this folder') }] : [];
}
