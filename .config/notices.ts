import { build, type Metafile } from 'esbuild';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { builds } from './build';

const root = path.resolve(__dirname, '..');

/**
 * `ThirdPartyNotices.txt`: the licences of what others have written and the package carries. Which that
 * is, esbuild says, so that a new dependency cannot be forgotten.
 *
 * @throws where a package comes without its licence.
 */
export async function thirdPartyNotices(): Promise<string> {
  const results = await Promise.all(
    builds(false).map((options) => build({ ...options, write: false })),
  );
  const folders = [...foldersOf(results.flatMap(({ metafile }) => inputsOf(metafile)))];
  const notices = (await Promise.all(folders.map(noticeOf))).sort();
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

/** Of what esbuild says of a build, what is looked at here. */
type Outputs = Readonly<Record<string, Pick<Metafile['outputs'][string], 'inputs'>>>;

/** The files of which something is left in a bundle. */
export function inputsOf({ outputs }: { readonly outputs: Outputs }): string[] {
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
    ...texts.map((one) => one.replace(/[ \t\r]+$/gm, '').trim()),
  ].join('\n\n');
}
