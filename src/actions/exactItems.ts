import type { Translate } from '../text/translate';
import { cutMiddle, exactText, type ExactText } from './exactText';

export interface ItemOptions {
  readonly t: Translate;
  /** Characters that are at work where it is shown, as `<` is in HTML. */
  readonly active?: string;
  /** Most characters of a name that are shown; the middle of a longer one is left out. */
  readonly maxUnits?: number;
}

export interface ExactName {
  readonly shown: string;
  /** Why it may not be what it looks like. */
  readonly mark: string | undefined;
}

/** A name as it is sent, on one line. */
export function exactName(name: string, { t, active, maxUnits }: ItemOptions): ExactName {
  const exact = exactText(name, active);
  return { shown: cutMiddle(exact.units, maxUnits), mark: markOf(exact, t, maxUnits) };
}

/** The same as an item of a list. */
export function exactItem(name: string, options: ItemOptions): string {
  const { shown, mark } = exactName(name, options);
  return mark === undefined ? `• ${shown}` : `⚠ ${shown} — ${mark}`;
}

function markOf(
  { units, ascii, isEscaped, isMixed }: ExactText,
  t: Translate,
  maxUnits: number | undefined,
): string | undefined {
  const isPlain = units.every((unit, index) => unit === ascii[index]);
  if (!isPlain) {
    const codes = cutMiddle(ascii, maxUnits);
    return isMixed ? t('mixes alphabets: {0}', codes) : t('not plain letters: {0}', codes);
  }
  return isEscaped ? t('what does not show stands as its code') : undefined;
}

export interface ItemList {
  /** As many lines as a dialog holds. */
  readonly lines: readonly string[];
  /** Whether these are all items, and whole. */
  readonly isWhole: boolean;
}

/** Lines of text that a dialog holds on a small screen, and characters that one of them has. */
const maxLines = 16;
const lineLength = 52;
/** Of a name that is not shown whole. */
const maxUnits = 160;

/** The items as a dialog shows them: all, or as many as it holds, of which those too long are cut. */
export function dialogItems(items: readonly string[], t: Translate): ItemList {
  const whole = items.map((name) => exactItem(name, { t }));
  if (linesOf(whole) <= maxLines) return { lines: whole, isWhole: true };
  const cut = items.map((name) => exactItem(name, { t, maxUnits }));
  let count = cut.length;
  while (count > 1 && linesOf(cut.slice(0, count)) > maxLines) count--;
  return { lines: cut.slice(0, count), isWhole: false };
}

function linesOf(items: readonly string[]): number {
  return items.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / lineLength)), 0);
}
