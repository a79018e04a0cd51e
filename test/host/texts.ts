import type translations from '../../media/l10n/bundle.l10n.de.json';

/**
 * A text of the user interface as the source code gives it to `vscode.l10n.t`, with its holes.
 * Tests name texts by it: if the words change, the type check finds each place, and replacing
 * the key everywhere (source code, bundles, tests) is the whole change.
 */
export type UiText = keyof typeof translations;

type Value = string | number;

/** The text with values in place of `{0}`, `{1}` and so on. */
export function uiText(key: UiText, ...values: readonly Value[]): string {
  return key.replaceAll(/\{(\d)\}/g, (_, index: string) => String(valueAt(key, values, index)));
}

/**
 * Finds the text within another one.
 *
 * @param values what stands in `{0}`, `{1}` and so on; undefined, or left out: anything
 */
export function uiPattern(key: UiText, ...values: readonly (Value | RegExp | undefined)[]): RegExp {
  return new RegExp(
    key
      .split(/(\{\d\})/)
      .map((part, index) => (index % 2 === 0 ? escaped(part) : sourceOf(values[Number(part[1])])))
      .join(''),
    's',
  );
}

/** Finds texts and patterns that stand directly one after the other. */
export function sequence(...parts: readonly (string | RegExp)[]): RegExp {
  return new RegExp(parts.map(sourceOf).join(''), 's');
}

function valueAt(key: string, values: readonly Value[], index: string): Value {
  const value = values[Number(index)];
  if (value === undefined) throw new Error(`No value for {${index}}: ${key}`);
  return value;
}

function sourceOf(value: Value | RegExp | undefined): string {
  if (value === undefined) return '.*';
  return value instanceof RegExp ? value.source : escaped(String(value));
}

/** A text as a part of a regular expression. */
export function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
