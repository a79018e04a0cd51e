import type { NameKind } from './fields';
import { type Span, type Term, type Text, tokenize } from './tokens';

/** Where in a query somebody is typing; the span is what a completion replaces. */
export type CompletionContext =
  /** In quotes that are free text. */
  | (Span & { readonly kind: 'text' })
  /** Where a field can begin. */
  | (Span & {
      readonly kind: 'word';
      readonly typed: string;
      /** Whether a field or a group stands right before it. */
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
export function completionContextAt(text: string, offset: number): CompletionContext {
  const typed = text.slice(0, offset);
  const { terms, unclosedGroups } = tokenize(typed);
  // A group that goes on here has no end yet.
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
    // A parenthesis is part of the word as long as no field stands behind it.
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
    // With the operator, since what is inserted brings one.
    end: endOf(/[^\s"(),:=~!^$]*(?:[!^$]?=|!?~|:)?/y, text, offset),
    typed: text.slice(start, offset),
    afterField: before?.field !== undefined || before?.group !== undefined,
  };
}

function valueEnd(text: string, offset: number, value: Text | undefined, operator: string): number {
  if (value?.quoted === true) {
    // Up to the quote that ends it, if one does.
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

/** What is known of the logs in hand; the most likely first, each. */
export interface QueryKnowledge {
  readonly names: (kind: NameKind) => readonly { readonly id: string; readonly name: string }[];
  /** Values of records, by the name that their field has in queries. */
  readonly values: (field: string) => readonly string[];
  readonly attributes: () => readonly string[];
  readonly attributeValues: (name: string) => readonly string[];
}

/** Something that can stand at a place in a query. */
export interface Completion {
  readonly kind: 'field' | 'operator' | 'value' | 'name' | 'word';
  /** How it is called; what is typed is looked for in it. */
  readonly label: string;
  /** What to insert. */
  readonly text: string;
  /** The id of a name. */
  readonly detail?: string;
}
