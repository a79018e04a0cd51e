import type { TreeContext } from './nodes';

/** Remembered that are kept; a tree of many rows has few different ones. */
const maxTexts = 5000;

/** What was made of a template and the arguments that lead here, and of more of them. */
interface Remembered {
  text?: string;
  readonly next: Map<string | number, Remembered>;
}

/** The same context, with texts made once each: a long list asks for the same ones again and again. */
export function withRememberedTexts(context: TreeContext): TreeContext {
  const texts: Remembered = { next: new Map() };
  let count = 0;
  const textsOf = (before: Remembered, part: string | number): Remembered => {
    let known = before.next.get(part);
    if (known === undefined) before.next.set(part, (known = { next: new Map() }));
    return known;
  };
  return {
    ...context,
    t(message, ...args) {
      if (count >= maxTexts) {
        texts.next.clear();
        count = 0;
      }
      let at = textsOf(texts, message);
      for (const arg of args) at = textsOf(at, arg);
      if (at.text === undefined) {
        at.text = context.t(message, ...args);
        count++;
      }
      return at.text;
    },
  };
}
