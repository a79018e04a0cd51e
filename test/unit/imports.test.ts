import { assert } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const repository = path.join(__dirname, '../..');

/** The files of a folder and the files that each imports, including types. */
function importsBelow(folder: string): Map<string, readonly string[]> {
  const files = readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(repository, folder, name));
  return new Map(
    files.map((file) => [
      file,
      ts
        .preProcessFile(readFileSync(file, 'utf8'))
        .importedFiles.map(({ fileName }) => path.join(path.dirname(file), `${fileName}.ts`))
        .filter((imported) => existsSync(imported)),
    ]),
  );
}

/** The first cycle of imports, if there is one. */
function cycleIn(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  function visit(file: string, way: readonly string[]): readonly string[] {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const imported of imports.get(file) ?? []) {
      const cycle = visit(imported, [...way, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  }
  for (const file of imports.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

describe('imports', () => {
  for (const folder of ['src', 'media']) {
    it(`of ${folder} have no cycle`, () => {
      const imports = importsBelow(folder);
      assert.isAbove([...imports.values()].flat().length, imports.size, 'imports are found');
      const cycle = cycleIn(imports).map((file) => path.relative(repository, file));
      assert.isEmpty(cycle, cycle.join(' -> '));
    });
  }
});
