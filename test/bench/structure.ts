import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { repository } from '../host/openEditor';
import type { Figure } from './figures';

/** What stands in every walk of CONTRIBUTING.md is a file of `src` or of a page. */
const walks = {
  'A log record': 10,
  Sync: 9,
  'A query': 14,
};

/** How large the house is: counts, each with the size that is still easy to hold in mind. */
export function structure(): Figure[] {
  const files = sourceFiles();
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const count = (what: string, value: number, most: number): Figure => ({
    what,
    measure: '',
    ours: value,
    result: value,
    unit: '',
    goal: { is: '≤', value: most },
  });
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  const bags = texts
    .flatMap((text) => [...text.matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)])
    .filter(([, name]) => /(Services|Parts|Listener|Options)$/.test(name ?? ''));
  return [
    count('files of src', files.length, 230),
    count('lines of src', lines, 38_500),
    count('files that one file of their folder imports', onlyHelpers(files), 30),
    count('types …Services, …Parts, …Listener, …Options', bags.length, 25),
    ...Object.entries(walks).map(([name, most]) =>
      count(`files on the walk "${name}"`, filesOnWalk(name), most),
    ),
  ];
}

function sourceFiles(): string[] {
  return readdirSync(path.join(repository, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => path.join(repository, 'src', name));
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
