import type { ConditionGroup, Severity } from '../../api/types';
import { fieldNamed, type NameKind, queryFields } from '../query/fields';
import type { LogFilter } from '../query/filter';
import { allowedValues } from '../query/filterBuilder';
import { withOnly, without } from '../query/narrow';
import type { QueryError, ResolveName, UnresolvedName } from '../query/parser';
import { type NameOf, printCondition, printQuery } from '../query/print';
import { parseSearch, printSearch, type SearchQuery, type TimeRange } from '../query/searchQuery';
import {
  parseDuration,
  parseTimeExpression,
  printTimeExpression,
  type When,
} from '../query/timeExpression';
import { builderConditionOf, groupOf } from './builderCondition';
import type { BuilderCondition } from './panel/messages';

/** What a query says, in parts that can be changed one by one. */
export interface ParsedQuery {
  readonly text: string;
  /** What is wrong with it; where anything is, the other parts may be empty. */
  readonly errors: readonly QueryError[];
  /** Names that stand for nothing: the query must not be used before they are settled. */
  readonly unresolved: readonly UnresolvedName[];
  /** What it asks for; undefined where it must not be used. */
  readonly query: SearchQuery | undefined;
  readonly chips: readonly Pick<Chip, 'text' | 'joinedBy'>[];
  /** None: all of them. */
  readonly severities: readonly Severity[];
  readonly range: TimeRange;
  readonly match: ConditionGroup['match'];
  /** Those of the condition group. */
  readonly conditions: readonly BuilderCondition[];
}

/** A change to a query that is made by anything but typing. */
export type QueryEdit =
  | { readonly kind: 'removeChip'; readonly index: number }
  | { readonly kind: 'severities'; readonly severities: readonly Severity[] }
  /** Any other range gives way. */
  | { readonly kind: 'range'; readonly range: Optional<TimeRange> }
  | {
      readonly kind: 'conditions';
      readonly match: ConditionGroup['match'];
      readonly conditions: readonly BuilderCondition[];
    }
  /** Only records with this value, or all but those; the field as `FieldValue` has it. */
  | { readonly kind: 'only' | 'exclude'; readonly field: string; readonly value: string };

/** A range as it came from elsewhere. */
type Optional<T> = { readonly [Member in keyof T]?: T[Member] | undefined };

type EditResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: EditRefusal };

export type EditRefusal =
  /** What is wrong with the query as it stands has to be mended first. */
  | { readonly kind: 'query'; readonly errors: readonly QueryError[] }
  /** What is wrong with what the query would be, by positions that mean nothing. */
  | { readonly kind: 'edit'; readonly errors: readonly QueryError[] }
  /** The API has no filter that says this besides what the query says already. */
  | { readonly kind: 'cannotSay' }
  /** There is no such chip any more. */
  | { readonly kind: 'gone' };

/** What a query means where. */
export interface QueryNames {
  readonly when: When;
  readonly resolve: ResolveName;
  /** The names to show for ids: only those that lead back to their id, as `unambiguousNames` has them. */
  readonly nameOf?: NameOf;
}

/** Takes a query apart. */
export function modelOf(text: string, names: QueryNames): ParsedQuery {
  const { when, resolve, nameOf } = names;
  const meant = parseSearch(text, when, resolve);
  const placeholders = createNamePlaceholders(nameOf);
  const read = parseSearch(text, when, placeholders.resolve);
  const { filter, range }: SearchQuery = read.ok ? read.query : { filter: {}, range: {} };
  const group = filter.conditionGroup;
  return {
    text,
    errors: meant.ok ? [] : meant.errors,
    unresolved: meant.ok ? meant.unresolved : [],
    query: meant.ok && meant.unresolved.length === 0 ? meant.query : undefined,
    chips: chipsOf(filter, placeholders.nameOf).map((chip) => ({
      text: chip.text,
      joinedBy: chip.joinedBy,
    })),
    severities: filter.severities ?? [],
    range,
    match: group?.match ?? 'and',
    conditions: (group?.conditions ?? []).map((one) =>
      builderConditionOf(one, placeholders.nameOf),
    ),
  };
}

/**
 * Changes a query and prints it anew. Names stay names, whatever they stand for. The result is a query
 * that can be read, or a reason why there is none.
 */
export function applyEdit(text: string, edit: QueryEdit, names: QueryNames): EditResult {
  const { when, nameOf } = names;
  // What is excluded from a list must be found in it: there, names give way to their ids.
  const isOfIds = edit.kind === 'exclude' && fieldNamed(edit.field)?.names !== undefined;
  const placeholders = createNamePlaceholders(nameOf, isOfIds ? names.resolve : undefined);
  const read = parseSearch(text, when, placeholders.resolve);
  if (!read.ok) return refuse({ kind: 'query', errors: read.errors });
  const edited = change(read.query, edit, placeholders);
  if ('kind' in edited) return refuse(edited);
  const result = printSearch(edited, placeholders.nameOf);
  const check = parseSearch(result, when, placeholders.resolve);
  return check.ok ? { ok: true, text: result } : refuse({ kind: 'edit', errors: check.errors });
}

function refuse(reason: EditRefusal): EditResult {
  return { ok: false, reason };
}

