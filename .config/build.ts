import { build, context, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import path from 'node:path';

const root = path.resolve(__dirname, '..');

/** A file that was written: its path relative to the repository and its size in bytes. */
export interface Bundle {
  file: string;
  bytes: number;
}

/** What is common to all that runs in an extension host. */
export const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'cjs',
  external: ['vscode'],
  logLevel: 'warning',
} satisfies BuildOptions;

/** Dependencies come in their ES module form, which esbuild can shake. */
export const nodeHost = {
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
} satisfies BuildOptions;
export const webHost = { platform: 'browser', target: 'es2022' } satisfies BuildOptions;

/** One file for each extension host, which loads what `import()` names when it comes to it. */
const hostFiles = ['dist/extension.js', 'dist/web/extension.js'] as const;

/**
 * A page of a panel is a folder of `media` and becomes one of `dist`, which is all that it may load from:
 * the icons of VS Code lie there too.
 */
const pageFiles = ['page.js', 'page.css', 'codicon.css', 'codicon.ttf'].map(
  (file) => `dist/logExplorer/${file}`,
);

/** All that is built for the package. */
export const builtFiles: readonly string[] = [...hostFiles, ...pageFiles];

/** The largest size of a page's minified script, in bytes. */
const scriptLimit = 250 * 1024;

/** How the extension is built for each host, and its page; `dev` leaves them readable, with source maps. */
export function builds(dev: boolean) {
  const ours = {
    minify: !dev,
    sourcemap: dev && 'inline',
    metafile: true,
    // A dependency's licence stays with it in the package.
    legalComments: 'eof',
  } satisfies BuildOptions;
  const entryPoints = ['src/extension.ts'];
  const [node, web] = hostFiles;
  return [
    { ...common, ...nodeHost, ...ours, entryPoints, outfile: node },
    { ...common, ...webHost, ...ours, entryPoints, outfile: web },
    {
      ...common,
      ...webHost,
      ...ours,
      format: 'iife',
      entryPoints: [
        { in: 'media/logExplorer/index.ts', out: 'page' },
        { in: 'media/logExplorer/style.css', out: 'page' },
        { in: '@vscode/codicons/dist/codicon.css', out: 'codicon' },
      ],
      outdir: 'dist/logExplorer',
      assetNames: '[name]',
      loader: { '.ttf': 'file' },
    },
  ] satisfies (BuildOptions & { metafile: true })[];
}

/**
 * Builds `dist` (Node host), `dist/web` (web worker host) and the page of the Log Explorer. `dev` leaves
 * the bundles readable, with source maps.
 *
 * @throws if the script of a page exceeds 250 KB.
 */
export async function buildExtension({ dev = false } = {}): Promise<Bundle[]> {
  const results = await Promise.all(builds(dev).map((options) => build(options)));
  const bundles = results.flatMap(({ metafile }) => filesOf(metafile));
  const tooLarge = bundles.find(
    ({ file, bytes }) => file.endsWith('page.js') && bytes > scriptLimit,
  );
  if (tooLarge && !dev) {
    const { file, bytes } = tooLarge;
    throw new Error(`${file} has ${kilobytes(bytes)} of at most ${kilobytes(scriptLimit)}.`);
  }
  return bundles;
}

function filesOf({ outputs }: Metafile): Bundle[] {
  return Object.entries(outputs).map(([file, { bytes }]) => ({ file, bytes }));
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

async function watch(): Promise<void> {
  // All of them are one build to the task's problem matcher, which waits for these lines.
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
    await (await context({ ...options, plugins: [report] })).watch();
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
