import {
  anyValue,
  attributeField,
  conditionFields,
  conditionOperators,
  existenceField,
  fieldNamed,
  fieldNames,
  fieldOfAttribute,
  isId,
  type NamedField,
  type TimeField,
  type NameKind,
} from './fields';
import { allowedValues } from './filterBuilder';
import { quote, type Span, type Term, type Text, tokenizeQuery } from './queryTokens';

const times: ReadonlyMap<string, readonly string[]> = new Map<TimeField, readonly string[]>([
  ['last', ['15m', '1h', '6h', '24h', '7d']],
  ['from', ['today', 'yesterday', '1h', '24h', '7d']],
  ['to', ['now', 'today', 'yesterday', '1h']],
]);

const anything: Completion = { kind: 'value', label: anyValue, text: anyValue };

/** The possible next values of a field, not filtered by the typed text yet. */
function valueItems(
  { field, operator, others }: CompletionContext & { readonly kind: 'value' },
  knowledge: QueryKnowledge,
): readonly Completion[] {
  const name = field.name.toLowerCase();
  const known = fieldNamed(name);
  const canExist = name === attributeField || known?.condition !== undefined;
  const items =
    name === attributeField
      ? attributeItems(field.key, operator, knowledge)
      : name === existenceField
        ? existenceItems(knowledge)
        : known === undefined
          ? (times.get(name) ?? []).map(valueItem)
          : fieldItems(known, operator, knowledge);
  return [
    ...items.filter(({ label }) => !others.includes(label)),
    ...(canExist && operator === ':' && others.length === 0 ? [anything] : []),
  ];
}

function valueItem(value: string): Completion {
  return { kind: 'value', label: value, text: quote(value) };
}

function attributeItems(
  name: string | undefined,
  operator: string,
  knowledge: QueryKnowledge,
): Completion[] {
  // After a colon, an attribute can only be tested for existence.
  return name === undefined || operator === ':'
    ? []
    : knowledge.attributeValues(name).map(valueItem);
}

function existenceItems(knowledge: QueryKnowledge): Completion[] {
  const attributes = knowledge.attributes().map(fieldOfAttribute);
  return [...conditionFields.filter((one) => one !== attributeField), ...attributes].map(valueItem);
}

function fieldItems(
  { name, member, names, exact }: NamedField,
  operator: string,
  knowledge: QueryKnowledge,
): Completion[] {
  const isWhole = [':', '=', '!='].includes(operator);
  const named = names === undefined || exact || !isWhole ? [] : knowledge.names(names);
  const nameItems = named
    .filter((one) => one.name !== '' && !isId(one.name))
    .map((one): Completion => ({
      kind: 'name',
      label: one.name,
      text: quote(one.name),
      detail: one.id,
    }));
  const haveName = new Set(nameItems.map(({ detail }) => detail));
  const listed = member === undefined ? [] : allowedValues(member);
  const seen = knowledge.values(name).filter((value) => !haveName.has(value));
  return [...nameItems, ...[...new Set([...listed, ...seen])].map(valueItem)];
}

/** Replacements for a part of a query, the best first. */
interface Completions extends Span {
  readonly items: readonly Completion[];
}

/** The most completions that are returned. */
const maxItems = 50;

/**
 * The completions at a position of a query, by the text before it. They replace the rest of the word or
 * value too.
 *
 * @param offset in UTF-16 units.
 */
export function completionsAt(
  text: string,
  offset: number,
  knowledge: QueryKnowledge,
): Completions {
  const place = completionContextAt(text, offset);
  const { start, end } = place;
  return { start, end, items: itemsAt(place, knowledge).slice(0, maxItems) };
}

function itemsAt(place: CompletionContext, knowledge: QueryKnowledge): readonly Completion[] {
  switch (place.kind) {
    case 'text':
      return [];
    case 'word':
      return wordItems(place.typed, place.afterField, knowledge);
    case 'value':
      return fitting(place.typed, valueItems(place, knowledge));
  }
}

/** Labels that begin with the typed text, then those that contain it. */
function fitting(typed: string, items: readonly Completion[]): readonly Completion[] {
  const wanted = typed.toLowerCase();
  const found = items
    .map((item) => ({ item, at: item.label.toLowerCase().indexOf(wanted) }))
    .filter(({ at }) => at >= 0);
  const pick = (isFirst: boolean): Completion[] =>
    found.filter(({ at }) => (at === 0) === isFirst).map(({ item }) => item);
  return [...pick(true), ...pick(false)];
}