function change(
  query: SearchQuery,
  edit: QueryEdit,
  placeholders: NamePlaceholders,
): SearchQuery | EditRefusal {
  const { filter } = query;
  switch (edit.kind) {
    case 'removeChip': {
      const chip = chipsOf(filter)[edit.index];
      return chip === undefined ? { kind: 'gone' } : { ...query, filter: chip.without };
    }
    case 'severities':
      return { ...query, filter: withSeverities(filter, edit.severities) };
    case 'range':
      return withRange(query, edit.range);
    case 'conditions': {
      const { conditionGroup, ...rest } = filter;
      const group = groupOf(edit, placeholders.resolve);
      if (group === undefined) return { ...query, filter: rest };
      if ('problem' in group) return { kind: 'edit', errors: [group] };
      return { ...query, filter: { ...rest, conditionGroup: group } };
    }
    case 'only':
    case 'exclude': {
      const narrowed = (edit.kind === 'only' ? withOnly : without)(filter, edit);
      return narrowed === undefined ? { kind: 'cannotSay' } : { ...query, filter: narrowed };
    }
  }
}

function withSeverities(filter: LogFilter, wanted: readonly Severity[]): LogFilter {
  const { severities: before, ...rest } = filter;
  const all = allowedValues('severities').filter((one): one is Severity =>
    wanted.some((other) => other === one),
  );
  const isAll = all.length === allowedValues('severities').length;
  return isAll || all.length === 0 ? rest : { ...rest, severities: all };
}

function withRange(query: SearchQuery, asked: Optional<TimeRange>): SearchQuery | EditRefusal {
  const range: { last?: string; from?: string; to?: string } = {};
  for (const field of ['last', 'from', 'to'] as const) {
    const value = asked[field]?.trim();
    if (value === undefined || value === '') continue;
    const moment = field === 'last' ? undefined : parseTimeExpression(value);
    const isDuration = field === 'last' && parseDuration(value) !== undefined;
    if (moment === undefined && !isDuration) {
      const error = {
        start: 0,
        end: 0,
        problem: { kind: 'time', field, value },
        allowed: [],
      } as const;
      return { kind: 'edit', errors: [error] };
    }
    range[field] = moment === undefined ? value.toLowerCase() : printTimeExpression(moment);
  }
  return { ...query, range };
}

/** A part of what a filter asks for. */
interface Chip {
  /** As the query has it. */
  readonly text: string;
  /** How it is joined to the one before it. */
  readonly joinedBy: 'and' | 'or';
  /** The filter without it. */
  readonly without: LogFilter;
}

/** The parts of a filter, in the order in which it is printed; each can be taken out alone. */
export function chipsOf(filter: LogFilter, nameOf?: NameOf): readonly Chip[] {
  const { attributes = [], conditionGroup, search } = filter;
  const chips: Chip[] = [];
  const add = (text: string, without: LogFilter, joinedBy: Chip['joinedBy'] = 'and'): void => {
    if (text !== '') chips.push({ text, joinedBy, without });
  };
  for (const { member } of queryFields.values()) {
    if (member === undefined) continue;
    const { [member]: one, ...without } = filter;
    add(printQuery(one === undefined ? {} : { [member]: one }, nameOf), without);
  }
  attributes.forEach((one, index) => {
    const rest = attributes.filter((_, other) => other !== index);
    const { attributes: all, ...without } = filter;
    const text = printQuery({ attributes: [one] });
    add(text, rest.length === 0 ? without : { ...without, attributes: rest });
  });
  conditionGroup?.conditions.forEach((one, index) => {
    const rest = conditionGroup.conditions.filter((_, other) => other !== index);
    const { conditionGroup: all, ...without } = filter;
    add(
      printCondition(one, nameOf),
      rest.length === 0
        ? without
        : { ...without, conditionGroup: { ...conditionGroup, conditions: rest } },
      index === 0 ? 'and' : conditionGroup.match,
    );
  });
  if (search !== undefined) {
    const { search: all, ...without } = filter;
    add(printQuery({ search }), without);
  }
  return chips;
}

/** Names without what they stand for: each leads to an id of its own, and that back to the name. */
interface NamePlaceholders {
  readonly resolve: ResolveName;
  readonly nameOf: NameOf;
}

/**
 * Makes ids for names, so that a query can be changed without a name being lost, be it that several
 * share it or that nobody has it now.
 *
 * @param nameOf the names of ids that are real.
 * @param resolve what is taken as it is where it leads anywhere.
 */
function createNamePlaceholders(nameOf?: NameOf, resolve?: ResolveName): NamePlaceholders {
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  const symbolOf = (kind: NameKind, name: string): string => {
    const key = `${kind} ${name}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = `ffffffff-ffff-4fff-bfff-${ids.size.toString(16).padStart(12, '0')}`;
    ids.set(key, id);
    names.set(id, name);
    return id;
  };
  return {
    resolve(kind, name) {
      const real = resolve?.(kind, name) ?? [];
      return real.length > 0 ? real : [symbolOf(kind, name)];
    },
    nameOf: (kind, id) => names.get(id) ?? nameOf?.(kind, id),
  };
}
