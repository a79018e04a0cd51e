import { lazyRegExp } from '../../base/textFormat';

/** A path and its start in the text. */
export interface FoundPath {
  readonly start: number;
  readonly path: string;
}

/** What a language says of the frames of its stacks. All there is to say of it is in its object. */
export interface FrameLanguage {
  readonly name: string;
  /** The extensions of its files, without dots, separated by spaces. */
  readonly extensions: string;
  /** How it writes positions, besides what `stackFrames.ts` reads of any language, such as `path:12:5`. */
  readonly notation?: {
    /** What is between a path and its line: a pattern without groups and digits. */
    readonly separator: string;
    /** Reads the path that ends at `end` and does not begin before `lowest`. */
    readonly readPath: (text: string, lowest: number, end: number) => FoundPath | undefined;
  };
  /** What precedes an absolute path in its frames: such a path may have spaces. */
  readonly beforePath?: RegExp;
  /** The path that a file name means where it is written without its folders. `start` is where it begins. */
  readonly pathOf?: (text: string, lowest: number, start: number, file: string) => string;
  /** What precedes a stack whose innermost frame is the last one. */
  readonly beforeOutermost?: RegExp;
  /** The folders of sources that builds have for packages, by file extension. */
  readonly packageRoots?: Readonly<Record<string, string>>;
  /** The names of folders of dependencies, separated by spaces. */
  readonly dependencies?: string;
  /** Where its runtime and its dependencies are installed: beginnings of absolute paths, as patterns. */
  readonly runtimeRoots?: readonly string[];
}

const beforeClass = /[\s[{(<"'=,]/;

const javascript: FrameLanguage = {
  name: 'javascript',
  extensions: 'js jsx mjs cjs ts tsx mts cts vue svelte astro',
  beforePath: /^\s*at (?:async )?/g,
  dependencies: 'node_modules',
};

const python: FrameLanguage = {
  name: 'python',
  extensions: 'py pyx',
  beforeOutermost: /^Traceback /m,
  dependencies: 'site-packages dist-packages',
};

const javaName = lazyRegExp(String.raw`^[\p{L}_$][\p{L}\p{N}_$]*$`, 'u');

const java: FrameLanguage = {
  name: 'java',
  extensions: 'java kt kts scala groovy clj',
  // The package becomes the folder, as in `com.example.web.Server.run(Server.java:12)`.
  pathOf(text, lowest, start, file) {
    if (text[start - 1] !== '(' || /[\\/]/.test(file)) return file;
    let from = start - 1;
    while (from > lowest && !beforeClass.test(text.charAt(from - 1))) from--;
    // The name can follow a class loader and a module: `app//`, `java.base/`.
    const parts = text
      .slice(from, start - 1)
      .replace(/^.*\//, '')
      .split('.');
    // Some formats of logs have no method.
    const hasMethod = parts.at(-1) !== file.slice(0, file.lastIndexOf('.'));
    const folders = parts.slice(0, hasMethod ? -2 : -1);
    return folders.every((folder) => javaName().test(folder)) ? [...folders, file].join('/') : file;
  },
  packageRoots: { java: 'java', kt: 'kotlin', scala: 'scala', groovy: 'groovy' },
  dependencies: '.m2',
  runtimeRoots: ['opt/java'],
};

const go: FrameLanguage = {
  name: 'go',
  extensions: 'go',
  beforePath: /^\s+/g,
  dependencies: 'vendor',
  runtimeRoots: ['usr/local/go', '(?:root/)?go/pkg/mod'],
};

const ruby: FrameLanguage = {
  name: 'ruby',
  extensions: 'rb erb rake',
  beforePath: /^\s*(?:from )?/g,
  dependencies: 'gems',
};

const php: FrameLanguage = {
  name: 'php',
  extensions: 'php phtml',
  beforePath: /^\s*#\d+ |\b(?:in|at) /g,
  dependencies: 'vendor',
};

/** "In" and "line" in the languages of .NET; what is between path and line in Turkish precedes the colon. */
const netIns = 'in|dans|en|na|em|в|w|v|i|bij|場所|파일|位置|於';
const netIn = lazyRegExp(String.raw`\s(?:${netIns}) `, 'g');
const netLine =
  'line|Zeile|ligne|línea|riga|linha|строка|行|行号|줄|wiersz|řádek|satır|regel|rad|linje|rivi|sor';

const csharp: FrameLanguage = {
  name: 'csharp',
  extensions: 'cs fs vb cshtml razor',
  // `in path:line 12`, also in German.
  notation: {
    separator: `(?: içinde)?: ?(?:${netLine}) `,
    readPath(text, lowest, end) {
      const window = text.slice(lowest, end);
      const found = [...window.matchAll(netIn())].at(-1);
      // Behind the parameters if there is no word for "in" before the path.
      const start =
        found === undefined ? window.lastIndexOf(') ') + 2 : found.index + found[0].length;
      const path = window.slice(start);
      return start < 2 || path.trim() === '' ? undefined : { start: lowest + start, path };
    },
  },
};

const beam: FrameLanguage = {
  name: 'elixir',
  extensions: 'ex exs erl hrl',
  // `{file,"src/cart.erl"},{line,12}`, in Elixir `[file: ~c"lib/cart.ex", line: 12]`.
  notation: {
    separator: '["\'](?:\\}, ?\\{line, ?|, line: )',
    readPath(text, lowest, end) {
      const start = text.lastIndexOf(text.charAt(end), end - 1) + 1;
      return start > lowest && start < end ? { start, path: text.slice(start, end) } : undefined;
    },
  },
  dependencies: 'deps',
};

const rust: FrameLanguage = {
  name: 'rust',
  extensions: 'rs',
  beforePath: /^\s*at /g,
  dependencies: '.cargo',
  runtimeRoots: ['rustc', 'root/\\.cargo'],
};

export const frameLanguages: readonly FrameLanguage[] = [
  ...[javascript, python, java, go, ruby, php, csharp, beam, rust],
];

/** The names of folders of dependencies, of all languages. */
export const dependencyFolders: readonly string[] = frameLanguages.flatMap(
  ({ dependencies }) => dependencies?.split(' ') ?? [],
);