function wordItems(
  typed: string,
  afterField: boolean,
  knowledge: QueryKnowledge,
): readonly Completion[] {
  const minus = typed.startsWith('-') ? '-' : '';
  const name = typed.slice(minus.length);
  const fields = fieldNames.map((one): Completion => {
    const text = minus + one + (one === attributeField ? '.' : ':');
    return { kind: 'field', label: one, text };
  });
  const attributes = knowledge.attributes().map((one): Completion => {
    const text = `${minus}${fieldOfAttribute(quote(one))}=`;
    return { kind: 'field', label: fieldOfAttribute(one), text };
  });
  const word: Completion = { kind: 'word', label: 'or', text: 'or' };
  return fitting(name, [
    ...fields,
    ...operators(minus, name),
    ...attributes,
    ...(afterField && minus === '' ? [word] : []),
  ]);
}

/** If the name of a field is complete, only its operators are offered. */
function operators(minus: string, typed: string): Completion[] {
  const known = fieldNamed(typed);
  if (known?.condition === undefined) return [];
  const signs = minus === '' ? conditionOperators : conditionOperators.slice(0, 1);
  return signs.map((sign) => {
    const label = typed + sign;
    return { kind: 'operator', label, text: minus + label };
  });
}

/** What the user types at a position of a query. A completion replaces the span. */
type CompletionContext =
  /** In quoted free text. */
  | (Span & { readonly kind: 'text' })
  /** A position where a field can begin. */
  | (Span & {
      readonly kind: 'word';
      readonly typed: string;
      /** Whether a field or a group precedes it. */
      readonly afterField: boolean;
    })
  | (Span & {
      readonly kind: 'value';
      readonly typed: string;
      readonly field: { readonly name: string; readonly key: string | undefined };
      readonly operator: string;
      /** The other values of the field. */
      readonly others: readonly string[];
    });

/** @param offset in UTF-16 units. */
function completionContextAt(text: string, offset: number): CompletionContext {
  const typed = text.slice(0, offset);
  const { terms, unclosedGroups } = tokenizeQuery(typed);
  // An unfinished group has no end yet.
  const inGroup = unclosedGroups.length > 0;
  const all = inGroup ? (terms.at(-1)?.group ?? []) : terms;
  const last = all.at(-1);
  if (last?.end !== typed.length) return word({ text, offset, start: offset, before: last });

  const value = last.values.at(-1);
  if (last.field === undefined) {
    if (value === undefined || last.group !== undefined) {
      return { kind: 'text', start: offset, end: offset };
    }
    if (value.quoted) return { kind: 'text', start: value.start, end: offset };
    // A parenthesis is part of the word until a field follows it.
    const parentheses = /^\(*/.exec(value.text)?.[0].length ?? 0;
    return word({ text, offset, start: value.start + parentheses, before: all.at(-2) });
  }
  const { name, key, operator } = last.field;
  return {
    kind: 'value',
    start: value?.start ?? offset,
    end: valueEnd(text, offset, value, operator),
    typed: value?.text ?? '',
    field: { name, key: key?.text },
    operator,
    others: last.values.slice(0, -1).map((one) => one.text),
  };
}

interface WordAt {
  readonly text: string;
  readonly offset: number;
  readonly start: number;
  readonly before: Term | undefined;
}

function word({ text, offset, start, before }: WordAt): CompletionContext {
  return {
    kind: 'word',
    start,
    // Includes the operator, because the inserted text has one.
    end: endOf(/[^\s"(),:=~!^$]*(?:[!^$]?=|!?~|:)?/y, text, offset),
    typed: text.slice(start, offset),
    afterField: before?.field !== undefined || before?.group !== undefined,
  };
}

function valueEnd(text: string, offset: number, value: Text | undefined, operator: string): number {
  if (value?.quoted === true) {
    // Up to the closing quote, if there is one.
    const end = endOf(/(?:[^"\\]|\\.)*"/sy, text, offset);
    return isClosed(text.slice(value.start, offset)) ? offset : end;
  }
  return endOf(operator === ':' ? /[^\s",)]*/y : /[^\s)]*/y, text, offset);
}

function isClosed(quoted: string): boolean {
  return /^"(?:[^"\\]|\\.)*"$/s.test(quoted);
}

function endOf(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return offset + (pattern.exec(text)?.[0].length ?? 0);
}

/** Known names and values for completions, the most likely first. */
export interface QueryKnowledge {
  readonly names: (kind: NameKind) => readonly { readonly id: string; readonly name: string }[];
  /** Values of records, by the name of their field in queries. */
  readonly values: (field: string) => readonly string[];
  readonly attributes: () => readonly string[];
  readonly attributeValues: (name: string) => readonly string[];
}

export interface Completion {
  readonly kind: 'field' | 'operator' | 'value' | 'name' | 'word';
  /** The label, which is compared with the typed text. */
  readonly label: string;
  /** The text to insert. */
  readonly text: string;
  /** The id, if it is a name. */
  readonly detail?: string;
}
