import type { Language } from './languages';
import type { Token } from './sourceTokens';

/** A range of tokens by their indexes. `to` is exclusive. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/** A name of a chain such as `a.b(c).d`. */
export interface Segment {
  readonly name: string;
  /** What is in its parentheses, if it has some. */
  readonly call?: TokenRange;
}

/** What is before a method: `a.b(c)` of `a.b(c).d()`. */
interface Chain {
  /** The index of its first token. */
  readonly from: number;
  /** The first one first. */
  readonly segments: readonly Segment[];
}

/** What a call passes. */
export interface CallArguments {
  readonly args: readonly TokenRange[];
  /** A block behind the arguments: `{ "text" }`. */
  readonly block?: TokenRange;
  /** The index of the last token. */
  readonly last: number;
}

/** The longest chain that is read, in names. */
const longestChain = 30;
/** The most tokens of arguments without parentheses, and of blocks between words. */
const mostTokens = 200;

/** Whether a token joins the names of a chain. */
export function isJoint(token: Token | undefined, { joints }: Pick<Language, 'joints'>): boolean {
  return joints.has(token?.text ?? '');
}

/** Reads the names before the name at `index`, backwards. */
export function chainBefore(
  tokens: readonly Token[],
  index: number,
  language: Pick<Language, 'joints'>,
): Chain {
  const segments: Segment[] = [];
  let from = index;
  while (segments.length < longestChain) {
    if (!isJoint(tokens[from - 1], language)) break;
    const segment = segmentBefore(tokens, from - 2);
    if (segment === undefined) break;
    segments.unshift(segment);
    from = segment.from;
  }
  return { from, segments };
}

/** The segment that ends at `end`, inclusive. */
function segmentBefore(
  tokens: readonly Token[],
  end: number,
): (Segment & { readonly from: number }) | undefined {
  let at = end;
  while (/^!!?$/.test(tokens[at]?.text ?? '')) at--;
  let call: TokenRange | undefined;
  // Brackets behind a name: a call, or an index.
  while (tokens[at]?.text === ')' || tokens[at]?.text === ']') {
    const open = tokens[at]?.pair ?? -1;
    if (open === -1) return undefined;
    if (tokens[at]?.text === ')') call = { from: open + 1, to: at };
    at = open - 1;
  }
  if (call !== undefined) at = beforeGenerics(tokens, at);
  const token = tokens[at];
  if (token?.kind === 'name') {
    return { name: token.text, from: at, ...(call === undefined ? {} : { call }) };
  }
  return call === undefined ? undefined : { name: '', from: call.from - 1, call };
}

/** The index of the token before `<A, B>` if such types end at `end`; else `end`. */
function beforeGenerics(tokens: readonly Token[], end: number): number {
  if (tokens[end]?.text !== '>') return end;
  for (let index = end - 1, depth = 1; index >= 0; index--) {
    const { kind, text = '' } = tokens[index] ?? {};
    if (text === '>') depth++;
    else if (text === '<' && --depth === 0) return index - 1;
    else if (kind !== 'name' && !/^[.,?]$/.test(text)) return end;
  }
  return end;
}

/** Splits a range at the commas that are in no brackets of it. */
export function splitArguments(tokens: readonly Token[], { from, to }: TokenRange): TokenRange[] {
  const ranges: TokenRange[] = [];
  let start = from;
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.pair > index) index = token.pair;
    else if (token.text === ',' || token.text === ';') {
      if (index > start) ranges.push({ from: start, to: index });
      start = index + 1;
    }
  }
  if (start < to) ranges.push({ from: start, to });
  return ranges;
}

/** Reads what follows the name of a method: parentheses, a block or both. */
export function argumentsAfter(
  tokens: readonly Token[],
  index: number,
  options: { readonly blocks: boolean; readonly commands: boolean; readonly macro: boolean },
): CallArguments | undefined {
  let open = index + 1;
  if (tokens[open]?.text === '?.') open++;
  const bracket = tokens[open];
  let args: readonly TokenRange[] = [];
  let last = index;
  const opens = options.macro ? /^[([{]$/ : /^\($/;
  if (
    bracket !== undefined &&
    opens.test(bracket.text) &&
    !(options.commands && isSpaced(tokens, open))
  ) {
    if (bracket.pair === -1) return undefined;
    args = splitArguments(tokens, { from: open + 1, to: bracket.pair });
    last = bracket.pair;
  } else if (options.commands && !endsCommand(bracket)) {
    const to = endOfCommand(tokens, open);
    if (to > open) return { args: splitArguments(tokens, { from: open, to }), last: to - 1 };
  }
  if (options.blocks) {
    const block = blockAt(tokens, last + 1, options.commands);
    if (block !== undefined) return { args, block, last: block.to };
  }
  return last === index ? undefined : { args, last };
}

function isSpaced(tokens: readonly Token[], index: number): boolean {
  return (tokens[index - 1]?.end ?? 0) < (tokens[index]?.start ?? 0);
}

/** Words and signs before which the arguments of a command end, and those that continue them on the next line. */
const afterCommand = new Set('if unless while until rescue and or do end then ; } ) ]'.split(' '));
const continuing = new Set([',', '+', '.', '\\', '&.', '<<', '||', '&&']);

/** Whether a token cannot be the first argument of a command. */
function endsCommand(token: Token | undefined): boolean {
  if (token === undefined || token.first || afterCommand.has(token.text)) return true;
  return token.kind === 'symbol' && !/^(?:::?|->|[*&![(-])$/.test(token.text);
}

function endOfCommand(tokens: readonly Token[], from: number): number {
  let index = from;
  for (; index < tokens.length && index < from + mostTokens; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    const before = tokens[index - 1]?.text ?? '';
    const isLinked = token.text === '.' || token.text === '&.';
    if (index > from && token.first && !isLinked && !continuing.has(before)) break;
    if (index > from && afterCommand.has(token.text)) {
      // A key of a hash: `if: true`.
      if (tokens[index + 1]?.text !== ':' && before !== '.' && before !== '&.') break;
    }
    if (token.pair > index) index = token.pair;
  }
  return Math.min(index, tokens.length);
}

/** A block in brackets, or between `do` and `end`, that begins at `index`. */
function blockAt(tokens: readonly Token[], index: number, words: boolean): TokenRange | undefined {
  const open = tokens[index];
  if (open?.text === '{' && open.pair !== -1) return { from: index + 1, to: open.pair };
  if (!words || open?.text !== 'do') return undefined;
  for (let end = index + 1; end < tokens.length && end < index + mostTokens; end++) {
    if (tokens[end]?.text === 'end') return { from: index + 1, to: end };
  }
  return undefined;
}
