import { chmod, copyFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import manifest from '../package.json';
import { buildExtension } from './build';
import { packageProblems } from './packaged';

const root = path.resolve(__dirname, '..');

/**
 * The largest size of the package without its pictures, in bytes: the code for both hosts is half of it,
 * then come the page and five languages.
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
 * `folder` (default: the repository); `build: false` packs what was built before. The same sources give the same bytes, on the same kind of system
 * with the same Node.js.
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
  await pack(files, file);
  const { size: bytes } = await stat(file);
  const pictureBytes = await sizeOfPictures(files);
  if (bytes - pictureBytes > packageLimit) {
    throw new Error(
      `The package has ${bytes - pictureBytes} bytes without its pictures; ${packageLimit} are allowed.`,
    );
  }
  return { file, bytes, pictureBytes, files };
}

/** @throws where one of them is too large. */
async function sizeOfPictures(files: readonly string[]): Promise<number> {
  let sum = 0;
  for (const file of files.filter((name) => name.endsWith('.png'))) {
    const { size } = await stat(path.join(root, file));
    if (size > pictureLimit)
      throw new Error(`${file} has ${size} of at most ${pictureLimit} bytes.`);
    sum += size;
  }
  return sum;
}

/** Packs copies of the files: who may read a file of a clone is in a zip, and differs. */
async function pack(files: readonly string[], packagePath: string): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deployment-control-plane-'));
  try {
    for (const file of files) {
      const copy = path.join(folder, file);
      await mkdir(path.dirname(copy), { recursive: true });
      await copyFile(path.join(root, file), copy);
      await chmod(copy, 0o644);
    }
    const ignoreFile = path.join(root, '.vscodeignore');
    await atFixedTime(() =>
      createVSIX({ cwd: folder, packagePath, ignoreFile, dependencies: false }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * `vsce` gives all files the time of `SOURCE_DATE_EPOCH`, and sorts them then. A zip holds the time of
 * the clock on the wall, so it is the same there that has to be given, whatever the time zone.
 */
async function atFixedTime(run: () => Promise<unknown>): Promise<void> {
  const { SOURCE_DATE_EPOCH: before } = process.env;
  process.env['SOURCE_DATE_EPOCH'] = String(new Date(2000, 0, 1).getTime() / 1000);
  try {
    await run();
  } finally {
    if (before === undefined) delete process.env['SOURCE_DATE_EPOCH'];
    else process.env['SOURCE_DATE_EPOCH'] = before;
  }
}
