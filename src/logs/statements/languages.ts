/** How a string is written. */
export interface LiteralForm {
  /** The text after which it ends, or the pattern of the line that ends it. Empty if it has ended already. */
  readonly close: string | RegExp;
  /** A bracket that is closed in it, too: `%w(a (b))`. */
  readonly nests?: string;
  /**
   * How its end is written in it: with a backslash, by doubling it, or not at all. In a raw string of Python
   * the backslash is kept.
   */
  readonly escapes: 'backslash' | 'kept' | 'doubled' | 'none';
  /** Whether it can have several lines. */
  readonly lines: boolean;
  /** What begins an interpolation, which ends with `}`. */
  readonly hole?: string;
  /** The interpolation of a name without brackets. If it matches a bracket, an expression follows. */
  readonly name?: RegExp;
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

interface LiteralRule {
  readonly open: RegExp;
  readonly form: LiteralForm | ((open: RegExpExecArray) => LiteralForm);
  /** Whether it is an operator behind a value. */
  readonly afterOperator?: boolean;
}

/** The tokens of a language. Patterns are sticky. */
export interface Language {
  readonly name: RegExp;
  /** The characters that can begin a comment. */
  readonly commentStart: string;
  readonly lineComment: RegExp;
  /** What ends a comment before its line ends. */
  readonly lineCommentEnd?: string;
  readonly blockComments: readonly { readonly open: RegExp; readonly openOrClose: RegExp }[];
  /** The characters that can begin a string. */
  readonly literalStart: string;
  /** In this order. */
  readonly literals: readonly LiteralRule[];
  /** Whether a slash can begin a regular expression. */
  readonly regex: boolean;
  /** Whether a call needs no parentheses. */
  readonly commandCalls: boolean;
  /** Where code begins; the start without it. */
  readonly codeStart?: (text: string) => number;
}

const name = /#?[\p{L}_$@][\p{L}\p{N}_$]*/uy;

/** The comments of C and its descendants. */
const comments = {
  commentStart: '/',
  lineComment: /\/\//y,
  blockComments: [{ open: /\/\*/y, openOrClose: /\*\//g }],
};

const plain = (close: string): LiteralForm => ({ close, escapes: 'backslash', lines: false });
const quoted = (quote: string): LiteralRule => ({
  open: new RegExp(quote, 'y'),
  form: plain(quote),
});

const javascript: Language = {
  name,
  ...comments,
  literalStart: '"\'`',
  literals: [
    quoted('"'),
    quoted("'"),
    { open: /`/y, form: { close: '`', escapes: 'backslash', lines: true, hole: '${' } },
  ],
  regex: true,
  commandCalls: false,
};

const languages: Readonly<Record<string, Language>> = {
  javascript,
};

export function languageOf(id: string): Language | undefined {
  return languages[id];
}
