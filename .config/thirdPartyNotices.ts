import { build, type Metafile } from 'esbuild';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { builds, common } from './build';

const root = path.resolve(__dirname, '..');

/**
 * `ThirdPartyNotices.txt`: the licences of the third-party code in the package. The metadata of
 * esbuild says which packages these are, so that no dependency is forgotten.
 *
 * @throws if a package has no licence file.
 */
export async function thirdPartyNotices(): Promise<string> {
  const results = await Promise.all(
    builds(false).map((options) => build({ ...options, plugins: common.plugins, write: false })),
  );
  const folders = results.flatMap(({ metafile }) => [...packagesIn(metafile.outputs)]);
  const notices = (await Promise.all([...new Set(folders)].map(noticeOf))).sort();
  return [
    'Third-party notices',
    '',
    'The package of Deployment Control Plane contains parts of the following packages, to which',
    'their own licences apply.',
    ...notices.flatMap((notice) => ['', '='.repeat(80), notice]),
    '',
  ].join('\n');
}

/** The part of esbuild's metadata that is used here. */
type Outputs = Readonly<Record<string, Pick<Metafile['outputs'][string], 'inputs'>>>;

/** The folders of packages with code in a bundle; one may be inside another. */
export function packagesIn(outputs: Outputs): Set<string> {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]);
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
  if (files.length === 0) throw new Error(`${name} has no licence file.`);
  const texts = await Promise.all(files.map(text));
  return [
    `${name} ${version}${license === undefined ? '' : ` (${license})`}`,
    ...texts.map((one) => one.replace(/[ \t\r]+$/gm, '').trim()),
  ].join('\n\n');
}
