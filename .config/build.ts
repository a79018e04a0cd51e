import { build, context, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pageBuild, pages, scriptLimit, writeIconsOf } from './pages';

const root = path.resolve(__dirname, '..');

/** A bundle that was written: its path relative to the repository and its size in bytes. */
export interface Bundle {
  file: string;
  bytes: number;
}

const nodeTarget = {
  platform: 'node',
  target: 'node22',
  // Dependencies come in their ES module form, which esbuild can shake.
  mainFields: ['module', 'main'],
} satisfies BuildOptions;
const webTarget = { platform: 'browser', target: 'es2022' } satisfies BuildOptions;

/** One file for each extension host, which loads what `import()` names when it comes to it. */
export const extensionFiles = ['dist/extension.js', 'dist/web/extension.js'] as const;

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'cjs',
  external: ['vscode'],
  logLevel: 'warning',
} satisfies BuildOptions;

/** How the extension is built for each host; `dev` leaves it readable, with source maps. */
export function extensionBuilds(dev: boolean) {
  const [node, web] = extensionFiles;
  return [
    { outfile: node, ...nodeTarget },
    { outfile: web, ...webTarget },
  ].map(
    (host) =>
      ({
        ...common,
        ...host,
        entryPoints: ['src/extension.ts'],
        minify: !dev,
        sourcemap: dev && 'inline',
        metafile: true,
        // A dependency's licence stays with it in the package.
        legalComments: 'eof',
      }) satisfies BuildOptions,
  );
}

function bundlesOf({ outputs }: Metafile): Bundle[] {
  return Object.entries(outputs)
    .filter(([file]) => /\.(js|css)$/.test(file))
    .map(([file, { bytes }]) => ({ file, bytes }));
}

/**
 * Builds `dist` (Node host), `dist/web` (web worker host) and the pages of the panels. `dev` leaves
 * the bundles readable, with source maps.
 *
 * @throws if the script of a page exceeds 250 KB.
 */
export async function buildExtension({ dev = false } = {}): Promise<Bundle[]> {
  const builtHosts = extensionBuilds(dev).map(async (options) => {
    return bundlesOf((await build(options)).metafile);
  });
  const builtPages = pages.map(async (page) => {
    const { metafile } = await build(pageBuild(page, dev));
    await writeIconsOf(page, dev);
    const bundles = bundlesOf(metafile);
    const tooLarge = dev ? undefined : bundles.find(({ bytes }) => bytes > scriptLimit);
    if (tooLarge) {
      const { file, bytes } = tooLarge;
      throw new Error(`${file} has ${kilobytes(bytes)} of at most ${kilobytes(scriptLimit)}.`);
    }
    return bundles;
  });
  return (await Promise.all([...builtHosts, ...builtPages])).flat();
}

/**
 * The module `editor-tests`: the files of editor tests by their names, in the order of these. The
 * bundle for the web worker host has `*.hosts.test.ts` alone (test/editor/index.ts says why).
 */
function editorTests(host: 'node' | 'web'): Plugin {
  return {
    name: 'editor-tests',
    setup(build) {
      build.onResolve({ filter: /^editor-tests$/ }, () => ({
        path: 'all',
        namespace: 'editor-tests',
      }));
      build.onLoad({ filter: /.*/, namespace: 'editor-tests' }, async () => {
        const folder = path.join(root, 'test/editor');
        const files = (await readdir(folder, { recursive: true }))
          .filter((file) => file.endsWith(host === 'node' ? '.test.ts' : '.hosts.test.ts'))
          .sort()
          .map((file) => {
            const name = JSON.stringify(file.replaceAll(path.sep, '/'));
            // Each is evaluated when it is asked for, so that its tests know which file they are in.
            return `{ name: ${name}, load: () => import(${JSON.stringify(path.join(folder, file))}) }`;
          });
        return { contents: `export const files = [${files.join(', ')}];`, resolveDir: root };
      });
    },
  };
}

/**
 * Mocha's browser build asks for `module` and would replace the exports of the bundle; it is made
 * to set its global instead.
 */
const mochaAsGlobal: Plugin = {
  name: 'mocha-as-global',
  setup(build) {
    build.onLoad({ filter: /[\\/]mocha[\\/]mocha\.js$/ }, async ({ path: file }) => ({
      contents: `var exports, module;\n${await readFile(file, 'utf8')}`,
    }));
  },
};

/**
 * Builds the tests that run inside the editor: `dist/test/node/index.js` and
 * `dist/test/web/index.js`.
 */
export async function buildEditorTests(): Promise<void> {
  const options = {
    ...common,
    sourcemap: 'inline',
    keepNames: true,
  } satisfies BuildOptions;
  await Promise.all([
    build({
      ...options,
      ...nodeTarget,
      entryPoints: ['test/editor/index.ts'],
      outfile: 'dist/test/node/index.js',
      external: ['vscode', 'mocha'],
      plugins: [editorTests('node')],
    }),
    build({
      ...options,
      ...webTarget,
      entryPoints: ['test/editor/indexWeb.ts'],
      outfile: 'dist/test/web/index.js',
      plugins: [editorTests('web'), mochaAsGlobal],
    }),
  ]);
}

/**
 * Builds an extension that helps the real one: `demo` does the first steps of `npm start`, `driver`
 * lets tests run commands in a window. Returns its folder.
 */
export async function buildHelperExtension(name: 'demo' | 'driver'): Promise<string> {
  const source = `test/host/${name}-extension`;
  const target = path.join(root, `dist/${name}-extension`);
  await mkdir(target, { recursive: true });
  await Promise.all([
    copyFile(path.join(root, source, 'package.json'), path.join(target, 'package.json')),
    build({
      ...common,
      ...nodeTarget,
      entryPoints: [`${source}/extension.ts`],
      outfile: path.join(target, 'extension.js'),
    }),
  ]);
  return target;
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
  for (const options of [...extensionBuilds(true), ...pages.map((page) => pageBuild(page, true))]) {
    await (await context({ ...options, plugins: [report] })).watch();
  }
  for (const page of pages) await writeIconsOf(page, true);
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
