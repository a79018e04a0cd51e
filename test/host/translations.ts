import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

/**
 * The texts of the extension and their translations. A text is an argument of a function named `t`
 * (`vscode.l10n`, or its parameter in pure code), of `localizableMessage`, or, in its two forms, of
 * `counted`. `@vscode/l10n-dev` finds only the first of these. `vscode.l10n` looks translations up
 * in `media/l10n`: the English text is the key.
 */

const root = path.resolve(__dirname, '../..');

/** A text and its first place in the code. */
export interface Text {
  readonly text: string;
  /** `src/logs/tail/ui/logsView.ts:12`. */
  readonly place: string;
}

/**
 * All texts of the code, each once, in the order of the files.
 *
 * @throws if a text is not a literal, since it could not be translated.
 */
export async function textsOfCode(): Promise<readonly Text[]> {
  const files = (await readdir(path.join(root, 'src'), { recursive: true }))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .sort();
  const texts = new Map<string, Text>();
  for (const file of files) {
    const name = `src/${file.replaceAll('\\', '/')}`;
    for (const found of textsOf(name, await readFile(path.join(root, name), 'utf8'))) {
      if (!texts.has(found.text)) texts.set(found.text, found);
    }
  }
  return [...texts.values()];
}

/** @throws as `textsOfCode`. */
export function textsOf(file: string, code: string): readonly Text[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest);
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const place = `${file}:${line + 1}`;
      for (const text of textArguments(node).flatMap(writtenOut)) {
        if (text === undefined) throw new Error(`${place}: the text must be a literal.`);
        texts.push({ text, place });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** The arguments of a call that are texts. */
function textArguments({ expression, arguments: given }: ts.CallExpression): readonly Argument[] {
  switch (nameOf(expression)) {
    case 't':
    case 'localizableMessage':
      return [given[0]];
    case 'counted':
      return [given[1], given[2]];
    default:
      return [];
  }
}

type Argument = ts.Expression | undefined;

function nameOf(callee: ts.Expression): string | undefined {
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : undefined;
}

/** The texts that an argument can be; undefined for one that is not a literal. */
function writtenOut(argument: Argument): readonly (string | undefined)[] {
  if (argument === undefined) return [undefined];
  // A parameter of this name passes on a literal of the caller.
  if (ts.isIdentifier(argument) && argument.text === 'message') return [];
  if (ts.isStringLiteralLike(argument)) return [argument.text];
  if (ts.isParenthesizedExpression(argument)) return writtenOut(argument.expression);
  if (ts.isConditionalExpression(argument)) {
    return [...writtenOut(argument.whenTrue), ...writtenOut(argument.whenFalse)];
  }
  return [undefined];
}

/** A problem of a translation, as a sentence. */
export type Complaint = string;

/** What a translation must keep, in any order: placeholders, icons, links, keys. */
const kept = /\{\d+\}|\$\([\w-]+\)|\(command:[^)]*\)|<keybinding:[^>]*>|`[^`]*`/g;

/** The problems of the translations of some texts: each must exist, and keep its code. */
export function complaintsAbout(
  file: string,
  texts: Readonly<Record<string, string>>,
  translations: Readonly<Record<string, unknown>>,
): readonly Complaint[] {
  const missing = Object.keys(texts).filter((key) => !(key in translations));
  const strange = Object.keys(translations).filter((key) => !(key in texts));
  const broken = Object.entries(texts).filter(([key, text]) => {
    const translation = translations[key];
    if (translation === undefined) return false;
    return typeof translation !== 'string' || partsOf(translation) !== partsOf(text);
  });
  return [
    ...missing.map((key) => `${file} has no translation of ${JSON.stringify(key)}`),
    ...strange.map(
      (key) => `${file} translates a text that no longer exists: ${JSON.stringify(key)}`,
    ),
    ...broken.map(([key]) => `${file} loses or changes code in ${JSON.stringify(key)}`),
  ];
}

function partsOf(text: string): string {
  return (text.match(kept) ?? []).sort().join(' ');
}

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
};

/** A text in an invented language: visible text without accents is not translated. */
export function pseudo(text: string): string {
  const accented = (part: string): string =>
    part.replace(/[aeiou]/gi, (vowel) => accents[vowel] ?? vowel);
  const pieces: string[] = [];
  let end = 0;
  for (const match of text.matchAll(kept)) {
    pieces.push(accented(text.slice(end, match.index)), match[0]);
    end = match.index + match[0].length;
  }
  return [...pieces, accented(text.slice(end))].join('');
}
