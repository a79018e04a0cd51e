import { sanitise } from '../text/sanitise';

/** Starts each data line, so that no data line can look like a line of the fence. */
const margin = '| ';

export interface FenceOptions {
  /** Unpredictable text, so that the data cannot contain the end of the fence. */
  readonly mark: string;
  /** Limit of the data as UTF-8, without the lines of the fence. */
  readonly maxBytes: number;
  /** Which entries to keep if there are too many. */
  readonly keep: 'first' | 'last';
}

export interface Fenced {
  readonly text: string;
  /** How many entries it contains. */
  readonly shown: number;
}

/**
 * Puts untrusted entries between two lines that only we can write. Each line of an entry is sanitised and
 * gets a margin, so that no text can end the fence or look like text outside of it.
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

/** The length of a text as UTF-8, in bytes. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Cuts a text to `maxLength` UTF-16 units and says how many are left out; never splits a character. */
export function clipped(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)} [+${text.length - end}]`;
}
