import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import manifest from '../../package.json';

/** Prints the size of the code base and of its parts: `npx tsx test/host/structure.ts`. */

const repository = path.join(__dirname, '../..');

interface SourceFile {
  readonly name: string;
  readonly lines: number;
  readonly text: string;
}

function filesOf(folder: string, isCounted: (name: string) => boolean): SourceFile[] {
  return readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter(isCounted)
    .map((name) => {
      const text = readFileSync(path.join(repository, name), 'utf8');
      return { name, text, lines: text.split('\n').length - 1 };
    });
}

const linesOf = (files: readonly SourceFile[]): number =>
  files.reduce((sum, { lines }) => sum + lines, 0);

/** How many other files import each file. */
function importersOf(files: readonly SourceFile[]): Map<string, number> {
  const importers = new Map(files.map(({ name }) => [name, 0]));
  for (const { name, text } of files) {
    const imported = ts.preProcessFile(text).importedFiles.map(({ fileName }) => {
      return `${path.posix.join(path.posix.dirname(name), fileName)}.ts`;
    });
    for (const one of new Set(imported)) {
      const count = importers.get(one);
      if (count !== undefined) importers.set(one, count + 1);
    }
  }
  return importers;
}

/** Names of exported types that several files declare. */
function sharedTypeNames(files: readonly SourceFile[]): string[] {
  const declared = new Map<string, number>();
  for (const { text } of files) {
    const names = [...text.matchAll(/^export (?:interface|type|class) (\w+)/gm)];
    for (const [, name = ''] of names) declared.set(name, (declared.get(name) ?? 0) + 1);
  }
  return [...declared].filter(([, count]) => count > 1).map(([name, count]) => `${name} ×${count}`);
}

const sources = filesOf('src', (name) => name.endsWith('.ts') && !name.includes('/generated/'));
const importers = importersOf(sources);
const small = sources.filter(({ name, lines }) => lines < 60 && importers.get(name) === 1);
const page = filesOf('media/logExplorer', (name) => /\.(ts|css)$/.test(name));
const config = filesOf('.config', (name) => /\.\w+$/.test(name));
const tests = filesOf(
  'test',
  (name) => /\.(ts|mjs)$/.test(name) && !name.includes('demo-workspace'),
);
const shared = sharedTypeNames(sources);

console.log(
  [
    ['hand-written files and lines in src', `${sources.length} / ${linesOf(sources)}`],
    ['files in media/logExplorer', page.length],
    ['files and lines in .config', `${config.length} / ${linesOf(config)}`],
    ['files and lines in test', `${tests.length} / ${linesOf(tests)}`],
    ['direct dependencies', Object.keys(manifest.devDependencies).length],
    ['files under 60 lines with one importer', small.length],
    ['exported types with the same name', shared.length],
  ]
    .map(([what, value]) => `${String(what).padEnd(40)}${value}`)
    .join('\n'),
);
if (process.argv.includes('--names')) {
  console.log(`\n${shared.join(', ')}\n\n${small.map(({ name }) => name).join('\n')}`);
}
