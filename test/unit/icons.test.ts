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
    assert.include(css, '@font-face');
  });

  it('are all found in the style sheet, of which the form is known', () => {
    const names = rules(all);
    assert.isAbove(names.length, 500);
    assert.equal(iconsOf(names.map((name) => `"${name}"`).join(), all).css, all);
  });
});
