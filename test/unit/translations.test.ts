import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'chai';
import { bundleFile, languages, manifestFile } from '../../.config/package';
import { complaintsAbout, textsOf, textsOfCode } from '../host/translations';

function read(file: string): Record<string, string> {
  const text = readFileSync(path.resolve(__dirname, '../..', file), 'utf8');
  return JSON.parse(text) as Record<string, string>;
}

describe('The texts of the code', () => {
  it('are the arguments of t, and both forms of counted texts', () => {
    const code = `const { t } = vscode.l10n; t('one'); context.t(isTwo ? 'two {0}' : 'three', 2);
      context.counted(keys, '{0} key', '{0} keys');`;
    const texts = textsOf('a.ts', code).map(({ text }) => text);
    assert.deepEqual(texts, ['one', 'two {0}', 'three', '{0} key', '{0} keys']);
  });

  it('must be literals', () => {
    assert.throws(() => textsOf('a.ts', `counted(keys, '{0} key')`));
    assert.throws(() => textsOf('a.ts', 't(`a ${b}`)'), 'a.ts:1: the text must be a literal.');
  });
});

/** Members of package.json with visible text. */
const shown = new Set([
  ...['name', 'title', 'contextualTitle', 'displayName', 'label', 'contents', 'altText'],
  ...['description', 'userDescription', 'markdownDescription', 'deprecationMessage'],
  ...['enumDescriptions', 'markdownEnumDescriptions', 'accessibilityHelpContent'],
]);

/** The English texts of package.json that users would see. */
function hardCoded(value: unknown, path: string, isShown: boolean): string[] {
  if (typeof value === 'string') return isShown && !/^%[\w.]+%$/.test(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    hardCoded(one, `${path}.${key}`, Array.isArray(value) ? isShown : shown.has(key)),
  );
}

describe('package.json', () => {
  const { contributes, description } = read('package.json') as unknown as {
    contributes: Record<string, unknown>;
    description: string;
  };

  it('has all visible texts in package.nls.json, except the names of the product', () => {
    // Texts for language models are English and are not checked.
    const { languageModelTools, ...others } = contributes;
    const tools = (languageModelTools as Record<string, unknown>[]).map(
      ({ inputSchema: _, name: _id, ...tool }) => tool,
    );
    const found = hardCoded({ ...others, tools, description }, 'contributes', false).filter(
      (path) => !/\.contextualTitle$|^contributes\.viewsContainers\./.test(path),
    );
    assert.deepEqual(found, []);
    assert.match(description, /^%/);
  });
});

describe('translations', () => {
  it('of the steps of the walkthrough fit into their line, which VS Code cuts', () => {
    /** In characters of Latin letters; Chinese and Japanese ones are twice as wide. */
    const widthOf = (text: string): number =>
      text.length + (text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu) ?? []).length;
    for (const file of ['package.nls.json', ...languages.map(manifestFile)]) {
      const cut = Object.entries(read(file)).filter(
        ([key, text]) =>
          /^walkthrough\.(?!title$|description$)[a-z]+$/.test(key) && widthOf(text) > 30,
      );
      assert.deepEqual(cut, [], file);
    }
  });

  it('are reported if they are missing, unused, or lose code', () => {
    const some = { '{0} keys': '{0} keys', 'Sign in': 'Sign in', '$(key) Key': '$(key) Key' };
    const found = complaintsAbout('x', some, {
      '{0} keys': 'Schlüssel',
      'Sign out': 'Abmelden',
      '$(key) Key': '$(key) Schlüssel',
    });
    assert.deepEqual(found, [
      'x has no translation of "Sign in"',
      'x translates a text that no longer exists: "Sign out"',
      'x loses or changes code in "{0} keys"',
    ]);
  });

  let texts: Record<string, string>;
  before(async () => {
    texts = Object.fromEntries((await textsOfCode()).map(({ text }) => [text, text]));
  });
  for (const language of languages) {
    it(`into ${language} are complete`, () => {
      const bundle = bundleFile(language);
      const manifest = manifestFile(language);
      assert.deepEqual(complaintsAbout(bundle, texts, read(bundle)), []);
      assert.deepEqual(complaintsAbout(manifest, read('package.nls.json'), read(manifest)), []);
    });
  }
});
