import { cleanupBody, validateCleanup } from '../api/validateRequest';
import { InvalidRequestError, type LocalizableMessage } from '../api/errors';

/** What is wrong with the items of a clean-up. */
export type ItemsProblem =
  | { readonly kind: 'none' }
  /** More items than a request may contain. */
  | { readonly kind: 'tooMany'; readonly count: number; readonly limit: LocalizableMessage }
  /** The item at this position, from 1, is not text. */
  | { readonly kind: 'notText'; readonly place: number }
  /** The item contains an unpaired surrogate, which cannot be sent. */
  | { readonly kind: 'malformed'; readonly place: number; readonly name: string }
  /** Anything else that the contract does not allow. */
  | { readonly kind: 'notAllowed'; readonly error: InvalidRequestError };

interface ItemNames {
  /** Trimmed, without duplicates, in the original order. */
  readonly names: readonly string[];
  /** Undefined if these can be sent. */
  readonly problem: ItemsProblem | undefined;
}

/** Parses names that the user typed or pasted, separated by line breaks or commas. */
export function parseItemNames(text: string): ItemNames {
  return checked(distinct(text.split(/[\r\n,\u2028\u2029]/)));
}

/** Reads names from an untrusted argument. Each item of the list is one name, even with commas. */
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
