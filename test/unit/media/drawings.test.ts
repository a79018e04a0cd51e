import { assert } from 'chai';
import { drawings } from '../../host/pageColors';
import { colorsOfTheme, themeNames } from '../../pages/themes';

describe('The drawings of the walkthrough', () => {
  it('have a color for each of their parts in each theme: without one, a part is black', async () => {
    for (const [name, drawing] of await drawings()) {
      const colors = drawing.matchAll(/(?:fill|stroke)="(var\(.*?\))"/g);
      const used = [...new Set([...colors].map(([, color = '']) => color))];
      assert.isNotEmpty(used, name);
      for (const theme of themeNames) {
        const known = colorsOfTheme(theme);
        const isDefined = (color: string): boolean =>
          /, (?!var)/.test(color) ||
          (color.match(/--vscode-[\w-]+/g) ?? []).some((one) => typeof known[one] === 'string');
        const missing = used.filter((color) => !isDefined(color));
        assert.deepEqual(missing, [], `${name} in ${theme}`);
      }
    }
  });
});
