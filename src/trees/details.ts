import type { Translate } from '../base/textFormat';
import type { Target } from '../data/targets';
import { shapes } from '../api/generated/shapes';
import { isObject, membersOf } from '../base/json';
import { cut } from '../base/untrustedText';
import { timeOf } from '../base/timeFormat';
import type { NodeDetail } from './nodes';
import type { DataContext } from '../data/dataContext';

/** The most lines of a tooltip. A last line then says how many more there are. */
const maxLines = 150;
/** Deeper than anything in the contract. */
const maxDepth = 10;
/** The longest value, in UTF-16 units. */
const maxValue = 1000;

type Words = Pick<DataContext, 't' | 'timeFormat'>;

/**
 * The members of an object as lines of a tooltip, including unknown ones: nested members by their path,
 * times in the formats of the workspace and relative to now.
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
      else if (path.length >= maxDepth) add(path, '…');
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

/** The lines of these labels with their values. Values that are missing or empty are left out. */
export function detailLines(
  values: readonly (readonly [label: string, value: string | number | undefined])[],
): NodeDetail[] {
  return values.flatMap(([label, value]) =>
    value === undefined || value === '' ? [] : [{ label, value: String(value) }],
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
      return String(value);
    default:
      return '';
  }
}

function listOf(name: string, items: readonly unknown[], words: Words): string {
  if (items.length === 0) return words.t('none');
  return items
    .slice(0, maxValue)
    .map((item) => scalar('', item, words))
    .join(name === 'command' ? ' ' : ', ');
}

function isStructure(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The name of a member in words: `commitSha` becomes `Commit sha`, list index 0 becomes `1`. */
function titleOf(name: string): string {
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
