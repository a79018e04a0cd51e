import { cleanupBody } from '../api/cleanupBody';
import { InvalidRequestError, type LocalizableMessage } from '../api/errors';
import { validateCleanup } from '../api/validateRequest';

/** What is wrong with the items of a clean-up. */
export type ItemsProblem =
  | { readonly kind: 'none' }
  /** More than a request may have. */
  | { readonly kind: 'tooMany'; readonly count: number; readonly limit: LocalizableMessage }
  /** The item at this place, counted from 1, is no text. */
  | { readonly kind: 'notText'; readonly place: number }
  /** Half a character in it, which no name can have and no request can carry. */
  | { readonly kind: 'malformed'; readonly place: number; readonly name: string }
  /** Anything else that the contract does not allow. */
  | { readonly kind: 'notAllowed'; readonly error: InvalidRequestError };

export interface ItemNames {
  /** Trimmed, each once, in the order in which they came. */
  readonly names: readonly string[];
  /** Undefined where a clean-up of these may be sent. */
  readonly problem: ItemsProblem | undefined;
}

/** Reads names as a person typed or pasted them: one a line, or separated by commas. */
export function parseItemNames(text: string): ItemNames {
  return checked(distinct(text.split(/[\r\n,\u2028\u2029]/)));
}

/** Reads names that came as an argument, from anywhere: each item of a list is one name, commas and all. */
export function readItemNames(value: unknown): ItemNames {
  if (!Array.isArray(value)) return { names: [], problem: { kind: 'none' } };
  const items: readonly unknown[] = value;
  const texts = items.filter((item) => typeof item === 'string');
  const names = distinct(texts);
  const place = items.findIndex((item) => typeof item !== 'string') + 1;
  return place > 0 ? { names, problem: { kind: 'notText', place } } : checked(names);
}

function distinct(texts: readonly string[]): readonly string[] {
  const names = texts.map((text) => text.trim()).filter((name) => name !== '');
  return [...new Set(names)];
}

function checked(names: readonly string[]): ItemNames {
  return { names, problem: problemOf(names) };
}

function problemOf(names: readonly string[]): ItemsProblem | undefined {
  if (names.length === 0) return { kind: 'none' };
  const malformed = names.findIndex((name) => /\p{Surrogate}/u.test(name));
  if (malformed >= 0) {
    return { kind: 'malformed', place: malformed + 1, name: names[malformed] ?? '' };
  }
  try {
    validateCleanup(cleanupBody(names));
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    if (error.field !== 'items') return { kind: 'notAllowed', error };
    return { kind: 'tooMany', count: names.length, limit: error.limit };
  }
}
