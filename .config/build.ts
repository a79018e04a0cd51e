import { readFile } from 'node:fs/promises';
import { build, context, type BuildOptions, type Plugin } from 'esbuild';
import path from 'node:path';

const root = path.resolve(__dirname, '..');

/** A written file: its path relative to the repository and its size in bytes. */
export interface Bundle {
  file: string;
  bytes: number;
}

/**
 * Lets all files of a bundle share one view of the API of VS Code. Without it, esbuild makes a copy with a
 * getter for every name for each file that imports it: 6 MiB of heap for a hundred files.
 */
const oneVscode: Plugin = {
  name: 'one-vscode',
  setup(build) {
    const namespace = 'one-vscode';
    build.onResolve({ filter: /^vscode$/ }, ({ importer, path: name }) =>
      importer === namespace ? { path: name, external: true } : { path: namespace, namespace },
    );
    build.onLoad({ filter: /.*/, namespace }, () => ({ contents: `export * from 'vscode'` }));
  },
};

/** Options for everything that runs in an extension host. */
export const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'cjs',
  plugins: [oneVscode],
  logLevel: 'warning',
} satisfies BuildOptions;

/** Uses the ES modules of dependencies, so that esbuild can remove unused code. */
export const nodeHost = {
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
} satisfies BuildOptions;
export const webHost = { platform: 'browser', target: 'es2022' } satisfies BuildOptions;

/**
 * The files that are built for the package: one for both extension hosts, which loads the modules of
 * `import()` on demand, and a page, which may load only from its own folder, so its icons are there
 * too.
 */
export const builtFiles: readonly string[] = [
  'dist/extension.js',
  ...['dist/logExplorer/page.js', 'dist/logExplorer/page.css'],
  ...['dist/logExplorer/codicon.css', 'dist/logExplorer/codicon.ttf'],
];

/** The largest size of a page's minified script, in bytes. */
const scriptLimit = 250 * 1024;

/**
 * The esbuild options for the extension and the page; `dev` keeps the output readable, with source
 * maps.
 */
export function builds(dev: boolean) {
  const ours = {
    minify: !dev,
    sourcemap: dev && 'inline',
    metafile: true,
    // The licences of dependencies must stay in the package.
    legalComments: 'eof',
  } satisfies BuildOptions;
  const entryPoints = ['src/extension.ts'];
  return [
    { ...common, ...webHost, ...ours, entryPoints, outfile: 'dist/extension.js' },
    {
      ...common,
      ...webHost,
      ...ours,
      format: 'iife',
      entryPoints: [
        { in: 'media/logExplorer/index.ts', out: 'page' },
        { in: '@vscode/codicons/dist/codicon.css', out: 'codicon' },
      ],
      outdir: 'dist/logExplorer',
      assetNames: '[name]',
      loader: { '.ttf': 'file' },
    },
  ] satisfies (BuildOptions & { metafile: true })[];
}

/**
 * Builds the extension, for the Node.js and web worker hosts, and the page of the Log Explorer. `dev`
 * keeps the bundles readable, with source maps.
 *
 * @throws if the script of a page exceeds 250 KB, or if the extension is not ASCII: one other character
 * (esbuild leaves those of regular expressions) doubles the memory of the whole script.
 */
export async function buildExtension({ dev = false } = {}): Promise<Bundle[]> {
  const results = await Promise.all(builds(dev).map((options) => build(options)));
  const bundles = results.flatMap(({ metafile: { outputs } }) =>
    Object.entries(outputs).map(([file, { bytes }]): Bundle => ({ file, bytes })),
  );
  const page = bundles.find(({ file }) => file.endsWith('page.js'));
  if (page !== undefined && page.bytes > scriptLimit && !dev) {
    throw new Error(
      `${page.file} is ${kilobytes(page.bytes)}; the limit is ${kilobytes(scriptLimit)}.`,
    );
  }
  const [strange] =
    /.{0,40}[^\0-\x7f]/.exec(await readFile(path.join(root, 'dist/extension.js'), 'utf8')) ?? [];
  if (strange !== undefined && !dev) throw new Error(`Escape in a regular expression: ${strange}`);
  return bundles;
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
