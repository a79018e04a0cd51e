import { readFile } from 'node:fs/promises';
import { build, context, type BuildOptions, type Plugin } from 'esbuild';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(__dirname, '..');

/** A written file: its path relative to the repository and its size in bytes. */
export interface Bundle {
  file: string;
  bytes: number;
}

/**
 * Lets all files of a bundle share one view of the API of VS Code. For each file that imports a module,
 * esbuild copies the properties of the module, with a getter each: 6 MiB of heap for a hundred files.
 * Inherited properties are not copied.
 */
const oneVscode: Plugin = {
  name: 'one-vscode',
  setup(build) {
    const namespace = 'one-vscode';
    build.onResolve({ filter: /^vscode$/ }, ({ importer, path: name }) =>
      importer === namespace ? { path: name, external: true } : { path: namespace, namespace },
    );
    const contents = "module.exports = Object.create(require('vscode'));";
    build.onLoad({ filter: /.*/, namespace }, () => ({ contents }));
  },
};

/** Makes a line of each template and style of the pages: a line break and its indent mean no more than a space. */
const shortTemplates: Plugin = {
  name: 'short-templates',
  setup(build) {
    build.onLoad({ filter: /[\\/](media|@vscode-elements)[\\/].*\.[jt]s$/ }, async (module) => {
      let contents = await readFile(module.path, 'utf8');
      // From the last to the first, so that their places stay true.
      for (const part of templateParts(contents).sort((a, b) => b.end - a.end)) {
        const short = part.getText().replaceAll(/\s*\n\s*/g, ' ');
        contents = contents.slice(0, part.getStart()) + short + contents.slice(part.end);
      }
      return { contents, loader: 'default' };
    });
  },
};

/** The texts of templates and styles, without the values in them. */
function templateParts(code: string): ts.Node[] {
  const parts: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && /^(html|svg|css)$/.test(node.tag.getText())) {
      const { template } = node;
      if (ts.isNoSubstitutionTemplateLiteral(template)) parts.push(template);
      else parts.push(template.head, ...template.templateSpans.map(({ literal }) => literal));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('page.ts', code, ts.ScriptTarget.Latest, true));
  return parts;
}

/** Options for everything that runs in an extension host. */
export const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'cjs',
  plugins: [oneVscode],
  logLevel: 'warning',
} satisfies BuildOptions;

export const webHost = { platform: 'browser', target: 'es2022' } satisfies BuildOptions;

/** The folders of pages in `media` and in `dist`. */
const pages = ['logExplorer', 'logComparison'];

/**
 * The files that are built for the package: the extension, the same file for both hosts since it uses no
 * module of Node.js, and the pages with all that they show, their icons too.
 */
export const builtFiles: readonly string[] = [
  'extension.js',
  ...pages.flatMap((page) =>
    ['page.js', 'page.css', 'codicon.css', 'codicon.ttf'].map((file) => `${page}/${file}`),
  ),
].map((file) => `dist/${file}`);

/** The esbuild options for the extension and the page; `dev`: readable, with source maps. */
export function builds(dev: boolean) {
  const shipped = {
    ...common,
    ...webHost,
    minify: !dev,
    sourcemap: dev && 'inline',
    metafile: true,
    // The licences of dependencies must stay in the package.
    legalComments: 'eof',
  } satisfies BuildOptions;
  return [
    { ...shipped, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js' },
    ...pages.map((page) => ({
      ...shipped,
      // In a readable bundle, the lines are those of the source.
      plugins: dev ? common.plugins : [...common.plugins, shortTemplates],
      format: 'iife' as const,
      entryPoints: [
        { in: `media/${page}/index.ts`, out: 'page' },
        { in: '@vscode/codicons/dist/codicon.css', out: 'codicon' },
      ],
      outdir: `dist/${page}`,
      assetNames: '[name]',
      loader: { '.ttf': 'file' as const },
    })),
  ] satisfies (BuildOptions & { metafile: true })[];
}

/**
 * Builds the extension, for the Node.js and web worker hosts, and its pages. `dev`
 * keeps the bundles readable, with source maps.
 *
 * @throws if the extension is not ASCII: one other character (esbuild leaves those of regular expressions)
 * doubles the memory of the whole script.
 */
export async function buildExtension({ dev = false } = {}): Promise<Bundle[]> {
  await Promise.all(builds(dev).map((options) => build(options)));
  return Promise.all(
    builtFiles.map(async (file) => {
      const content = await readFile(path.join(root, file), 'latin1');
      if (!dev) check(file, content);
      return { file, bytes: content.length };
    }),
  );
}

function check(file: string, content: string): void {
  const strange = /.{0,40}[^\0-\x7f]/.exec(path.dirname(file) === 'dist' ? content : '');
  if (strange) throw new Error(`${file}: escape in a regular expression: ${strange[0]}`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

async function watch(): Promise<void> {
  // All are one build for the task's problem matcher, which waits for these lines.
  let running = 0;
  const report: Plugin = {
    name: 'report',
    setup(build) {
      build.onStart(() => {
        if (running++ === 0) console.log('[watch] build started');
      });
      build.onEnd(() => {
        if (--running === 0) console.log('[watch] build finished');
      });
    },
  };
  for (const options of builds(true)) {
    await (await context({ ...options, plugins: [...options.plugins, report] })).watch();
  }
}

async function main(args: readonly string[]): Promise<void> {
  const unknown = args.filter((arg) => !['--dev', '--watch'].includes(arg));
  if (unknown.length > 0) throw new Error(`Unknown option ${unknown.join(' ')}.`);
  if (args.includes('--watch')) return watch();
  for (const { file, bytes } of await buildExtension({ dev: args.includes('--dev') })) {
    console.log(`${file}  ${kilobytes(bytes)}`);
  }
}

if (require.main === module) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
