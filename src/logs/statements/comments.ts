/** How comments are written. Patterns of beginnings are sticky. */
export interface Comments {
  /** The characters that can begin one. */
  readonly start: string;
  /** One that ends with its line. */
  readonly line: RegExp;
  /** The text that ends it before its line ends. */
  readonly lineEnd?: string;
  /** Comments that nest have a group `open` in `openOrClose`. */
  readonly blocks: readonly { readonly open: RegExp; readonly openOrClose: RegExp }[];
}

/** The end of the comment that begins at a position; undefined if none does. */
export function commentEnd(text: string, position: number, comments: Comments): number | undefined {
  if (!comments.start.includes(text.charAt(position))) return undefined;
  const matches = (pattern: RegExp) => {
    pattern.lastIndex = position;
    return pattern.test(text);
  };
  if (matches(comments.line)) {
    const newline = text.indexOf('\n', position);
    const end = newline === -1 ? text.length : newline;
    const early =
      comments.lineEnd === undefined ? -1 : text.slice(position, end).indexOf(comments.lineEnd);
    return early === -1 ? end : position + early;
  }
  for (const { open, openOrClose } of comments.blocks) {
    if (!matches(open)) continue;
    openOrClose.lastIndex = open.lastIndex;
    for (let depth = 1; depth > 0;) {
      const found = openOrClose.exec(text);
      if (found === null) return text.length;
      depth += found.groups?.['open'] === undefined ? -1 : 1;
    }
    return openOrClose.lastIndex;
  }
  return undefined;
}
