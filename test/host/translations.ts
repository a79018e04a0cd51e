import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

/**
 * The texts of the extension and their translations. A text is what the code gives to a function
 * named `t`: `vscode.l10n.t`, or what pure code takes in its place; to `localizableMessage`; or, in its two
 * forms, to `counted`. `@vscode/l10n-dev` finds the first of these alone. `vscode.l10n` looks it up in `media/l10n`, by itself: the English text is the key.
 */

const root = path.resolve(__dirname, '../..');

/** A text and where it stands first. */
export interface Text {
  readonly text: string;
  /** `src/logs/follow/ui/logsView.ts:12`. */
  readonly place: string;
}

/**
 * All texts of the code, each once, in the order of the files.
 *
 * @throws where a text is not written out, so that nobody could translate it.
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
        if (text === undefined) throw new Error(`${place}: a text has to be written out.`);
        texts.push({ text, place });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** Those arguments of a call that are texts. */
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

/** The texts that an argument can be; undefined stands for one that is not written out. */
function writtenOut(argument: Argument): readonly (string | undefined)[] {
  if (argument === undefined) return [undefined];
  // What takes a text by this name passes on what its own caller has written out.
  if (ts.isIdentifier(argument) && argument.text === 'message') return [];
  if (ts.isStringLiteralLike(argument)) return [argument.text];
  if (ts.isParenthesizedExpression(argument)) return writtenOut(argument.expression);
  if (ts.isConditionalExpression(argument)) {
    return [...writtenOut(argument.whenTrue), ...writtenOut(argument.whenFalse)];
  }
  return [undefined];
}

/** Something that is wrong with a translation, for people. */
export type Complaint = string;

/** What a translation has to keep of its text, in any order: placeholders, icons, links, keys. */
const kept = /\{\d+\}|\$\([\w-]+\)|\(command:[^)]*\)|<keybinding:[^>]*>|`[^`]*`/g;

/** What is wrong with the translations of some texts: each has to be there, and to keep what is code. */
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
    ...missing.map((key) => `${file} lacks ${JSON.stringify(key)}`),
    ...strange.map((key) => `${file} has what is no text any more: ${JSON.stringify(key)}`),
    ...broken.map(([key]) => `${file} loses or changes code in ${JSON.stringify(key)}`),
  ];
}

function partsOf(text: string): string {
  return (text.match(kept) ?? []).sort().join(' ');
}

const accents: Readonly<Record<string, string>> = {
  ...{ a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú' },
};

/** A text in a language that nobody speaks: whatever is seen without accents was never translated. */
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
