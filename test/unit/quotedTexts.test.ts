import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'chai';
import ts from 'typescript';
import translations from '../../media/l10n/bundle.l10n.de.json';
import { escaped } from '../host/texts';

const root = path.resolve(__dirname, '../..');

/** Finds the fixed parts of the texts of the product that have at least three words. */
const phrases = new RegExp(
  Object.keys(translations)
    .flatMap((key) => key.split(/\{\d\}/))
    .map((part) => part.replace(/^[\s.,:;·(]+|[\s.,:;·)?…]+$/g, ''))
    .filter((part) => part.split(' ').length >= 3 && part.length >= 15)
    .map(escaped)
    .join('|'),
  'g',
);

/** These quote sentences for language models, which are always in English. */
const forModels = /^unit\/ai\/(?:answer|actionOutcome|toolProblems)\.test\.ts$/;

/** The texts in a file that are not keys: parts of literals, templates and regular expressions. */
function quotedIn(file: string): string[] {
  const code = readFileSync(file, 'utf8');
  if (code.replaceAll('\\', '').search(phrases) === -1) return [];
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = ts.isRegularExpressionLiteral(node)
      ? node.text.replaceAll(/\\(\W)/g, '$1')
      : ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)
        ? node.text
        : undefined;
    if (text !== undefined && !(text in translations)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('tests', () => {
  it('name the texts of the product by their keys, so that a change of words breaks none', () => {
    const quotes = ['editor', 'browser', 'unit']
      .flatMap((folder) =>
        readdirSync(path.join(root, 'test', folder), { recursive: true, encoding: 'utf8' }).map(
          (name) => `${folder}/${name.split(path.sep).join('/')}`,
        ),
      )
      .filter((name) => name.endsWith('.ts') && !forModels.test(name))
      .flatMap((name) =>
        quotedIn(path.join(root, 'test', name))
          .flatMap((text) => text.match(phrases) ?? [])
          .map((phrase) => `${name}: ${phrase}`),
      );
    assert.deepEqual(quotes, [], 'Use uiText or uiPattern of test/host/texts.ts.');
  });
});
