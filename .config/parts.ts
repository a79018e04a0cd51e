import { build, type BuildOptions, type BuildResult, type Plugin } from 'esbuild';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The extension in parts, one file each: the first is loaded at activation, the others after it. A
 * module exists once, in the first part that needs it; later parts require that file. esbuild splits
 * ES modules only and the extension hosts load CommonJS only, so each part is built in two steps.
 */

const root = path.resolve(__dirname, '..');

/** In the order in which `src/extension.ts` loads them: each may use what those before it hold. */
export const parts = [
  'extension',
  'workspaceFeatures',
  'searchFeatures',
  'actionFeatures',
  'aiFeatures',
] as const;
type Part = (typeof parts)[number];
const [first] = parts;

/** A bundle that was written: its path relative to the repository and its size in bytes. */
export interface Bundle {
  file: string;
  bytes: number;
}

/** One of the two extension hosts. */
export interface Host {
  readonly folder: string;
  readonly options: typeof nodeTarget | typeof webTarget;
  /** What the text of a part must become before this host can load it. */
  readonly prepare: (text: string) => string;
}

export const nodeTarget = {
  platform: 'node',
  target: 'node22',
  // Dependencies come in their ES module form, which esbuild can shake.
  mainFields: ['module', 'main'],
} satisfies BuildOptions;
export const webTarget = { platform: 'browser', target: 'es2022' } satisfies BuildOptions;

export const hosts: readonly Host[] = [
  // `require`, which `import()` becomes as well, finds what lies beside a file.
  { folder: 'dist', options: nodeTarget, prepare: (text) => text },
  { folder: 'dist/web', options: webTarget, prepare: withImportPart },
];

function common({ folder, options }: Host, dev: boolean) {
  return {
    ...options,
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    external: ['vscode'],
    write: false,
    minify: !dev,
    sourcemap: dev && 'inline',
    // A dependency's licence stays with it in the package.
    legalComments: 'eof',
    logLevel: 'warning',
  } satisfies BuildOptions;
}

/** The first step, in memory; `writeParts` takes what comes of it. */
export function splitting(host: Host, dev: boolean) {
  return {
    ...common(host, dev),
    entryPoints: parts.map((part) => ({ in: `part:${part}`, out: part })),
    splitting: true,
    format: 'esm',
    metafile: true,
    plugins: [eachAfterTheOther],
  } satisfies BuildOptions;
}

/**
 * esbuild makes a file of what the same entry points need. Since each part imports the one before
 * it, there is no more than one such file a part.
 */
const eachAfterTheOther: Plugin = {
  name: 'each-after-the-other',
  setup(build) {
    const namespace = 'part';
    build.onResolve({ filter: /^part:/ }, (args) => ({ path: args.path.slice(5), namespace }));
    build.onResolve({ filter: /^\.\// }, (args) =>
      args.kind === 'dynamic-import' ? { path: args.path.slice(2), namespace } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace }, ({ path: part }) => {
      const index = parts.findIndex((one) => one === part);
      if (index < 0) throw new Error(`${part} is imported as a part and is none.`);
      const before = index === 0 ? '' : `import 'part:${parts[index - 1]}';\n`;
      return { contents: `${before}export * from './src/${part}';`, resolveDir: root };
    });
  },
};

type Split = BuildResult<ReturnType<typeof splitting>>;

/** Takes the second step and writes the files of a host. */
export async function writeParts(host: Host, split: Split, dev: boolean): Promise<Bundle[]> {
  await mkdir(path.join(root, host.folder), { recursive: true });
  return Promise.all(
    parts.map(async (part) => {
      const text = await textOf(part, host, split, dev);
      const file = `${host.folder}/${part}.js`;
      await writeFile(path.join(root, file), text);
      return { file, bytes: Buffer.byteLength(text) };
    }),
  );
}

/** The second step: the file of a part, as its host loads it. */
export async function textOf(part: Part, host: Host, split: Split, dev: boolean): Promise<string> {
  const { outputFiles } = await build({
    ...common(host, dev),
    entryPoints: [{ in: `whole:${part}`, out: part }],
    format: 'cjs',
    supported: { 'dynamic-import': false },
    plugins: [madeOf(part, host, split)],
  });
  return outputFiles[0]?.text ?? '';
}

/** Lets a build read what the first step has left of a part, and require the parts before it. */
function madeOf(part: Part, host: Host, { outputFiles, metafile }: Split): Plugin {
  const partOf = new Map<string, Part>();
  for (const [file, { entryPoint, inputs }] of Object.entries(metafile.outputs)) {
    const owner = parts.find((one) => entryPoint === `part:${one}` || `src/${one}.ts` in inputs);
    if (owner === undefined) throw new Error(`${file} belongs to no part.`);
    partOf.set(path.basename(file), owner);
  }
  const texts = new Map(outputFiles.map((file) => [path.basename(file.path), file.text]));
  return {
    name: 'made-of',
    setup(build) {
      build.onResolve({ filter: /^whole:/ }, () => ({ path: part, namespace: 'whole' }));
      build.onLoad({ filter: /.*/, namespace: 'whole' }, () => ({
        contents: [...partOf]
          .filter(([, owner]) => owner === part)
          .map(([file]) => `export * from './${file}';`)
          .join('\n'),
        resolveDir: root,
      }));
      build.onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path: imported, kind }) => {
        const file = path.basename(imported);
        const owner = partOf.get(file);
        return owner === part && kind !== 'dynamic-import'
          ? { path: path.join(root, host.folder, file) }
          : { path: `./${owner}.js`, external: true };
      });
      build.onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path: file }) => ({
        contents: host.prepare(texts.get(path.basename(file)) ?? ''),
        // The folder of the bundle may not be there yet.
        resolveDir: root,
      }));
    },
  };
}

/**
 * The web worker host loads one file, whose `require` knows `vscode` alone: `importPart` stands where
 * `import()` stood.
 */
function withImportPart(text: string): string {
  const replaced = text.replace(/\bimport\(("\.\/\w+\.js")\)/g, 'importPart($1, firstPart)');
  if (replaced === text) return text;
  // At the end, where no line of the source map moves.
  return `${replaced}
import { importPart } from './src/vscode/webParts.ts';
import * as firstPart from 'whole:${first}';
`;
}
