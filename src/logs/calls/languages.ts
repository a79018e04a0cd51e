import { lazyRegExp } from '../../base/textFormat';
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

/** How a format names its values: `%s`, or `{}`; `slf4j` is `{}` and `{0}` alone. */
export type PlaceholderStyle = 'printf' | 'braces' | 'slf4j';

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

/** What there is to say of languages whose code and loggers look alike: all of it is in one object. */
export interface Language extends Syntax, Calls, Messages {
  readonly loggers: Loggers;
}

/** The tokens of a language. Patterns are sticky. */
interface Syntax {
  readonly name: () => RegExp;
  readonly comments: Comments;
  /** The characters that can begin a string. */
  readonly literalStart: string;
  /** The first that matches applies. */
  readonly literals: readonly LiteralRule[];
  /** Whether a slash can begin a regular expression. */
  readonly regex: boolean;
  /** The text before the first code. */
  readonly beforeCode?: RegExp;
}

/** How a language calls. */
interface Calls {
  /** What joins the names of a chain. */
  readonly joints: ReadonlySet<string>;
  /** Whether a call needs no parentheses. */
  readonly commands: boolean;
  /** Whether a call can have a block of code behind it. */
  readonly blocks: boolean;
  /** Whether what logs or prints is a macro, `log!()`. */
  readonly macros: boolean;
  /** Whether arguments can have names: `message = "text"`. */
  readonly namedArguments: boolean;
  /** Whether an arrow begins the expression of a function. */
  readonly lambdas: boolean;
}

/** How a language writes messages. */
interface Messages {
  /** The operator that joins texts. */
  readonly joins: '+' | '.';
  /** How the formats of loggers are written. */
  readonly placeholders: readonly PlaceholderStyle[];
  /** How the text before `.format()` is written, and the one in `format()`. */
  readonly formatMethod: PlaceholderStyle;
  readonly formatFunction: PlaceholderStyle;
  /** Whether what prints has formats, too: `console.log('%s', name)`. */
  readonly printsFormats: boolean;
  /** What a name in a placeholder means, if no argument has it: the next argument, or itself. */
  readonly placeholderNames: 'argument' | 'name';
  /** Whether a format without arguments has placeholders: those of variables. */
  readonly placeholdersAlone: boolean;
  /** How many arguments of a method can be before the message. */
  readonly mostBefore: (method: string) => number;
}

/** What logs in a language, besides what does in all. */
interface Loggers {
  /** What prints: functions, and methods with what they are called on. */
  readonly prints: RegExp;
  /** Functions that log. */
  readonly functions?: RegExp;
  /** Functions that log if they have a text and their result is not used. */
  readonly likelyFunctions?: RegExp;
  /** Names that loggers have besides words for them. */
  readonly names?: RegExp;
  /** Methods that only loggers have, and what has them without being one. */
  readonly methods?: { readonly pattern: RegExp; readonly others: RegExp };
  /** Whether `console` logs. */
  readonly hasConsole?: boolean;
  /** Whether the levels of Android are methods: `Log.d(tag, "text")`. */
  readonly hasLetters?: boolean;
  /** Whether `Log()` has keys and values. */
  readonly hasPairs?: boolean;
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
  name: lazyRegExp(String.raw`#?[\p{L}_$@][\p{L}\p{N}_$]*`, 'uy'),
  comments,
  literalStart: '"\'`',
  regex: false,
  joints: new Set(['.', '?.', '::', '&.']),
  commands: false,
  blocks: false,
  macros: false,
  namedArguments: true,
  lambdas: true,
  joins: '+',
  placeholders: ['printf'],
  formatMethod: 'printf',
  formatFunction: 'printf',
  printsFormats: false,
  placeholderNames: 'name',
  placeholdersAlone: false,
  mostBefore: () => 3,
} as const;

