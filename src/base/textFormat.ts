/**
 * Formats a count in the user's language.
 *
 * @param one for numbers with the singular form, which includes 0 in some languages.
 * @param other for all other numbers.
 * @param args for `{1}` and so on; `{0}` is the number.
 */
export type Counted = (
  count: number,
  one: string,
  other: string,
  ...args: (string | number)[]
) => string;

/** Texts in the user's language. */
export interface Texts {
  readonly t: Translate;
  readonly counted: Counted;
}

/** Formats numbers in the user's language. */
export interface Numbers {
  readonly counted: Counted;
  /** Such as `12,345`. */
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string;
}

/**
 * @param locale a BCP 47 tag for the number format. English if it is invalid.
 * @param textLocale the language of the texts of `t`, for the plural forms. English if there is no translation.
 */
export function createNumbers(t: Translate, locale: string, textLocale: string): Numbers {
  const language = supportedLanguage(locale);
  const format = lazy(() => new Intl.NumberFormat(language));
  const forms = lazy(() => new Intl.PluralRules(supportedLanguage(textLocale)));
  return {
    counted: (count, one, other, ...args) => {
      const message = forms().select(count) === 'one' ? one : other;
      return t(message, format().format(count), ...args);
    },
    number: (value, options) =>
      options === undefined ? format().format(value) : value.toLocaleString(language, options),
  };
}

/** Whether a text shows nothing. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

/** Joins the parts that are there and not blank. */
export function joined(parts: readonly (string | undefined)[], separator: string): string {
  return parts.filter((part) => part !== undefined && !isBlank(part)).join(separator);
}

/** Joins the same parts with a dot. */
export function dotted(parts: readonly (string | undefined)[]): string {
  return joined(parts, ' · ');
}

/** Lines with aligned columns, in a font whose characters have one width, or two as those of Chinese and Japanese. */
export function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell))))
      .join('  ')
      .trimEnd(),
  );
}

function widthOf(text: string): number {
  return (
    text.length +
    (text.match(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g)?.length ??
      0)
  );
}

/** Up to two names and how many more there are; undefined without names. */
export function someNames(names: readonly string[], t: Translate): string | undefined {
  const different = [...new Set(names)];
  if (different.length === 0) return undefined;
  const first = different.slice(0, 2).join(', ');
  return different.length <= 2 ? first : t('{0} and {1} more', first, different.length - 2);
}

/** Formats a template with `{0}`, `{1}` in the user's language, like `vscode.l10n.t`. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** A language that `Intl` accepts. VS Code allows any text, for which `Intl` would throw. */
export function supportedLanguage(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Makes a value when it is first used. The first format of `Intl` takes tens of milliseconds to load. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * Makes a regular expression when it is first used. V8 parses all literals when it loads the bundle, which takes 0.1 ms
 * for each class of Unicode, such as `\p{L}`.
 *
 * @param source made with `String.raw`.
 */
export function lazyRegExp(source: string, flags: string): () => RegExp {
  return lazy(() => new RegExp(source, flags));
}

/** A copy of a text for a cache: a part of a long text would keep all of it in memory. */
export function copyText(part: string): string {
  return part.split('').join('');
}

/** Made with the first comparison, because the start of the extension needs none and it takes milliseconds. */
const collator = lazy(() => new Intl.Collator('en', { numeric: true, sensitivity: 'base' }));

/**
 * The order of names in every list, for `sort`: as people count, so that `rule 2` is before `rule 10`, and
 * ignoring case and the language of the machine.
 */
export function compareNames(a: string, b: string): number {
  const order = collator().compare(a, b);
  if (order !== 0 || a === b) return order;
  return a < b ? -1 : 1;
}

/** Longer texts are no words. In UTF-16 units; the time that a comparison takes grows with its square. */
const longestWord = 100;

/**
 * The candidate that a word was probably meant to be: the one with the fewest typing errors, if these are
 * few for its length. Ignores the case.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined;
  const typed = word.toLowerCase();
  const most = Math.min(2, Math.floor(typed.length / 3));
  let best: { readonly candidate: string; readonly errors: number } | undefined;
  for (const candidate of candidates) {
    // More letters too many or too few than errors are allowed.
    if (Math.abs(candidate.length - typed.length) > most) continue;
    const errors = typingErrors(typed, candidate.toLowerCase());
    if (errors <= most && errors < (best?.errors ?? Infinity)) best = { candidate, errors };
  }
  return best?.candidate;
}

/** `severities` as `severity`: one of several, as English writes words that end with y. */
export function singular(word: string): string {
  return word.replace(/ies$/i, 'y');
}

/** How many letters are missing, too many, wrong, or in the wrong order. */
function typingErrors(word: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= word.length; row++) {
    const now = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = word[row - 1] === other[column - 1];
      const isSwapped = word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1];
      now[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before?.[column - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    [before, last] = [last, now];
  }
  return last?.[other.length] ?? 0;
}
