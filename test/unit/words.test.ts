import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'chai';

/**
 * English that is correct but that no one says, and plain words instead. A space matches a line
 * break of a comment too; case does not matter.
 */
const foreign: readonly (readonly [pattern: string, plain: string])[] = [
  [
    String.raw`\b(no|some|any)body\b`,
    'name the person or the program, or: no one, someone, anyone',
  ],
  [String.raw`\bwhoever\b`, 'name the person or the program, or: if someone …'],
  [String.raw`\bnone of the\b`, 'not … any of the; a value: not an allowed value'],
  [String.raw`\bis not so\b`, 'is not true, is not the case'],
  [String.raw`\bwhat (is|was|are|were) \w+ of\b`, 'name it: the part that …, the result of …'],
  [String.raw`\bwhat (came|comes|became|becomes) of\b`, 'the result of, the outcome of'],
  [String.raw`\b(go|goes|going|gone|went) on\b`, 'continue, resume'],
  [String.raw`\bonce (it|that|this|all|everything) is over\b`, 'when … ends'],
  [
    String.raw`\bwhere (there|this|that) (is|are|was|were)\b`,
    'if there is …; for a place: the place of …',
  ],
  [
    String.raw`\bwhere (it|they) (is|are|was|were) (no|not|none|nothing|known|left out|missing|empty|set|given|asked|wanted|needed)\b`,
    'if it is …',
  ],
  [String.raw`\bwhere (nothing|none|no one)\b`, 'if nothing …, if there is no …'],
  [String.raw`\b(undefined|null|true|false|empty|throws|fails) where\b`, '… if'],
  [
    String.raw`\bth(e|is|at|ese|ose) very (?!first\b|last\b|least\b|same\b)`,
    'the same, exactly this',
  ],
  [String.raw`\banew\b`, 'again'],
  [String.raw`\bhears? of\b`, 'is notified of'],
  [String.raw`\b(tells?|told) (\w+ )?of\b`, 'reports, says, notifies'],
  [String.raw`\bnevertheless\b`, 'anyway, still'],
  [String.raw`\bfor want of\b`, 'without, because … is missing'],
  [String.raw`\bof (its|their) own accord\b`, 'automatically'],
  [String.raw`\b(has|have|wants?|wanted) a say\b`, 'applies, decides'],
  [String.raw`\bmend(s|ed|ing)?\b`, 'fix'],
  [String.raw`\b\w*teller\b`, 'progress, reporter'],
];

const root = path.resolve(__dirname, '../..');

/** Files whose text is written here: no generated code, and no translations. */
function textFiles(): string[] {
  const below = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
      .filter(
        (file) =>
          /\.(ts|mjs|json|md)$/.test(file) && !/\/(generated|l10n|demo-workspace)\//.test(file),
      );
  return [
    ...['src', 'media', 'test', 'docs', '.config'].flatMap(below),
    ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'package.json', 'package.nls.json'],
    'media/l10n/bundle.l10n.de.json',
  ].filter((file) => path.join(root, file) !== __filename);
}

/** The foreign words of a text, as `file:line: words → plain words`. */
function foreignWords(file: string, text: string): string[] {
  return foreign.flatMap(([pattern, plain]) =>
    [...text.matchAll(new RegExp(pattern.replaceAll(' ', String.raw`[\s/*]+`), 'gi'))].map(
      ({ 0: found, index }) => {
        const line = text.slice(0, index).split('\n').length;
        return `${file}:${line}: ${found.replaceAll(/[\s/*]+/g, ' ')} → ${plain}`;
      },
    ),
  );
}

describe('Plain words', () => {
  it('are used in every text, comment and title', () => {
    const found = textFiles().flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      // The keys of a bundle are the English texts.
      const isBundle = file.includes('.l10n.');
      return foreignWords(file, isBundle ? text.replaceAll(/": ".*"/g, '"') : text);
    });
    assert.lengthOf(found, 0, found.join('\n'));
  });

  it('are suggested with the line of the foreign words, also across lines', () => {
    const text = 'a\n/** Empty where\n * there is one. Nobody\n * goes on. */';
    assert.deepEqual(foreignWords('a.ts', text), [
      'a.ts:3: Nobody → name the person or the program, or: no one, someone, anyone',
      'a.ts:4: goes on → continue, resume',
      'a.ts:2: where there is → if there is …; for a place: the place of …',
      'a.ts:2: Empty where → … if',
    ]);
  });
});
