/** VS Code lets people name any language, and `Intl` throws at what it cannot read. */
export function supportedLanguage(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
