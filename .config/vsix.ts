import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { buildExtension } from './build';
import { filesOf, pages } from './pages';

const root = path.resolve(__dirname, '..');

/** The largest size of the package, in bytes. */
const packageLimit = 300 * 1024;

/** All that may be in the package besides what is built. */
const expected = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^package\.nls(\.[\w-]+)?\.json$/,
  /^media\/(icon\.png|[\w-]+\.svg)$/,
];

/** A package that was made: its file, its size in bytes and what is in it. */
export interface Package {
  file: string;
  bytes: number;
  files: string[];
}

/**
 * Builds for production and packs the extension as `deployment-control-plane-<version>.vsix` into
 * `folder` (default: the repository).
 *
 * @throws if the package exceeds 300 KB, lacks what was built, or holds a file that
 * does not belong there.
 */
export async function createPackage(folder = root): Promise<Package> {
  const parts = (await buildExtension()).map(({ file }) => file);
  const bundles = [...new Set([...parts, ...pages.flatMap(filesOf)])];
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  const missing = bundles.filter((file) => !files.includes(file));
  if (missing.length > 0) {
    throw new Error(`These are missing in the package (.vscodeignore): ${missing.join(', ')}`);
  }
  const strangers = files.filter(
    (file) => !bundles.includes(file) && !expected.some((pattern) => pattern.test(file)),
  );
  if (strangers.length > 0) {
    throw new Error(
      `These do not belong into the package (.vscodeignore): ${strangers.join(', ')}`,
    );
  }
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${manifest.name}-${manifest.version}.vsix`);
  await createVSIX({
    cwd: root,
    packagePath: file,
    dependencies: false,
    // The repository has no public address that the README's links could lead to.
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  const { size } = await stat(file);
  if (size > packageLimit) {
    throw new Error(`The package has ${size} bytes; at most ${packageLimit} are allowed.`);
  }
  return { file, bytes: size, files };
}
