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

/** The end of the regular expression that begins with a slash at `start`; undefined if its line has no end of it. */
export function regexEnd(text: string, start: number): number | undefined {
  let inClass = false;
  for (let index = start + 1; index < text.length && text[index] !== '\n'; index++) {
    const character = text[index];
    if (character === '\\') index++;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) {
      for (index++; /\w/.test(text.charAt(index)); index++);
      return index;
    }
  }
  return undefined;
}

const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

interface Paired {
  readonly kind: string;
  readonly text: string;
  pair: number;
}

/**
 * Sets the index of the other bracket in the tokens that are brackets, in linear time. In broken code, a bracket
 * closes the innermost one of its kind, and those within it stay open.
 */
export function pairBrackets(tokens: readonly Paired[]): void {
  const open: { readonly token: Paired; readonly index: number }[] = [];
  const openOfKind = new Map<string, number>();
  const count = (bracket: string) => openOfKind.get(bracket) ?? 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'symbol') continue;
    if (/^[([{]$/.test(token.text)) {
      open.push({ token, index });
      openOfKind.set(token.text, count(token.text) + 1);
    }
    const wanted = closing[token.text];
    if (wanted === undefined || count(wanted) === 0) continue;
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      openOfKind.set(last.token.text, count(last.token.text) - 1);
      if (last.token.text !== wanted) continue;
      last.token.pair = index;
      token.pair = last.index;
      break;
    }
  }
}
