import { lazy } from './lazy';

/**
 * Says how many there are, in the language of the person.
 *
 * @param one for a number that the language treats as its singular, which is 0 too in some.
 * @param other for every other number.
 * @param args for `{1}` and so on; `{0}` is the number itself.
 */
export type Counted = (
  count: number,
  one: string,
  other: string,
  ...args: (string | number)[]
) => string;

/** Numbers in the language of the person. */
export interface Numbers {
  readonly counted: Counted;
  /** A number as people read it, such as `12,345`. */
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string;
}

export interface NumbersOptions {
  readonly t: Translate;
  /** A BCP 47 tag: how digits are grouped. English where it is none. */
  readonly locale: string;
  /** The language that `t` answers in, whose plural forms count: English for texts without a translation. */
  readonly textLocale: string;
}

export function createNumbers({ t, locale, textLocale }: NumbersOptions): Numbers {
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

/** The parts that are there, with a dot between them. */
export function dotted(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part).join(' · ');
}

/** Up to two names, and how many more there are. */
export function someNames(names: readonly string[], t: Translate): string | undefined {
  const different = [...new Set(names)];
  if (different.length === 0) return undefined;
  const first = different.slice(0, 2).join(', ');
  return different.length <= 2 ? first : t('{0} and {1} more', first, different.length - 2);
}

/** Makes a text of a template with `{0}`, `{1}` in the language of the person: as `vscode.l10n.t`. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** VS Code lets people name any language, and `Intl` throws at what it cannot read. */
export function supportedLanguage(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
