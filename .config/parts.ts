import { build, transform, type BuildOptions, type OutputFile, type Plugin } from 'esbuild';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The extension in parts: `extension` is loaded at activation, `workspaceFeatures` after it, and
 * `shared` holds the modules that both use, so that each exists once. esbuild splits ES modules only
 * and the extension hosts load CommonJS only, so every part is built in two steps.
 */

const root = path.resolve(__dirname, '..');
const first = 'extension';
const late = 'workspaceFeatures';
const shared = 'shared';

/** A bundle that was written: its path relative to the repository and its size in bytes. */
export interface Bundle {
  file: string;
  bytes: number;
}

/** What esbuild has split: the text of each ES module by the name of its file. */
type Modules = ReadonlyMap<string, string>;

/** Texts of files that a host can load, by name. */
type Files = Map<string, string>;

/** One of the two extension hosts. */
export interface Host {
  readonly folder: string;
  readonly options: typeof nodeTarget | typeof webTarget;
  /** The second step: CommonJS in the form that this host can load. */
  readonly toLoad: (host: Host, modules: Modules, dev: boolean) => Promise<Files>;
}

export const nodeTarget = {
  platform: 'node',
  target: 'node22',
  // Dependencies come in their ES module form, which esbuild can shake.
  mainFields: ['module', 'main'],
} satisfies BuildOptions;
export const webTarget = { platform: 'browser', target: 'es2022' } satisfies BuildOptions;

export const hosts: readonly Host[] = [
  { folder: 'dist', options: nodeTarget, toLoad: filesBesideEachOther },
  { folder: 'dist/web', options: webTarget, toLoad: firstFileAndLateFile },
];

function style(dev: boolean) {
  return {
    minify: !dev,
    sourcemap: dev && 'inline',
    // A dependency's licence stays with it in the package.
    legalComments: 'eof',
    logLevel: 'warning',
  } satisfies BuildOptions;
}

/** The first step, in memory; `writeParts` takes what comes of it. */
export function splitting({ folder, options }: Host, dev: boolean) {
  return {
    ...style(dev),
    ...options,
    absWorkingDir: root,
    entryPoints: [first, late].map((name) => `src/${name}.ts`),
    outdir: folder,
    // Two entry points share one file; of two such files esbuild would complain.
    chunkNames: shared,
    bundle: true,
    splitting: true,
    format: 'esm',
    external: ['vscode'],
    write: false,
  } satisfies BuildOptions;
}

/** Takes the second step and writes the files of a host. */
export async function writeParts(
  host: Host,
  outputs: readonly OutputFile[],
  dev: boolean,
): Promise<Bundle[]> {
  const modules = new Map(outputs.map((file) => [path.basename(file.path, '.js'), file.text]));
  const files = [...(await host.toLoad(host, modules, dev))];
  await mkdir(path.join(root, host.folder), { recursive: true });
  return Promise.all(
    files.map(async ([name, text]) => {
      const file = fileOf(host, name);
      await writeFile(path.join(root, file), text);
      return { file, bytes: Buffer.byteLength(text) };
    }),
  );
}

function fileOf({ folder }: Host, name: string): string {
  return `${folder}/${name}.js`;
}

/** The Node host: `require`, which `import()` becomes as well, finds what lies beside a file. */
async function filesBesideEachOther(host: Host, modules: Modules, dev: boolean): Promise<Files> {
  const files: Files = new Map();
  for (const [name, text] of modules) files.set(name, await commonJs(host, name, text, dev));
  return files;
}

/**
 * The web worker host loads one file, whose `require` knows `vscode` alone. So that file holds what
 * is shared, and `importPart` stands where `import()` stood.
 */
async function firstFileAndLateFile(host: Host, modules: Modules, dev: boolean): Promise<Files> {
  const { outputFiles } = await build({
    ...style(dev),
    ...host.options,
    absWorkingDir: root,
    entryPoints: [fileOf(host, first)],
    outdir: host.folder,
    bundle: true,
    format: 'cjs',
    external: ['vscode'],
    write: false,
    plugins: [madeBefore(modules)],
  });
  const text = modules.get(late) ?? '';
  return new Map([
    [first, outputFiles[0]?.text ?? ''],
    [late, await commonJs(host, late, text, dev)],
  ]);
}

/** Lets a build read what the first step has left in memory. */
function madeBefore(modules: Modules): Plugin {
  return {
    name: 'made-before',
    setup(build) {
      build.onResolve(
        { filter: new RegExp(`(^|/)(${first}|${shared})\\.js$`) },
        ({ path: file }) => ({
          path: path.join(root, 'dist/web', path.basename(file)),
        }),
      );
      build.onLoad({ filter: /[\\/]dist[\\/]web[\\/]\w+\.js$/ }, ({ path: file }) => {
        const name = path.basename(file, '.js');
        const contents = modules.get(name) ?? '';
        return {
          contents: name === first ? withImportPart(contents) : contents,
          // The folder of the bundle may not be there yet.
          resolveDir: root,
        };
      });
    },
  };
}

/** @throws unless the late part is imported in one place. */
function withImportPart(text: string): string {
  const [before, after, ...more] = text.split(`import("./${late}.js")`);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`src/${first}.ts is to import('./${late}') once.`);
  }
  // At the end, where no line of the source map moves.
  return `${before}importPart("${late}.js", sharedModules)${after}
import { importPart } from './src/platform/webParts.ts';
import * as sharedModules from './${shared}.js';
`;
}

async function commonJs(host: Host, name: string, text: string, dev: boolean): Promise<string> {
  const { platform, target } = host.options;
  const { code } = await transform(text, {
    ...style(dev),
    platform,
    target,
    format: 'cjs',
    sourcefile: fileOf(host, name),
    supported: { 'dynamic-import': false },
  });
  return code;
}
