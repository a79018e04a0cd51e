import { lazyRegExp } from '../../base/textFormat';

/** How a string is written. */
export interface LiteralForm {
  /** The text that ends it, or the pattern of the line that does. Empty if it has ended already. */
  readonly close: string | RegExp;
  /** A bracket that is closed in it, too: `%w(a (b))`. */
  readonly nests?: string;
  /**
   * What a backslash does: an escape, one of the closing quote and of itself only, one that stays in the
   * text, or nothing. `doubled`: nothing, and two closing quotes mean one.
   */
  readonly escapes: 'all' | 'quote' | 'kept' | 'none' | 'doubled';
  /** Whether it can have several lines. */
  readonly lines?: boolean;
  /** The beginning of an interpolation, which ends with `}`. */
  readonly hole?: string;
  /** An interpolation without brackets, such as `$name`. If it matches a bracket, an expression follows. */
  readonly name?: () => RegExp;
  /** Whether the sign before such a name is a part of it. */
  readonly keepsSign?: boolean;
  /** Whether `{{` and `}}` mean brackets. */
  readonly doubled?: boolean;
  /** Whether an interpolation can have a format behind a colon. */
  readonly format?: boolean;
  /** Whether its text begins on the next line. */
  readonly nextLine?: boolean;
  /** Whether its lines lose the indent that they share. */
  readonly indented?: boolean;
}

/** A kind of string by its beginning. Patterns are sticky. */
export interface LiteralRule {
  readonly open: RegExp;
  readonly form: LiteralForm | ((open: RegExpExecArray) => LiteralForm);
  /** Whether its beginning is an operator behind a value. */
  readonly operator?: boolean;
}

/** A string on one line with escapes. */
function quoted(quote: string, more?: Partial<LiteralForm>): LiteralRule {
  return { open: new RegExp(quote, 'y'), form: { close: quote, escapes: 'all', ...more } };
}

/** A literal that its beginning matches as a whole. */
function whole(open: RegExp, operator = false): LiteralRule {
  return { open, operator, form: { close: '', escapes: 'none' } };
}

export const javascriptLiterals: readonly LiteralRule[] = [
  quoted('"'),
  quoted("'"),
  quoted('`', { lines: true, hole: '${' }),
];

export const pythonLiterals: readonly LiteralRule[] = [
  {
    open: /([rbutf]{0,2})("""|'''|"|')/iy,
    form: ([, prefix = '', close = '']) => ({
      close,
      escapes: /r/i.test(prefix) ? 'kept' : 'all',
      lines: close.length === 3,
      ...(/[ft]/i.test(prefix) ? { hole: '{', doubled: true, format: true } : {}),
    }),
  },
];

export const javaLiterals: readonly LiteralRule[] = [
  quoted('"""', { lines: true, indented: true }),
  quoted('"'),
  quoted("'"),
];

const kotlinHoles = { hole: '${', name: lazyRegExp(String.raw`\$[\p{L}_][\p{L}\p{N}_]*`, 'uy') };
export const kotlinLiterals: readonly LiteralRule[] = [
  quoted('"""', { escapes: 'none', lines: true, ...kotlinHoles }),
  quoted('"', kotlinHoles),
  quoted("'"),
  whole(/`[^`\n]*`/y),
];

export const goLiterals: readonly LiteralRule[] = [
  quoted('"'),
  quoted('`', { escapes: 'none', lines: true }),
  quoted("'"),
];

export const rustLiterals: readonly LiteralRule[] = [
  whole(/b?'(?:\\(?:u\{[\da-f_]{1,8}\}|x[\da-f]{2}|[^])|[^\\'\n])'/iuy),
  {
    open: /[bc]?r(#*)"/y,
    form: ([, hashes = '']) => ({ close: `"${hashes}`, escapes: 'none', lines: true }),
  },
  { open: /[bc]?"/y, form: { close: '"', escapes: 'all', lines: true } },
];

const interpolated = { hole: '{', doubled: true, format: true };
export const csharpLiterals: readonly LiteralRule[] = [
  {
    open: /(\$*)("{3,})/y,
    form: ([, signs = '', close = '']) => ({
      close,
      escapes: 'none',
      lines: true,
      indented: true,
      ...(signs === '' ? {} : { hole: '{'.repeat(signs.length), format: true }),
    }),
  },
  { open: /\$@"|@\$"/y, form: { close: '"', escapes: 'doubled', lines: true, ...interpolated } },
  { open: /@"/y, form: { close: '"', escapes: 'doubled', lines: true } },
  { open: /\$"/y, form: { close: '"', escapes: 'all', ...interpolated } },
  quoted('"'),
  quoted("'"),
];

/** The line with the name of a heredoc, which ends it. The name is short, for it becomes a pattern. */
const lastLine = (name: string, rest: string) => new RegExp(`[ \\t]*${name}${rest}`, 'my');

const phpHoles = {
  hole: '${',
  name: lazyRegExp(String.raw`\{(?=\$)|\$[a-z_]\w*(?:\??->\w+|\[[^\]\n]{1,60}\])?`, 'iy'),
  keepsSign: true,
};
export const phpLiterals: readonly LiteralRule[] = [
  {
    open: /<<<[ \t]*(["']?)([a-z_]\w{0,99})\1\r?\n/iy,
    form: ([, quote, name = '']) => ({
      close: lastLine(name, '\\b'),
      lines: true,
      indented: true,
      ...(quote === "'" ? { escapes: 'none' } : { escapes: 'all', ...phpHoles }),
    }),
  },
  quoted('"', { lines: true, ...phpHoles }),
  quoted("'", { escapes: 'quote', lines: true }),
  quoted('`', { lines: true, ...phpHoles }),
];

const closingBrackets: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '<': '>',
};
export const rubyLiterals: readonly LiteralRule[] = [
  {
    open: /<<(?:([~-])(["'`]?)([A-Za-z_]\w{0,99})\2|(["'`])([A-Za-z_]\w{0,99})\4|([A-Z_]\w{0,99}))(?!\w)/y,
    operator: true,
    form: ([, indent, quote, name, otherQuote, otherName, plainName = '']) => ({
      close: lastLine(name ?? otherName ?? plainName, '[ \\t]*\\r?$'),
      lines: true,
      nextLine: true,
      indented: indent === '~',
      ...((quote ?? otherQuote) === "'" ? { escapes: 'none' } : { escapes: 'all', hole: '#{' }),
    }),
  },
  {
    open: /%([qwiQWIrsx]?)([([{<|!/^~])/y,
    operator: true,
    form: ([, kind = '', open = '']) => ({
      close: closingBrackets[open] ?? open,
      lines: true,
      ...(open in closingBrackets ? { nests: open } : {}),
      ...(/[qwis]/.test(kind) ? { escapes: 'quote' } : { escapes: 'all', hole: '#{' }),
    }),
  },
  quoted('"', { lines: true, hole: '#{' }),
  quoted("'", { lines: true, escapes: 'quote' }),
  quoted('`', { lines: true, hole: '#{' }),
  whole(/\?["'`#%/](?!\w)/y, true),
];
