import { assert } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const repository = path.join(__dirname, '../..');

/** The files of this project that a file imports, including types. */
function importsOf(file: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.map(({ fileName }) => path.join(path.dirname(file), `${fileName}.ts`))
    .filter((imported) => existsSync(imported));
}

describe('imports', () => {
  for (const folder of ['src', 'media']) {
    it(`of ${folder} have no cycle`, () => {
      const names = readdirSync(path.join(repository, folder), {
        recursive: true,
        encoding: 'utf8',
      });
      const done = new Set<string>();
      let count = 0;
      const visit = (file: string, way: readonly string[]): void => {
        const names = [...way, file].map((one) => path.relative(repository, one));
        assert.notInclude(way, file, names.join(' -> '));
        if (done.has(file)) return;
        const imports = importsOf(file);
        count += imports.length;
        for (const imported of imports) visit(imported, [...way, file]);
        done.add(file);
      };
      for (const name of names.filter((one) => one.endsWith('.ts'))) {
        visit(path.join(repository, folder, name), []);
      }
      assert.isAbove(count, done.size, 'imports are found');
    });
  }
});
