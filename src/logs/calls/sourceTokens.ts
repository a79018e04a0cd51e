import type { Language, Comments } from './languages';
import type { LiteralForm } from './literalForms';

/** A range of positions in a text, in UTF-16 units. `end` is exclusive. */
export interface CodeSpan {
  readonly start: number;
  readonly end: number;
}

/** An interpolation of a string. `code` is the expression in it. */
interface Hole extends CodeSpan {
  readonly code: CodeSpan;
}

/** A string. `body` is its text without quotes; of a heredoc of Ruby it begins on the next line. */
interface Literal {
  readonly form: LiteralForm;
  readonly body: CodeSpan;
  readonly holes: readonly Hole[];
}

export interface Token extends CodeSpan {
  readonly kind: 'name' | 'number' | 'string' | 'symbol';
  /** The source of a name or symbol; empty for others. */
  readonly text: string;
  /** Whether it is the first of its line. */
  readonly first: boolean;
  /** The index of the other bracket of a pair; -1 for other tokens and without the other one. */
  readonly pair: number;
  readonly literal: Literal | undefined;
}

/** Interpolations within interpolations that are read; deeper ones are text. */
const deepest = 16;

const symbol =
  /=>|->|::|\?->|\?\.(?!\d)|\?:|\?\?|&\.|!!|[=!<>]==?|<<|&&|\|\||\.\.\.?|[+\-*/%.|&^~]=|[^]/y;
const number = /\d(?:\w|\.(?=\d))*/y;
/** A backslash joins lines. */
const blank = /(?:[^\S\n]|\\\r?\n)+/y;

/** Words after which a value begins: a slash there begins a regular expression. */
const wordsBeforeValue = new Set(
  (
    'return typeof instanceof in of new delete void throw case do else yield await ' +
    'if elsif unless while until when and or not then puts'
  ).split(' '),
);

/**
 * Splits source text into tokens without comments, in linear time. Accepts any text: an unclosed string ends
 * with its line, or with the text if it can have lines.
 */
