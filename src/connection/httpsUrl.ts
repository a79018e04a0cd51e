/** A URL that may be opened: https and nothing that could lead astray, such as a user name. */
export function httpsUrl(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 2000 || /[\s\\]/.test(text)) return undefined;
  try {
    const url = new URL(text);
    const isPlain = url.username === '' && url.password === '' && url.hostname !== '';
    return url.protocol === 'https:' && isPlain ? url.href : undefined;
  } catch {
    return undefined;
  }
}
