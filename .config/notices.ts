import { build } from 'esbuild';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { copiedPackages, pageBuild, pages } from './pages';
import { extensionBuilds } from './build';

const root = path.resolve(__dirname, '..');

/** Generated code of ours, which takes in parts of packages and names their files. */
const generated = path.join(root, 'src/api/generated');

/**
 * `ThirdPartyNotices.txt`: the licences of what others have written and the package carries. Which that
 * is, esbuild says, so that a new dependency cannot be forgotten.
 *
 * @throws where a package comes without its licence.
 */
export async function thirdPartyNotices(): Promise<string> {
  const folders = [...(await bundledFolders())].sort();
  const notices = await Promise.all(folders.map(noticeOf));
  const line = '='.repeat(80);
  return [
    'Third-party notices',
    '',
    'The package of Deployment Control Plane holds parts of the following packages, to which their',
    'own licences apply.',
    ...notices.flatMap((notice) => ['', line, notice]),
    '',
  ].join('\n');
}

/** The folders of packages, such as `node_modules/uplot`, of which something is in the package. */
export async function bundledFolders(): Promise<Set<string>> {
  const metafiles = await Promise.all([
    ...extensionBuilds(false).map(
      async (options) => (await build({ ...options, write: false })).metafile,
    ),
    ...pages.map(
      async (page) => (await build({ ...pageBuild(page, false), write: false })).metafile,
    ),
  ]);
  const scripts = (await readdir(generated)).filter((file) => file.endsWith('.js'));
  const codes = await Promise.all(
    scripts.map((file) => readFile(path.join(generated, file), 'utf8')),
  );
  const named = [...codes.join('\n').matchAll(/"(node_modules\/[^"]+)"/g)].map(
    ([, file = '']) => file,
  );
  const copied = copiedPackages.map((name) => `node_modules/${name}/`);
  return foldersOf([...metafiles.flatMap(inputsOf), ...named, ...copied]);
}

/** Of what esbuild says of a build, what is looked at here. */
interface Metafile {
  readonly outputs: Readonly<Record<string, { readonly inputs: Inputs }>>;
}
type Inputs = Readonly<Record<string, { readonly bytesInOutput: number }>>;

/** The files of which something is left in a bundle. */
export function inputsOf({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => file),
  );
}

/** The folders of the packages that these files are of; a package may lie inside of another. */
export function foldersOf(files: readonly string[]): Set<string> {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]);
  return new Set(folders.filter((folder) => folder !== undefined));
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

async function noticeOf(folder: string): Promise<string> {
  const text = (file: string): Promise<string> => readFile(path.join(root, folder, file), 'utf8');
  const { name, version, license } = JSON.parse(await text('package.json')) as Manifest;
  const files = (await readdir(path.join(root, folder)))
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort();
  if (files.length === 0) throw new Error(`${name} comes without its licence.`);
  const texts = await Promise.all(files.map(text));
  return [
    `${name} ${version}${license === undefined ? '' : ` (${license})`}`,
    ...texts.map((one) =>
      one
        .replaceAll('\r\n', '\n')
        .replace(/[ \t]+$/gm, '')
        .trim(),
    ),
  ].join('\n\n');
}
