import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import manifest from '../package.json';
import { buildExtension, builtFiles } from './build';

const root = path.resolve(__dirname, '..');

/**
 * The largest size of the package without its pictures, in bytes: the code for both hosts is half of it,
 * then come the page, the icons of VS Code and five languages.
 */
export const packageLimit = 640 * 1024;

/** The largest size of a picture in it, in bytes: the walkthrough has ten. */
const pictureLimit = 60 * 1024;

/** A package that was made: its file, its size in bytes and what is in it. */
export interface Package {
  file: string;
  bytes: number;
  /** Of those, what its pictures take, which nothing makes smaller. */
  pictureBytes: number;
  files: string[];
}

/**
 * Builds for production and packs the extension as `deployment-control-plane-<version>.vsix` into
 * `folder` (default: the repository); `build: false` packs what was built before.
 *
 * @throws if the package is too large, or does not hold exactly what it should.
 */
export async function createPackage(folder = root, { build = true } = {}): Promise<Package> {
  if (build) await buildExtension();
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  const problems = packageProblems(files);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${manifest.name}-${manifest.version}.vsix`);
  await createVSIX({ cwd: root, packagePath: file, dependencies: false });
  const { size: bytes } = await stat(file);
  let pictureBytes = 0;
  for (const picture of files.filter((name) => name.endsWith('.png'))) {
    const { size } = await stat(path.join(root, picture));
    if (size > pictureLimit) {
      throw new Error(`${picture} has ${size} of at most ${pictureLimit} bytes.`);
    }
    pictureBytes += size;
  }
  if (bytes - pictureBytes > packageLimit) {
    throw new Error(
      `The package has ${bytes - pictureBytes} bytes without its pictures; ${packageLimit} are allowed.`,
    );
  }
  return { file, bytes, pictureBytes, files };
}

/** The languages that the extension is translated into, as VS Code names them. */
export const languages: readonly string[] = ['de', 'fr', 'es', 'ja', 'zh-cn'];

/** Where the translations of the code's texts are, relative to the repository. */
export function bundleFile(language: string): string {
  return `media/l10n/bundle.l10n.${language}.json`;
}

export function manifestFile(language: string): string {
  return `package.nls.${language}.json`;
}

/**
 * Everything that the package holds, relative to the repository. `.vscodeignore` decides what `vsce`
 * takes; this list is held against it, so that nothing comes in, or stays away, unnoticed.
 */
export const packagedFiles: readonly string[] = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'ThirdPartyNotices.txt',
  'media/log-explorer-dark.svg',
  'media/log-explorer-light.svg',
  ...new Set(picturesIn(manifest)),
  'package.json',
  'package.nls.json',
  ...languages.flatMap((language) => [manifestFile(language), bundleFile(language)]),
  ...builtFiles,
];

/** The pictures that package.json names, wherever that is. */
function picturesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^media\/.*\.(png|svg|md)$/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(picturesIn)
    : [];
}

/** What is wrong with what `vsce` would take; empty where nothing is. */
export function packageProblems(files: readonly string[]): string[] {
  const missing = packagedFiles.filter((file) => !files.includes(file));
  const strangers = files.filter((file) => !packagedFiles.includes(file));
  return [
    ...missing.map((file) => `${file} is missing: make it, or name it in .vscodeignore.`),
    ...strangers.map((file) => `${file} does not belong into the package (.vscodeignore).`),
  ];
}

async function main(): Promise<void> {
  const { file, bytes, files } = await createPackage();
  console.log(files.map((name) => `  ${name}`).join('\n'));
  console.log(`${path.basename(file)}  ${(bytes / 1024).toFixed(1)} KB`);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
