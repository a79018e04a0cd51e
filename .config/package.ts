import { existsSync, readFileSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX, type IPackageOptions, listFiles, PackageManager } from '@vscode/vsce';
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
 * @throws if the package is too large, if its contents are not exactly the expected files, or if the
 * Marketplace would refuse it or show its pages broken.
 */
export async function createPackage(folder = root, { build = true } = {}): Promise<Package> {
  if (build) await buildExtension();
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  const problems = [...packageProblems(files), ...marketplaceProblems()];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${manifest.name}-${manifest.version}.vsix`);
  await createVSIX({ cwd: root, packagePath: file, ...packageOptions(manifest.version) });
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

/** How `vsce` packs a version: only bundles, no dependencies, and links to the files of its tag. */
export function packageOptions(version: string): IPackageOptions {
  // The guide of VS Code: an odd minor version is a pre-release.
  const preRelease = Number(version.split('.')[1]) % 2 === 1;
  return { dependencies: false, githubBranch: `v${version}`, preRelease };
}

/**
 * What the Marketplace refuses or shows broken and `vsce` does not refuse, which it does with SVG and
 * with pictures that are not `https`. Relative links become links to the repository.
 */
export function marketplaceProblems(folder = root): string[] {
  const icon = readFileSync(path.join(folder, manifest.icon));
  const [width, height] = [icon.readUInt32BE(16), icon.readUInt32BE(20)];
  const isIcon = icon.toString('latin1', 1, 4) === 'PNG' && width === height && width >= 128;
  return [
    ...(isIcon ? [] : [`${manifest.icon} must be a square PNG of at least 128 pixels.`]),
    ...['README.md', 'CHANGELOG.md'].flatMap((document) =>
      deadLinks(document, folder).map((link) => `${document} has a dead link: ${link}`),
    ),
  ];
}

/** The relative links of a document, from its folder, to files and headings that do not exist. */
export function deadLinks(document: string, folder = root): string[] {
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (link.startsWith('https:')) return false;
    const [file = '', heading] = link.split('#');
    const target = file === '' ? document : path.posix.join(path.posix.dirname(document), file);
    if (!existsSync(path.join(folder, target))) return true;
    return heading !== undefined && !anchorsOf(read(target)).includes(heading);
  });
}

/** The anchors of the headings of a document, on GitHub and the Marketplace. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
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
