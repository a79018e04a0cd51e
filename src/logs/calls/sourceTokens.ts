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
  const tokenizer = new SourceTokenizer(text, language);
  tokenizer.scanCode();
  pairBrackets(tokenizer.tokens);
  return tokenizer.tokens;
}

/** Reads source text from its beginning to its end. */
class SourceTokenizer {
  readonly tokens: (Token & { pair: number })[] = [];
  /** Heredocs whose text begins on the next line, with the indexes of their tokens. */
  private readonly heredocs: { readonly form: LiteralForm; readonly index: number }[] = [];
  private position = 0;
  /** How many interpolations the position is in. */
  private depth = 0;
  /** Whether nothing precedes the next token in its line. */
  private first = true;
  private previous: Token | undefined;
  private noRegexBefore = 0;

  constructor(
    private readonly text: string,
    private readonly language: Language,
  ) {
    const { beforeCode } = language;
    if (beforeCode !== undefined) this.position = this.look(beforeCode)?.[0].length ?? 0;
  }

  /** Whether a pattern matches at the position; `lastIndex` of the pattern is the end then. */
  private matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    return pattern.test(this.text);
  }

  /** Moves behind a pattern and adds what it matches as a token, if it matches. */
  private addMatch(kind: Token['kind'], pattern: RegExp): boolean {
    if (!this.matches(pattern)) return false;
    const start = this.position;
    this.position = pattern.lastIndex;
    this.add(kind, start);
    return true;
  }

  /** Matches at the position without moving it. */
  private look(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    return pattern.exec(this.text);
  }

  private add(kind: Token['kind'], start: number, literal?: Literal): void {
    const plain = kind === 'name' || kind === 'symbol';
    const source = plain ? this.text.slice(start, this.position) : '';
    const token = {
      kind,
      start,
      end: this.position,
      text: source,
      first: this.first,
      pair: -1,
      literal,
    };
    this.previous = token;
    this.first = false;
    if (this.depth === 0) this.tokens.push(token);
  }

  private skipComment(): boolean {
    const end = commentEnd(this.text, this.position, this.language.comments);
    this.position = end ?? this.position;
    return end !== undefined;
  }

  /** Whether a literal can begin here although an operator can, too: `puts /a/`, but `a / b`. */
  private beginsValue(): boolean {
    if (!isValue(this.previous)) return true;
    const spaced =
      /\s/.test(this.text.charAt(this.position - 1)) &&
      !/\s/.test(this.text.charAt(this.position + 1));
    return this.language.commands && this.previous?.kind === 'name' && spaced;
  }

  private skipRegex(): boolean {
    if (!this.language.regex || this.position < this.noRegexBefore || !this.beginsValue())
      return false;
    const before = this.text.charAt(this.position - 1);
    // Tags of JSX.
    if (
      before === '<' ||
      (this.text[this.position + 1] === '>' && !/[(,=]/.test(this.previous?.text ?? ''))
    ) {
      return false;
    }
    const end = regexEnd(this.text, this.position);
    if (end !== undefined) {
      const start = this.position;
      this.position = end;
      this.add('number', start);
      return true;
    }
    const lineEnd = this.text.indexOf('\n', this.position);
    this.noRegexBefore = lineEnd === -1 ? this.text.length : lineEnd;
    return false;
  }

  private skipHole(form: LiteralForm, open: string): Hole {
    const start = this.position;
    this.position += open.length;
    const from = this.position;
    this.depth++;
    const wasFirst = this.first;
    this.previous = undefined;
    const to = this.scanCode(form);
    this.first = wasFirst;
    this.depth--;
    const close = '}'.repeat(open.length - open.indexOf('{'));
    if (this.text.startsWith(close, this.position)) this.position += close.length;
    else if (this.text[this.position] === '}') this.position++;
    return { start, end: this.position, code: { start: from, end: to } };
  }

  /** The interpolation that begins here. */
  private readHole(form: LiteralForm): Hole | undefined {
    const { hole, name } = form;
    if (hole !== undefined && this.text.startsWith(hole, this.position)) {
      if (form.doubled === true && this.text.startsWith('{{', this.position)) return undefined;
      return this.depth < deepest ? this.skipHole(form, hole) : undefined;
    }
    const found = name === undefined ? null : this.look(name());
    if (found === null) return undefined;
    if (found[0].startsWith('{'))
      return this.depth < deepest ? this.skipHole(form, '{') : undefined;
    const start = this.position;
    this.position += found[0].length;
    const code = { start: form.keepsSign === true ? start : start + 1, end: this.position };
    return { start, end: this.position, code };
  }

  /** The length of the end of the literal, if it is here. */
  private closeLength({ close }: LiteralForm): number | undefined {
    if (typeof close === 'string')
      return this.text.startsWith(close, this.position) ? close.length : undefined;
    const atLineStart = this.position === 0 || this.text[this.position - 1] === '\n';
    return atLineStart ? this.look(close)?.[0].length : undefined;
  }

  /** Moves to the next character of a literal that may mean more than itself. */
  private skipPlain({ close, nests }: LiteralForm): void {
    const ends = typeof close === 'string' ? close : '';
    for (
      this.position++;
      this.position < this.text.length && this.text[this.position - 1] !== '\n';
      this.position++
    ) {
      const character = this.text.charAt(this.position);
      if ('\\\n{$#'.includes(character) || ends.includes(character) || character === nests) return;
    }
  }

  /** Reads a literal from its body to its end. */
  private readBody(form: LiteralForm): Literal {
    const start = this.position;
    const holes: Hole[] = [];
    let nested = 0;
    while (this.position < this.text.length) {
      const character = this.text.charAt(this.position);
      const close = this.closeLength(form);
      if (close !== undefined) {
        const end = this.position;
        this.position += close;
        if (nested === 0) {
          const again = form.escapes === 'doubled' && this.closeLength(form) !== undefined;
          if (!again) return { form, body: { start, end }, holes };
          this.position += close;
        } else nested--;
      } else if (character === '\n' && form.lines !== true) {
        return { form, body: { start, end: this.position }, holes };
      } else if (character === '\\' && form.escapes !== 'none' && form.escapes !== 'doubled') {
        this.position += 2;
      } else if (
        form.doubled === true &&
        this.text.startsWith('{{', this.position) &&
        form.hole === '{'
      ) {
        this.position += 2;
      } else {
        const hole = this.readHole(form);
        if (hole !== undefined) holes.push(hole);
        else {
          if (character === form.nests) nested++;
          this.skipPlain(form);
        }
      }
    }
    this.position = this.text.length;
    return { form, body: { start, end: this.position }, holes };
  }

  private readLiteral(): boolean {
    if (!this.language.literalStart.includes(this.text.charAt(this.position))) return false;
    for (const { open, form, operator } of this.language.literals) {
      const found = this.look(open);
      if (found === null || (operator === true && !this.beginsValue())) continue;
      const start = this.position;
      this.position += found[0].length;
      const chosen = typeof form === 'function' ? form(found) : form;
      if (chosen.nextLine === true) {
        this.add('string', start);
        if (this.depth === 0) this.heredocs.push({ form: chosen, index: this.tokens.length - 1 });
      } else this.add('string', start, chosen.close === '' ? undefined : this.readBody(chosen));
      return true;
    }
    return false;
  }

  private readHeredocs(): void {
    for (const { form, index } of this.heredocs.splice(0)) {
      const token = this.tokens[index];
      if (token !== undefined) this.tokens[index] = { ...token, literal: this.readBody(form) };
    }
  }

  /**
   * Reads code to the end of the text, or to the bracket that ends an interpolation. Returns the end of the
   * expression.
   */
  scanCode(inHole?: LiteralForm): number {
    let brackets = 0;
    while (this.position < this.text.length) {
      const character = this.text.charAt(this.position);
      if (character === '\n') {
        this.position++;
        this.first = true;
        if (this.depth === 0) this.readHeredocs();
      } else if (this.matches(blank)) {
        this.position = blank.lastIndex;
      } else if (
        this.skipComment() ||
        this.readLiteral() ||
        this.addMatch('name', this.language.name()) ||
        this.addMatch('number', number)
      ) {
        // Done.
      } else if (character !== '/' || !this.skipRegex()) {
        if (inHole !== undefined && brackets === 0) {
          if (character === '}') return this.position;
          if (character === ':' && inHole.format === true) return this.skipFormat();
        }
        if (/[([{]/.test(character)) brackets++;
        if (/[)\]}]/.test(character)) brackets--;
        this.addMatch('symbol', symbol);
      }
    }
    this.position = this.text.length;
    return this.position;
  }

  /** Moves to the end of the format of an interpolation: `:>{width}`. Returns its start. */
  private skipFormat(): number {
    const start = this.position;
    for (let nested = 0; this.position < this.text.length; this.position++) {
      const character = this.text[this.position];
      if (character === '\n' || (character === '}' && nested === 0)) break;
      if (character === '{') nested++;
      if (character === '}') nested--;
    }
    return start;
  }
}

/** Whether a token ends a value, so that an operator can follow. */
function isValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'symbol') return /^[)\]}]$/.test(token.text);
  return token.kind !== 'name' || !wordsBeforeValue.has(token.text);
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
