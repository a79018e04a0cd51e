import { build, type BuildOptions, type Plugin } from 'esbuild';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { common, webHost } from '../../.config/build';
import { filesOf } from './stages';

const root = path.resolve(__dirname, '../..');

/** Uses the ES modules of dependencies, so that esbuild can remove unused code. */
const nodeHost = {
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
} satisfies BuildOptions;

/**
 * The module `editor-tests`: the files of editor tests by name, in this order. There are fewer in the
 * bundle for the web worker host.
 */
function editorTests(host: 'node' | 'web'): Plugin {
  return {
    name: 'editor-tests',
    setup(build) {
      build.onResolve({ filter: /^editor-tests$/ }, () => ({
        path: 'all',
        namespace: 'editor-tests',
      }));
      build.onLoad({ filter: /.*/, namespace: 'editor-tests' }, () => {
        const folder = path.join(root, 'test/editor');
        const files = filesOf(host === 'node' ? 'editor' : 'web').map((file) => {
          const from = JSON.stringify(path.join(folder, file));
          // Each is evaluated on demand, so that its tests know which file they are in.
          return `{ name: ${JSON.stringify(file)}, load: () => import(${from}) }`;
        });
        return { contents: `export const files = [${files.join(', ')}];`, resolveDir: root };
      });
    },
  };
}

/**
 * Mocha's browser build looks for `module` and would replace the exports of the bundle; this makes
 * it set its global instead.
 */
const mochaAsGlobal: Plugin = {
  name: 'mocha-as-global',
  setup(build) {
    build.onLoad({ filter: /[\\/]mocha[\\/]mocha\.js$/ }, async ({ path: file }) => ({
      contents: `var exports, module;\n${await readFile(file, 'utf8')}`,
    }));
  },
};

/** Builds the tests that run inside the editor, for one host: `dist/test/<host>/index.js`. */
export async function buildEditorTests(host: 'node' | 'web'): Promise<void> {
  const options = {
    ...common,
    sourcemap: 'inline',
    keepNames: true,
    outfile: `dist/test/${host}/index.js`,
  } satisfies BuildOptions;
  const plugins = [...common.plugins, editorTests(host)];
  await (host === 'node'
    ? build({
        ...options,
        ...nodeHost,
        entryPoints: ['test/editor/index.ts'],
        external: ['mocha'],
        plugins,
      })
    : build({
        ...options,
        ...webHost,
        entryPoints: ['test/editor/indexWeb.ts'],
        plugins: [...plugins, mochaAsGlobal],
      }));
}

/**
 * Builds a helper extension from its folder in `test`. Returns the folder of the result, which is in `folder`: a
 * window of another stage must not load an extension that is being written.
 */
export async function buildHelperExtension(name: string, folder: string): Promise<string> {
  const source = path.join(root, 'test', name);
  const target = path.join(folder, path.basename(name));
  await mkdir(target, { recursive: true });
  await Promise.all([
    copyFile(path.join(source, 'package.json'), path.join(target, 'package.json')),
    build({
      ...common,
      ...nodeHost,
      entryPoints: [path.join(source, 'extension.ts')],
      outfile: path.join(target, 'extension.js'),
    }),
  ]);
  return target;
}