export function tokenizeSource(text: string, language: Language): readonly Token[] {
  const tokens: (Token & { pair: number })[] = [];
  /** Heredocs whose text begins on the next line, with the indexes of their tokens. */
  const heredocs: { readonly form: LiteralForm; readonly index: number }[] = [];
  let position = 0;
  let depth = 0;
  let first = true;
  let previous: Token | undefined;
  let noRegexBefore = 0;

  /** Whether a pattern matches at the position; `lastIndex` of the pattern is the end then. */
  function matches(pattern: RegExp): boolean {
    pattern.lastIndex = position;
    return pattern.test(text);
  }

  /** Moves behind a pattern and adds what it matches as a token, if it matches. */
  function take(kind: Token['kind'], pattern: RegExp): boolean {
    if (!matches(pattern)) return false;
    const start = position;
    position = pattern.lastIndex;
    add(kind, start);
    return true;
  }

  /** Matches at the position without moving it. */
  function look(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position;
    return pattern.exec(text);
  }

  function add(kind: Token['kind'], start: number, literal?: Literal): void {
    const plain = kind === 'name' || kind === 'symbol';
    const source = plain ? text.slice(start, position) : '';
    const token = { kind, start, end: position, text: source, first, pair: -1, literal };
    previous = token;
    first = false;
    if (depth === 0) tokens.push(token);
  }

  function skipComment(): boolean {
    const end = commentEnd(text, position, language.comments);
    position = end ?? position;
    return end !== undefined;
  }

  function isValue(token: Token | undefined): boolean {
    if (token === undefined) return false;
    if (token.kind === 'symbol') return /^[)\]}]$/.test(token.text);
    return token.kind !== 'name' || !wordsBeforeValue.has(token.text);
  }

  /** Whether a literal can begin here although an operator can, too: `puts /a/`, but `a / b`. */
  function beginsValue(): boolean {
    if (!isValue(previous)) return true;
    const spaced = /\s/.test(text.charAt(position - 1)) && !/\s/.test(text.charAt(position + 1));
    return language.commands && previous?.kind === 'name' && spaced;
  }

  function skipRegex(): boolean {
    if (!language.regex || position < noRegexBefore || !beginsValue()) return false;
    const before = text.charAt(position - 1);
    // Tags of JSX.
    if (before === '<' || (text[position + 1] === '>' && !/[(,=]/.test(previous?.text ?? ''))) {
      return false;
    }
    const end = regexEnd(text, position);
    if (end !== undefined) {
      const start = position;
      position = end;
      add('number', start);
      return true;
    }
    const lineEnd = text.indexOf('\n', position);
    noRegexBefore = lineEnd === -1 ? text.length : lineEnd;
    return false;
  }

  function skipHole(form: LiteralForm, open: string): Hole {
    const start = position;
    position += open.length;
    const from = position;
    depth++;
    const wasFirst = first;
    previous = undefined;
    const to = scanCode(form);
    first = wasFirst;
    depth--;
    const close = '}'.repeat(open.length - open.indexOf('{'));
    if (text.startsWith(close, position)) position += close.length;
    else if (text[position] === '}') position++;
    return { start, end: position, code: { start: from, end: to } };
  }

  /** The interpolation that begins here. */
  function takeHole(form: LiteralForm): Hole | undefined {
    const { hole, name } = form;
    if (hole !== undefined && text.startsWith(hole, position)) {
      if (form.doubled === true && text.startsWith('{{', position)) return undefined;
      return depth < deepest ? skipHole(form, hole) : undefined;
    }
    const found = name === undefined ? null : look(name());
    if (found === null) return undefined;
    if (found[0].startsWith('{')) return depth < deepest ? skipHole(form, '{') : undefined;
    const start = position;
    position += found[0].length;
    const code = { start: form.keepsSign === true ? start : start + 1, end: position };
    return { start, end: position, code };
  }

  /** The length of the end of the literal, if it is here. */
  function closeLength({ close }: LiteralForm): number | undefined {
    if (typeof close === 'string')
      return text.startsWith(close, position) ? close.length : undefined;
    const atLineStart = position === 0 || text[position - 1] === '\n';
    return atLineStart ? look(close)?.[0].length : undefined;
  }

  /** Moves to the next character of a literal that may mean more than itself. */
  function skipPlain({ close, nests }: LiteralForm): void {
    const ends = typeof close === 'string' ? close : '';
    for (position++; position < text.length && text[position - 1] !== '\n'; position++) {
      const character = text.charAt(position);
      if ('\\\n{$#'.includes(character) || ends.includes(character) || character === nests) return;
    }
  }

  /** Reads a literal from its body to its end. */
  function takeBody(form: LiteralForm): Literal {
    const start = position;
    const holes: Hole[] = [];
    let nested = 0;
    while (position < text.length) {
      const character = text.charAt(position);
      const close = closeLength(form);
      if (close !== undefined) {
        const end = position;
        position += close;
        if (nested === 0) {
          const again = form.escapes === 'doubled' && closeLength(form) !== undefined;
          if (!again) return { form, body: { start, end }, holes };
          position += close;
        } else nested--;
      } else if (character === '\n' && form.lines !== true) {
        return { form, body: { start, end: position }, holes };
      } else if (character === '\\' && form.escapes !== 'none' && form.escapes !== 'doubled') {
        position += 2;
      } else if (form.doubled === true && text.startsWith('{{', position) && form.hole === '{') {
        position += 2;
      } else {
        const hole = takeHole(form);
        if (hole !== undefined) holes.push(hole);
        else {
          if (character === form.nests) nested++;
          skipPlain(form);
        }
      }
    }
    position = text.length;
    return { form, body: { start, end: position }, holes };
  }

  function takeLiteral(): boolean {
    if (!language.literalStart.includes(text.charAt(position))) return false;
    for (const { open, form, operator } of language.literals) {
      const found = look(open);
      if (found === null || (operator === true && !beginsValue())) continue;
      const start = position;
      position += found[0].length;
      const chosen = typeof form === 'function' ? form(found) : form;
      if (chosen.nextLine === true) {
        add('string', start);
        if (depth === 0) heredocs.push({ form: chosen, index: tokens.length - 1 });
      } else add('string', start, chosen.close === '' ? undefined : takeBody(chosen));
      return true;
    }
    return false;
  }

  function takeHeredocs(): void {
    for (const { form, index } of heredocs.splice(0)) {
      const token = tokens[index];
      if (token !== undefined) tokens[index] = { ...token, literal: takeBody(form) };
    }
  }

  /**
   * Reads code to the end of the text, or to the bracket that ends an interpolation. Returns the end of the
   * expression.
   */
  function scanCode(inHole?: LiteralForm): number {
    let brackets = 0;
    while (position < text.length) {
      const character = text.charAt(position);
      if (character === '\n') {
        position++;
        first = true;
        if (depth === 0) takeHeredocs();
      } else if (matches(blank)) {
        position = blank.lastIndex;
      } else if (
        skipComment() ||
        takeLiteral() ||
        take('name', language.name()) ||
        take('number', number)
      ) {
        // Done.
      } else if (character !== '/' || !skipRegex()) {
        if (inHole !== undefined && brackets === 0) {
          if (character === '}') return position;
          if (character === ':' && inHole.format === true) return skipFormat();
        }
        if (/[([{]/.test(character)) brackets++;
        if (/[)\]}]/.test(character)) brackets--;
        take('symbol', symbol);
      }
    }
    position = text.length;
    return position;
  }

  /** Moves to the end of the format of an interpolation: `:>{width}`. Returns its start. */
  function skipFormat(): number {
    const start = position;
    for (let nested = 0; position < text.length; position++) {
      const character = text[position];
      if (character === '\n' || (character === '}' && nested === 0)) break;
      if (character === '{') nested++;
      if (character === '}') nested--;
    }
    return start;
  }

  if (language.beforeCode !== undefined) position = look(language.beforeCode)?.[0].length ?? 0;
  scanCode();
  pairBrackets(tokens);
  return tokens;
}

/** The end of the comment that begins at a position; undefined if none does. */
function commentEnd(text: string, position: number, comments: Comments): number | undefined {
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
function regexEnd(text: string, start: number): number | undefined {
  let inClass = false;
  for (let index = start + 1; index < text.length && text[index] !== '\n'; index++) {
    const character = text[index];
    // Not even a backslash takes it to the next line.
    if (character === '\\' && text[index + 1] !== '\n') index++;
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
function pairBrackets(tokens: readonly Paired[]): void {
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
