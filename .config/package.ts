import { readFileSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import manifest from '../package.json';
import { buildExtension } from './build';

const root = path.resolve(__dirname, '..');

/**
 * The size limit of the package, in bytes: a third is the code, the rest the page, the icons of VS Code
 * and five languages.
 */
export const packageLimit = 900 * 1024;

/** A created package: its file, its size in bytes and its contents. */
export interface Package {
  file: string;
  bytes: number;
  files: string[];
}

/**
 * Builds for production and packs the extension as `deployment-control-plane-<version>.vsix` into
 * `folder` (default: the repository); `build: false` packs the existing build.
 *
 * @throws if the package is too large, or if its contents are not exactly the expected files.
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
  if (bytes > packageLimit) {
    throw new Error(`The package is ${bytes} bytes; the limit is ${packageLimit}.`);
  }
  return { file, bytes, files };
}

/** The languages of the extension, by their VS Code ids. */
export const languages: readonly string[] = ['de', 'fr', 'es', 'ja', 'zh-cn'];

/** The file with the translations of the texts in code, relative to the repository. */
export function bundleFile(language: string): string {
  return `media/l10n/bundle.l10n.${language}.json`;
}

export function manifestFile(language: string): string {
  return `package.nls.${language}.json`;
}

/** All files of the package, relative to the repository: `.vscodeignore` names each. */
export const packagedFiles = readFileSync(path.join(root, '.vscodeignore'), 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('!') ? line.slice(1) : []));

/** The problems of the files that `vsce` would pack; empty if there are none. */
export function packageProblems(files: readonly string[]): string[] {
  const missing = packagedFiles.filter((file) => !files.includes(file));
  const strangers = files.filter((file) => !packagedFiles.includes(file));
  return [
    ...missing.map((file) => `${file} is missing: build or create it.`),
    ...strangers.map((file) => `${file} must not be in the package: add it to .vscodeignore.`),
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
