import type { NameKind } from './fields';
import { type Span, type Term, type Text, tokenize } from './tokens';

/** What the user types at a position of a query. A completion replaces the span. */
export type CompletionContext =
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
export function completionContextAt(text: string, offset: number): CompletionContext {
  const typed = text.slice(0, offset);
  const { terms, unclosedGroups } = tokenize(typed);
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

/** A completion. */
export interface Completion {
  readonly kind: 'field' | 'operator' | 'value' | 'name' | 'word';
  /** The label, which is compared with the typed text. */
  readonly label: string;
  /** The text to insert. */
  readonly text: string;
  /** The id, if it is a name. */
  readonly detail?: string;
}
