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
  readonly name: () => RegExp;
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
  name: lazyRegExp(String.raw`#?[\p{L}_$@][\p{L}\p{N}_$]*`, 'uy'),
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

/** The languages whose logging calls are found, by the ids of VS Code, with their file extensions. */
const languageFiles: readonly (readonly [id: string, family: Family, extensions: string])[] = [
  ['javascript', 'javascript', 'js mjs cjs'],
  ['javascriptreact', 'javascript', 'jsx'],
  ['typescript', 'javascript', 'ts mts cts'],
  ['typescriptreact', 'javascript', 'tsx'],
  ['vue', 'javascript', 'vue'],
  ['svelte', 'javascript', 'svelte'],
  ['python', 'python', 'py'],
  ['java', 'java', 'java'],
  ['kotlin', 'kotlin', 'kt kts'],
  ['go', 'go', 'go'],
  ['ruby', 'ruby', 'rb rake'],
  ['csharp', 'csharp', 'cs'],
  ['rust', 'rust', 'rs'],
  ['php', 'php', 'php'],
];
const families = new Map(languageFiles.map(([id, family]) => [id, family]));
const byExtension = new Map(
  languageFiles.flatMap(([id, , extensions]) =>
    extensions.split(' ').map((extension) => [extension, id] as const),
  ),
);

/** The ids of these languages. */
export const statementLanguages: readonly string[] = [...families.keys()];

/** The family of a language by its id; undefined if it is not one of these. */
export function familyOf(languageId: string): Family | undefined {
  return families.get(languageId);
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
