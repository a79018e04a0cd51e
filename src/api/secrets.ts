/**
 * Replaces secrets, such as the key that a server or a program quotes, by `***`, also where JSON has escaped
 * them. Remove them before a text is cut: a cut leaves a part of one, which is not found any more.
 *
 * @param secrets the longest first. Empty ones are ignored.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let rest = text;
  for (const secret of secrets) {
    if (secret === '') continue;
    const escaped = JSON.stringify(secret).slice(1, -1);
    for (const form of new Set([secret, escaped, escaped.replaceAll('/', '\\/')])) {
      rest = rest.replaceAll(form, '***');
    }
  }
  return rest;
}
