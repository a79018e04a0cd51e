import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { buildExtension } from '../../.config/build';
import { packageLimit } from '../../.config/package';
import { repository } from '../host/openEditor';
import { EditorBench } from './editor/inEditor';
import { figure, type Figure } from './figures';

/** Sizes of the installed files. */
export async function size(): Promise<Figure[]> {
  const { vsix } = await EditorBench.prepare();
  const bundles = await buildExtension();
  const kilobytes = (await stat(vsix)).size / 1024;
  return [
    ...bundles.map(({ file, bytes }) => figure(`${file}, minified`, 'KB', bytes / 1024)),
    figure('.vsix', 'KB', kilobytes, { goal: `≤ ${packageLimit / 1024}` }),
  ];
}

/** What stands in every walk of CONTRIBUTING.md is a file of `src` or of a page. */
const walks = {
  'A log record': 10,
  Sync: 9,
  'A query': 14,
};

/** How large the house is: counts, each with the size that is still easy to hold in mind. */
export function structure(): Promise<Figure[]> {
  const files = readdirSync(path.join(repository, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => path.join(repository, 'src', name));
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  const bags = texts
    .flatMap((text) => [...text.matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)])
    .filter(([, name]) => /(Services|Parts|Listener|Options)$/.test(name ?? ''));
  const counts: readonly [what: string, count: number, most: number][] = [
    ['files of src', files.length, 230],
    ['lines of src', lines, 38_500],
    ['files that one file of their folder imports', onlyHelpers(files), 30],
    ['types …Services, …Parts, …Listener, …Options', bags.length, 25],
    ...Object.entries(walks).map(
      ([name, most]) =>
        [`files on the walk "${name}"`, filesOnWalk(name), most] as [string, number, number],
    ),
  ];
  return Promise.resolve(
    counts.map(([what, count, most]) => figure(what, '', count, { goal: `≤ ${most}` })),
  );
}

/** How many files have one importer, in their own folder. */
function onlyHelpers(files: readonly string[]): number {
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
      const imported = path.join(path.dirname(file), `${fileName}.ts`);
      if (existsSync(imported)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return [...importers].filter(
    ([file, [only, ...more]]) =>
      only !== undefined && more.length === 0 && path.dirname(only) === path.dirname(file),
  ).length;
}

/** How many files the paragraph of a walk names. */
function filesOnWalk(name: string): number {
  const text = readFileSync(path.join(repository, 'CONTRIBUTING.md'), 'utf8');
  const walk = text.split(/\n\n/).find((paragraph) => paragraph.startsWith(`**${name},`));
  if (walk === undefined) throw new Error(`CONTRIBUTING.md has no walk "${name}".`);
  return new Set([...walk.matchAll(/`([\w/.]+\.ts)`/g)].map(([, file]) => file)).size;
}