const languages = {
  javascript: {
    ...common,
    literals: javascriptLiterals,
    regex: true,
    printsFormats: true,
    loggers: {
      prints: /^process\.std(?:out|err)\.write$/,
      likelyFunctions: /^(?:debug|log|logger)$/,
      hasConsole: true,
    },
  },
  python: {
    ...common,
    placeholders: ['printf', 'braces'],
    formatMethod: 'braces',
    mostBefore: (method) => (/^(?:log|err)$/.test(method) ? 1 : 0),
    loggers: { prints: /^print$|^sys\.std(?:out|err)\.write$/ },
    comments: { start: '#', line: /#/y, blocks: [] },
    literalStart: 'rRbBuUtTfF"\'',
    literals: pythonLiterals,
  },
  java: {
    ...common,
    literals: javaLiterals,
    placeholders: ['slf4j', 'printf'],
    loggers: { prints: /^System\.(?:out|err)\.print(?:ln|f)?$/, hasLetters: true },
  },
  kotlin: {
    ...common,
    comments: nestedComments,
    literals: kotlinLiterals,
    blocks: true,
    placeholders: ['slf4j', 'printf'],
    loggers: {
      prints: /^print(?:ln)?$|^System\.(?:out|err)\.print(?:ln|f)?$/,
      hasConsole: true,
      hasLetters: true,
    },
  },
  go: {
    ...common,
    literals: goLiterals,
    loggers: {
      prints: /^fmt\.Print(?:ln|f)?$/,
      names: /^lg?r?$/,
      methods: {
        pattern: /^(?:(?:Trace|Debug|Info|Notice|Warn|Warning|Error|Fatal|Panic)f|logf)$/,
        others: /^(?:t|b|tb|f|fmt|\w*errors)$/,
      },
      hasPairs: true,
    },
  },
  ruby: {
    ...common,
    name: lazyRegExp(String.raw`(?:@@?|\$)?[\p{L}_][\p{L}\p{N}_]*(?:[?!](?!=))?|\$[^\s\w]`, 'uy'),
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
    lambdas: false,
    mostBefore: () => 1,
    loggers: {
      prints:
        /^(?:(?:\$std(?:out|err)|STD(?:OUT|ERR))\.(?:puts|print|write)|puts|print|p|pp|warn)$/,
    },
  },
  csharp: {
    ...common,
    placeholders: ['braces'],
    formatFunction: 'braces',
    placeholderNames: 'argument',
    loggers: { prints: /^(?:Console(?:\.(?:Out|Error))?|Debug|Trace)\.Write(?:Line)?$/ },
    comments: {
      ...comments,
      start: '/#',
      line: /\/\/|#(?:end)?region\b|#(?:error|warning|pragma|if|elif|else|endif)\b/y,
    },
    literalStart: '"\'$@',
    literals: csharpLiterals,
  },
  rust: {
    ...common,
    comments: nestedComments,
    literalStart: '"\'brc',
    literals: rustLiterals,
    macros: true,
    namedArguments: false,
    placeholders: ['braces'],
    formatFunction: 'braces',
    placeholdersAlone: true,
    mostBefore: () => 30,
    loggers: {
      prints: /^(?:e?print(?:ln)?|dbg)$/,
      functions: /^(?:log_|slog_)?(?:trace|debug|info|warn|error|crit|log|event)$/,
    },
  },
  php: {
    ...common,
    // Elsewhere the arrow begins the body of a function.
    joints: new Set(['->', '?->', '::']),
    lambdas: false,
    joins: '.',
    placeholders: ['braces', 'printf'],
    mostBefore: () => 1,
    loggers: {
      prints: /^(?:print|printf|echo)$/,
      functions: /^(?:error_log|syslog|logger)$/,
    },
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
} as const satisfies Readonly<Record<string, Language>>;

/** The languages whose logging calls are found, by the ids of VS Code, with their file extensions. */
const languageFiles: readonly (readonly [id: string, language: Language, extensions: string])[] = [
  ['javascript', languages.javascript, 'js mjs cjs'],
  ['javascriptreact', languages.javascript, 'jsx'],
  ['typescript', languages.javascript, 'ts mts cts'],
  ['typescriptreact', languages.javascript, 'tsx'],
  ['vue', languages.javascript, 'vue'],
  ['svelte', languages.javascript, 'svelte'],
  ['python', languages.python, 'py'],
  ['java', languages.java, 'java'],
  ['kotlin', languages.kotlin, 'kt kts'],
  ['go', languages.go, 'go'],
  ['ruby', languages.ruby, 'rb rake'],
  ['csharp', languages.csharp, 'cs'],
  ['rust', languages.rust, 'rs'],
  ['php', languages.php, 'php'],
];
const byId = new Map(languageFiles.map(([id, language]) => [id, language]));
const byExtension = new Map(
  languageFiles.flatMap(([id, , extensions]) =>
    extensions.split(' ').map((extension) => [extension, id] as const),
  ),
);

/** The ids of these languages. */
export const statementLanguages: readonly string[] = [...byId.keys()];

/** A language by its id; undefined if it is not one of these. */
export function findLanguage(languageId: string): Language | undefined {
  return byId.get(languageId);
}

/** The pattern of files of these languages. */
export const codeFiles = `**/*.{${[...byExtension.keys()].join(',')}}`;

/** The id of the language of a file; undefined if it is not one of these. */
export function languageOfFile(path: string): string | undefined {
  return byExtension.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '');
}

/** Folders of dependencies and of what builds produce. */
const otherFolders = [
  ...['node_modules', 'bower_components', 'vendor', 'site-packages', 'dist-packages'],
  ...['.venv', 'venv', '.tox', '.git', '.gradle', '.m2', '.cargo', '.yarn', '.pnpm-store'],
  ...['dist', 'out', 'target', 'coverage', '.next', '.nuxt', '.svelte-kit', '__pycache__'],
];
const otherFolder = new RegExp(
  String.raw`(?:^|/)(?:${otherFolders.map((name) => name.replace('.', '\\.')).join('|')})/`,
);

/** Whether a path leads through a folder of dependencies or of what builds produce. */
export function isOtherCode(path: string): boolean {
  return otherFolder.test(path);
}

/**
 * A pattern for files to leave out: those of other code, and those of settings such as `search.exclude`.
 *
 * @param settings the values of the settings: patterns with true, or with a condition, which is ignored.
 */
export function excludedFiles(settings: readonly Readonly<Record<string, unknown>>[]): string {
  const patterns = settings.flatMap((setting) =>
    Object.entries(setting).flatMap(([pattern, isOn]) =>
      isOn === true ? withoutBraces(pattern) : [],
    ),
  );
  const own = [...otherFolders.map((folder) => `**/${folder}/**`), '**/*.min.js'];
  return `{${[...new Set([...own, ...patterns])].join(',')}}`;
}

/** The most patterns that one becomes. */
const mostPatterns = 64;

/**
 * The patterns without braces that a pattern stands for, because braces cannot be nested: `a.{b,c}` is
 * `a.b` and `a.c`. None if it has more of them, or commas that would end it.
 */
function withoutBraces(pattern: string): readonly string[] {
  let patterns = [pattern];
  for (let depth = 0; depth < 8; depth++) {
    const next = patterns.flatMap((one) => {
      const [, before, inner, after] = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(one) ?? [];
      if (before === undefined || inner === undefined || after === undefined) return [one];
      return inner.split(',').map((choice) => `${before}${choice}${after}`);
    });
    if (next.length > mostPatterns) return [];
    if (next.length === patterns.length && next.every((one, at) => one === patterns[at])) break;
    patterns = next;
  }
  return patterns.filter((one) => !/[{},]/.test(one));
}
