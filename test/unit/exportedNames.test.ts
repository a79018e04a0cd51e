import { assert } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { getOrMake } from '../../src/base/maps';

const repository = path.join(__dirname, '../..');

/** A declaration at the top of a file. */
interface Declaration {
  readonly name: string;
  readonly file: string;
  readonly isExported: boolean;
  /** The value of a constant number. */
  readonly value: number | undefined;
}

/** The files written by hand, relative to the repository. */
const files = ['src', 'media'].flatMap((folder) =>
  readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
    .filter((name) => /(?<!\.d)\.ts$/.test(name) && !name.includes('/generated/')),
);

const units: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** The value of a number, of a unit of time, or of their product. */
function numberOf(node: ts.Expression | undefined): number | undefined {
  if (node === undefined) return undefined;
  if (ts.isNumericLiteral(node)) return Number(node.text.replaceAll('_', ''));
  if (ts.isIdentifier(node)) return units[node.text];
  const isProduct =
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AsteriskToken;
  if (!isProduct) return undefined;
  const [left, right] = [numberOf(node.left), numberOf(node.right)];
  return left === undefined || right === undefined ? undefined : left * right;
}

function declarationsOf(file: string): Declaration[] {
  const text = readFileSync(path.join(repository, file), 'utf8');
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name, initializer }) => ({
        name: name.getText(),
        file,
        isExported,
        value: numberOf(initializer),
      }));
    }
    const name = (statement as Partial<ts.FunctionDeclaration>).name?.text;
    return name === undefined ? [] : [{ name, file, isExported, value: undefined }];
  });
}

const declarations = files.flatMap(declarationsOf);

/** The names that several places share, with these places. */
function shared(places: Iterable<readonly [name: string, place: string]>): string[] {
  const byName = new Map<string, Set<string>>();
  for (const [name, place] of places) getOrMake(byName, name, () => new Set()).add(place);
  return [...byName]
    .filter(([, all]) => all.size > 1)
    .map(([name, all]) => `${name}: ${[...all].join(', ')}`);
}

describe('an exported name', () => {
  it('occurs once', () => {
    const exported = declarations.filter(({ isExported }) => isExported);
    assert.isAbove(exported.length, 1000, 'names are found');
    assert.deepEqual(shared(exported.map(({ name, file }) => [name, file])), []);
  });

  it('of a number has one value, also among the constants of other files', () => {
    const exported = new Map(
      declarations.flatMap(({ name, isExported, value }) =>
        isExported && value !== undefined ? [[name, value]] : [],
      ),
    );
    const others = declarations.filter(
      ({ name, value }) => value !== undefined && (exported.get(name) ?? value) !== value,
    );
    assert.deepEqual(
      others.map(({ name, file }) => `${name}: ${file}`),
      [],
    );
  });
});

describe('a file', () => {
  it('shares its name with no other feature', () => {
    const features = files
      .filter((file) => file.startsWith('src/'))
      .map((file) => [path.basename(file), path.dirname(file).replace(/\/ui$/, '')] as const);
    assert.deepEqual(shared(features), []);
  });
});
