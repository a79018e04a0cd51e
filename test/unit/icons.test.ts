import { readFileSync } from 'node:fs';
import { assert } from 'chai';
import { iconsOf } from '../../.config/icons';

const all = readFileSync(require.resolve('@vscode/codicons/dist/codicon.css'), 'utf8');
const rules = (css: string): string[] =>
  [...css.matchAll(/^\.codicon-([a-z-]+):before/gm)].map(([, name]) => name ?? '').sort();

describe('the icons beside a page', () => {
  it('are those whose names stand in its script', () => {
    const script =
      'a("flame","My error");b=`codicon codicon-close`;c=\'list-tree\';d="no-such-icon"';
    const { css, text } = iconsOf(script, all);
    assert.deepEqual(rules(css), ['close', 'flame', 'list-tree']);
    assert.lengthOf(Array.from(text), 3);
  });

  it('keep what holds for all of them', () => {
    const { css } = iconsOf('"flame"', all);
    assert.include(css, '@font-face');
    assert.include(css, ".codicon[class*='codicon-']");
  });

  it('are found in the style sheet, of which the form is known', () => {
    const names = rules(all);
    assert.isAbove(names.length, 500);
    const { css } = iconsOf(names.map((name) => `"${name}"`).join(), all);
    assert.equal(css, all);
    assert.isEmpty(rules(iconsOf('', all).css));
  });
});
