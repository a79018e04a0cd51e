import { assert } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const repository = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(repository, file), 'utf8');
const all = ['src', 'media', 'test'].flatMap((folder) =>
  readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
    path.posix.join(folder, file.replaceAll(path.sep, '/')),
  ),
);
/** The code written by hand. */
const code = all.filter(
  (file) => /^(?:src|media)\/.*(?<!\.d)\.ts$/.test(file) && !file.includes('/generated/'),
);

/** The recipes of CONTRIBUTING.md, by their titles. */
const recipes = new Map(
  [...read('CONTRIBUTING.md').matchAll(/^\*\*(.+?)\.?\*\*([^]*?)(?=\n\n)/gm)].map(
    ([, title = '', text = '']) => [title, text] as const,
  ),
);

/** The files that a recipe names, those of its folders too. A short name is beside one that it names, or the only one. */
function namedFiles(title: string): ReadonlySet<string> {
  const text = recipes.get(title);
  assert(text !== undefined, `a recipe ${title}`);
  const names = [...text.matchAll(/`([\w./]+)`/g)].map(([, name = '']) => name);
  return new Set(
    names.flatMap((name) =>
      name === 'ui'
        ? all.filter((file) => file.includes('/ui/'))
        : all.filter(
            (file) => file === name || file.startsWith(`${name}/`) || file.endsWith(`/${name}`),
          ),
    ),
  );
}

/**
 * For each recipe, one of what it adds: how the code names it, and the recipes that it sends its readers to. Whoever
 * follows them has been to every file that names it.
 */
const examples: Readonly<Record<string, readonly [name: RegExp, others?: readonly string[]]>> = {
  'An operation': [/(?:client|operations)\.listRepositories\b/, ['A listing']],
  'A listing': [/'integrations'/, ['A view']],
  'A command': [/(?:commands\.|registerS|s)howServerSettings\b|controlPlane\.showServerSettings/],
  'An action': [
    /'previewReporting'|\bpreviewReportingKind\b|(?:client|operations)\.retryPreview/,
    ['A command'],
  ],
  'A view': [/[^.]\bviews\.integrations\b|'controlPlane\.integrations'/, ['A command']],
  'An AI tool': [/\bsummariseLogs/],
  'A field of records': [/'container'/],
  'A column that looks different': [/'listWorkload'/],
  'A language of stack frames': [/'phtml|\bphtml\b/],
  'A language of logging calls': [/'csharp'|\bcsharp\b/, ['A language of stack frames']],
};

describe('A recipe of CONTRIBUTING.md', () => {
  for (const [title, [name, others = []]] of Object.entries(examples)) {
    it(`leads to every file that names what it adds › ${title}`, () => {
      const named = new Set([title, ...others].flatMap((one) => [...namedFiles(one)]));
      const found = code.filter((file) => name.test(read(file)));
      assert.isNotEmpty(found);
      assert.isEmpty(found.filter((file) => !named.has(file)));
    });
  }
});
