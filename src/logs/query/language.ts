import type { LogFilter } from './filter';
import { toFilter } from './draft';
import type { Draft, Part } from './draft';
import { attributeField, attributeOperators, queryFields } from './fields';
import type { NameKind, QueryField } from './fields';
import type { QueryError, QueryProblem } from './problems';
import { quote, quoteAlways, tokenize } from './tokens';
import type { Field, Span, Text } from './tokens';

export type { NameKind } from './fields';
export type { QueryError, QueryProblem } from './problems';

export interface UnresolvedName extends Span {
  readonly kind: NameKind;
  readonly name: string;
}

export type QueryResult =
  | {
      readonly ok: true;
      readonly filter: LogFilter;
      /**
       * Names that stand for no id. They are not in the filter, which therefore asks for more than
       * was meant: do not use it before they are settled.
       */
      readonly unresolved: readonly UnresolvedName[];
    }
  | { readonly ok: false; readonly errors: readonly QueryError[] };

/** The ids that a name stands for: none, one or, where several share it, all of them. */
export type ResolveName = (kind: NameKind, name: string) => readonly string[];

/** The name to print for an id, if there is one that `ResolveName` takes back to this id alone. */
export type NameOf = (kind: NameKind, id: string) => string | undefined;

/** How free text is called in problems. */
const searchField = 'search';

const idShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Compiles a query such as `severity:error,fatal workload:web-api attr.user=42 "free text"`. Bare
 * words are free text, and so is what stands in quotes; a name with an operator right behind it is
 * always a field. Values of one field are alternatives.
 */
export function parseQuery(query: string, resolve: ResolveName = () => []): QueryResult {
  const { terms, unclosed, unexpected } = tokenize(query);
  const draft: Draft = new Map();
  const texts: Text[] = [];
  const unresolved: UnresolvedName[] = [];
  const errors: QueryError[] = [];

  function report(span: Span, problem: QueryProblem, allowed: readonly string[] = []): void {
    errors.push({ start: span.start, end: span.end, problem, allowed });
  }

  function partsOf(member: keyof LogFilter): Part[] {
    const parts = draft.get(member) ?? [];
    draft.set(member, parts);
    return parts;
  }

  function readText(text: Text): void {
    const alone = text.quoted || texts[0]?.quoted === true;
    if (alone && texts.length > 0) report(text, { kind: 'onlyOne', field: searchField });
    else texts.push(text);
  }

  function readAttribute({ key, operator, start, end }: Field, value: Text | undefined): void {
    const field = `${attributeField}.${key?.text ?? ''}`;
    const name = attributeOperators.get(operator);
    if (key === undefined || key.text === '') {
      report({ start, end }, { kind: 'missingAttribute' });
    } else if (name === undefined) {
      report({ start, end }, { kind: 'operator', field, operator }, [...attributeOperators.keys()]);
    } else if (value === undefined || (value.text === '' && !value.quoted)) {
      report({ start, end }, { kind: 'missingValue', field });
    } else {
      const filter = { key: key.text, value: value.text };
      partsOf('attributes').push({
        field,
        // `equals` is what the contract takes where there is none.
        value: name === 'equals' ? filter : { ...filter, operator: name },
        start,
        end: value.end,
      });
    }
  }

  function readValue(
    field: string,
    { member, many, names, normalise }: QueryField,
    value: Text,
  ): void {
    const parts = partsOf(member);
    const { start, end, text } = value;
    if (text === '') report(value, { kind: 'missingValue', field });
    else if (!many && parts.length > 0) report(value, { kind: 'onlyOne', field });
    else {
      const byName = names !== undefined && !idShape.test(text);
      const found = byName ? resolve(names, text) : [normalise?.(text) ?? text];
      if (byName && found.length === 0) unresolved.push({ kind: names, name: text, start, end });
      for (const one of found) {
        if (!parts.some((part) => part.value === one))
          parts.push({ field, value: one, start, end });
      }
    }
  }

  function readField(field: Field, values: readonly Text[]): void {
    const name = field.name.toLowerCase();
    const known = field.key === undefined ? queryFields.get(name) : undefined;
    if (field.negated) report(field, { kind: 'negation', field: field.name });
    else if (name === attributeField) readAttribute(field, values[0]);
    else if (known === undefined) {
      const allowed = [...queryFields.keys(), attributeField];
      report(field, { kind: 'unknownField', field: field.name }, allowed);
    } else if (field.operator !== ':') {
      report(field, { kind: 'operator', field: name, operator: field.operator }, [':']);
    } else values.forEach((value) => readValue(name, known, value));
  }

  for (const { field, values } of terms) {
    if (field === undefined) values.forEach(readText);
    else readField(field, values);
  }
  const [first] = texts;
  const search = texts.map(({ text }) => text).join(' ');
  if (first !== undefined && search !== '') {
    const end = texts.at(-1)?.end ?? first.end;
    partsOf('search').push({ field: searchField, value: search, start: first.start, end });
  }
  for (const span of unclosed) report(span, { kind: 'unclosedQuote' });
  for (const span of unexpected) report(span, { kind: 'unexpectedText' });

  const { filter, errors: broken } = toFilter(draft);
  errors.push(...broken);
  if (errors.length === 0) return { ok: true, filter, unresolved };
  return { ok: false, errors: errors.sort((a, b) => a.start - b.start) };
}

/**
 * Prints a filter as a query that compiles to the same filter; undefined where it has conditions,
 * which the language cannot say yet.
 */
export function printQuery(filter: LogFilter, nameOf?: NameOf): string | undefined {
  if (filter.conditionGroup !== undefined) return undefined;
  const terms: string[] = [];
  for (const [field, { member, names }] of queryFields) {
    const value = filter[member] ?? [];
    const values = typeof value === 'string' ? [value] : value;
    if (values.length === 0) continue;
    const printed = values.map((one) => {
      const name = names && nameOf?.(names, one);
      return quote(name === undefined || name === '' || idShape.test(name) ? one : name);
    });
    terms.push(`${field}:${printed.join(',')}`);
  }
  for (const { key, value, operator } of filter.attributes ?? []) {
    const sign = operator === 'contains' ? '~' : '=';
    terms.push(`${attributeField}.${quote(key)}${sign}${quote(value)}`);
  }
  if (filter.search !== undefined && filter.search !== '') terms.push(quoteAlways(filter.search));
  return terms.join(' ');
}
