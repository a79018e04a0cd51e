import { assert } from 'chai';
import {
  codeFiles,
  excludedFiles,
  isOtherCode,
  languageOfFile,
  statementLanguages,
} from '../../../../src/logs/calls/languages';

describe('Code files', () => {
  it('have a language whose logging calls are found', () => {
    const extensions = /\{(.*)\}/.exec(codeFiles)?.[1]?.split(',') ?? [];
    const languages = new Set(extensions.map((extension) => languageOfFile(`a.${extension}`)));
    assert.includeMembers([...languages], [...statementLanguages]);
    assert.equal(languageOfFile('src/A.TSX'), 'typescriptreact');
    for (const path of ['README.md', 'Makefile', 'a.ts/b', '']) {
      assert.isUndefined(languageOfFile(path), path);
    }
  });

  it('of dependencies and builds are other code', () => {
    for (const path of ['node_modules/a/b.js', '/w/a/.venv/lib/b.py', 'web/dist/a.js']) {
      assert.isTrue(isOtherCode(path), path);
    }
    const own = ['src/a.ts', 'src/targets/a.ts', 'vendor.ts', 'my-vendor/a.ts', 'xgit/a.ts'];
    for (const path of own) {
      assert.isFalse(isOtherCode(path), path);
    }
  });

  it('to leave out are those of settings, too', () => {
    const patternsOf = (...settings: Record<string, unknown>[]): string[] =>
      excludedFiles(settings).slice(1, -1).split(',');
    const own = patternsOf();
    assert.include(own, '**/node_modules/**');
    assert.deepEqual(
      patternsOf(
        { '**/generated/**': true, '**/kept/**': false, '**/*.js': { when: '$(basename).ts' } },
        { '**/*.{test,spec}.{ts,js}': true, '{a,{b,c}}': true, 'odd,comma': true, '{': true },
        { '**/node_modules/**': true },
      ).slice(own.length),
      [
        ...['**/generated/**', '**/*.test.ts', '**/*.test.js', '**/*.spec.ts', '**/*.spec.js'],
        ...['a', 'b', 'c'],
      ],
    );
    const many = `{${'a,'.repeat(9)}a}`.repeat(9);
    assert.deepEqual(patternsOf({ [many]: true }), own);
  });
});
