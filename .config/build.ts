import { build, context, type BuildOptions, type Plugin } from 'esbuild';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pageBuild, pages, scriptLimit, writeIconsOf } from './pages';
import {
  hosts,
  nodeTarget,
  splitting,
  webTarget,
  writeParts,
  type Bundle,
  type Host,
} from './parts';

const root = path.resolve(__dirname, '..');

/** The largest size of a minified part, in bytes: what makes the extension slow to load. */
const partLimit = 150 * 1024;

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'cjs',
  external: ['vscode'],
  logLevel: 'warning',
} satisfies BuildOptions;

/**
 * Builds `dist` (Node host), `dist/web` (web worker host) and the pages of the panels. `dev` leaves
 * the bundles readable, with source maps.
 *
 * @throws if a minified part exceeds 150 KB, or the script of a page 250 KB.
 */
export async function buildExtension({ dev = false } = {}): Promise<LimitedBundle[]> {
  const built = hosts.map(async (host) => {
    return limited(await writeParts(host, await build(splitting(host, dev)), dev), partLimit);
  });
  const builtPages = pages.map(async (page) => {
    const { metafile } = await build(pageBuild(page, dev));
    await writeIconsOf(page, dev);
    const outputs = Object.entries(metafile.outputs).filter(([file]) => /\.(js|css)$/.test(file));
    return limited(
      outputs.map(([file, { bytes }]) => ({ file, bytes })),
      scriptLimit,
    );
  });
  const bundles = (await Promise.all([...built, ...builtPages])).flat();
  const tooLarge = dev ? [] : bundles.filter(({ bytes, limit }) => bytes > limit);
  if (tooLarge.length > 0) {
    const list = tooLarge.map(
      ({ file, bytes, limit }) => `${file} has ${kilobytes(bytes)} of at most ${kilobytes(limit)}`,
    );
    throw new Error(`Too large: ${list.join(', ')}.`);
  }
  return bundles;
}

/** A bundle with the size that it may have when it is minified, in bytes. */
interface LimitedBundle extends Bundle {
  limit: number;
}

function limited(bundles: readonly Bundle[], limit: number): LimitedBundle[] {
  return bundles.map((bundle) => ({ ...bundle, limit }));
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
  const report = (host?: Host): Plugin => ({
    name: 'report',
    setup(build) {
      build.onStart(() => {
        if (running++ === 0) console.log('[watch] build started');
      });
      build.onEnd(async (result) => {
        const { errors, outputFiles = [], metafile } = result;
        try {
          if (host !== undefined && errors.length === 0 && metafile !== undefined) {
            await writeParts(host, { ...result, outputFiles, metafile }, true);
          }
        } finally {
          if (--running === 0) console.log('[watch] build finished');
        }
      });
    },
  });
  for (const host of hosts) {
    const options = splitting(host, true);
    await (await context({ ...options, plugins: [...options.plugins, report(host)] })).watch();
  }
  for (const page of pages) {
    await writeIconsOf(page, true);
    await (await context({ ...pageBuild(page, true), plugins: [report()] })).watch();
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
