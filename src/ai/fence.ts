import { sanitise } from '../text/sanitise';

/** What each line between the lines of a fence begins with, so that none of them can be taken for one. */
const margin = '| ';

export interface FenceOptions {
  /** A text that nobody can foresee: whoever writes the data cannot write the end of the fence. */
  readonly mark: string;
  /** Of the data, as UTF-8; the lines of the fence come on top. */
  readonly maxBytes: number;
  /** Which entries stay where there are too many. */
  readonly keep: 'first' | 'last';
}

export interface Fenced {
  readonly text: string;
  /** How many of the entries are in it. */
  readonly shown: number;
}

/**
 * Untrusted entries between two lines that only we can write. Each line of an entry is made harmless
 * (`sanitise`) and gets a margin, so that no text can end the fence or look as if it stood outside.
 */
export function fenced(entries: readonly string[], { mark, maxBytes, keep }: FenceOptions): Fenced {
  const shown: string[] = [];
  let left = maxBytes;
  for (const entry of keep === 'first' ? entries : [...entries].reverse()) {
    const text = withMargin(entry);
    left -= utf8Length(text);
    if (left < 0) break;
    shown.push(text);
  }
  if (keep === 'last') shown.reverse();
  return {
    text: `<<<DATA ${mark}\n${shown.join('')}DATA ${mark}>>>`,
    shown: shown.length,
  };
}

function withMargin(entry: string): string {
  return entry
    .replace(/\n$/, '')
    .split(/\r?\n/)
    .map((line) => `${margin}${sanitise(line)}\n`)
    .join('');
}

/** How many bytes a text takes as UTF-8. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The beginning of a text, with how many UTF-16 units are left out of it; never half a character. */
export function clipped(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)} [+${text.length - end}]`;
}
