/** Text that is the same in every language: names, ids, and parts of the query language. */
const same = [
  /Control Plane/g,
  /https?:\/\/\S+/g,
  /\b(?:severity|last|preview):\S+/g,
  /\blive\b/g,
  /\b[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b/g,
];

/** Times formatted by `Intl`, in English if it does not know the language. */
const times = [
  /\b\d+ (?:sec|min|hr|day|wk|mo|yr)s?\b\.?(?: ago)?|\bin \d+ \w+\.?|\b(?:yesterday|tomorrow|now)\b/g,
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b/g,
];

/**
 * The texts that are not in the language of `pseudo`: they have vowels without an accent.
 *
 * @param data what is the same in every language, longest first.
 */
export function untranslated(texts: readonly string[], data: readonly string[] = []): string[] {
  return texts.filter((text) => {
    let rest = text;
    for (const pattern of [...same, ...times]) rest = rest.replace(pattern, '');
    for (const name of data) rest = rest.replaceAll(name, '');
    return /[aeiou]/i.test(rest);
  });
}

/** Every word and text of the control plane's data, longest first. */
export function dataOf(value: unknown): string[] {
  const found = new Set<string>();
  const collect = (one: unknown): void => {
    if (typeof one === 'string' && /[a-z]{3}/i.test(one)) found.add(one);
    else if (typeof one === 'object' && one !== null) Object.values(one).forEach(collect);
  };
  collect(value);
  return [...found].sort((a, b) => b.length - a.length);
}
