import {
  type LiteralRule,
  csharpLiterals,
  goLiterals,
  javaLiterals,
  javascriptLiterals,
  kotlinLiterals,
  phpLiterals,
  pythonLiterals,
  rubyLiterals,
  rustLiterals,
} from './literalForms';

/** Languages whose code and loggers look alike. */
export type Family =
  'javascript' | 'python' | 'java' | 'kotlin' | 'go' | 'ruby' | 'csharp' | 'rust' | 'php';

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

/** The tokens of a language. Patterns are sticky. */
export interface Language {
  readonly name: RegExp;
  readonly comments: Comments;
  /** The characters that can begin a string. */
  readonly literalStart: string;
  /** The first that matches applies. */
  readonly literals: readonly LiteralRule[];
  /** Whether a slash can begin a regular expression. */
  readonly regex: boolean;
  /** Whether a call needs no parentheses. */
  readonly commands: boolean;
  /** Whether a call can have a block of code behind it. */
  readonly blocks: boolean;
  /** The text before the first code. */
  readonly beforeCode?: RegExp;
}

const comments: Comments = {
  start: '/',
  line: /\/\//y,
  blocks: [{ open: /\/\*/y, openOrClose: /\*\//g }],
};
const nestedComments: Comments = {
  ...comments,
  blocks: [{ open: /\/\*/y, openOrClose: /(?<open>\/\*)|\*\//g }],
};

const common = {
  name: /#?[\p{L}_$@][\p{L}\p{N}_$]*/uy,
  comments,
  literalStart: '"\'`',
  regex: false,
  commands: false,
  blocks: false,
};

export const languages: Readonly<Record<Family, Language>> = {
  javascript: { ...common, literals: javascriptLiterals, regex: true },
  python: {
    ...common,
    comments: { start: '#', line: /#/y, blocks: [] },
    literalStart: 'rRbBuUtTfF"\'',
    literals: pythonLiterals,
  },
  java: { ...common, literals: javaLiterals },
  kotlin: { ...common, comments: nestedComments, literals: kotlinLiterals, blocks: true },
  go: { ...common, literals: goLiterals },
  ruby: {
    name: /(?:@@?|\$)?[\p{L}_][\p{L}\p{N}_]*(?:[?!](?!=))?|\$[^\s\w]/uy,
    comments: {
      start: '#=_',
      line: /#/y,
      blocks: [
        { open: /^=begin\b/my, openOrClose: /^=end\b/gm },
        { open: /^__END__\r?$/my, openOrClose: /(?!)/g },
      ],
    },
    literalStart: '"\'`%<?',
    literals: rubyLiterals,
    regex: true,
    commands: true,
    blocks: true,
  },
  csharp: {
    ...common,
    comments: {
      ...comments,
      start: '/#',
      line: /\/\/|#(?:end)?region\b|#(?:error|warning|pragma|if|elif|else|endif)\b/y,
    },
    literalStart: '"\'$@',
    literals: csharpLiterals,
  },
  rust: { ...common, comments: nestedComments, literalStart: '"\'brc', literals: rustLiterals },
  php: {
    ...common,
    comments: {
      start: '/#?',
      line: /\/\/|#(?!\[)/y,
      lineEnd: '?>',
      // HTML between code.
      blocks: [...comments.blocks, { open: /\?>/y, openOrClose: /<\?(?:php\b|=)/gi }],
    },
    literalStart: '"\'`<',
    literals: phpLiterals,
    beforeCode: /[^]*?<\?(?:php\b|=)|[^]*/iy,
  },
};
