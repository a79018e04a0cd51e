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
