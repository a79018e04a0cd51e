import { isLong } from '../unit/long';
import themes from './themeColors.json';

/** The color themes of VS Code whose colors are known here, by their ids: of the main ones, those of every release first. */
export const themeNames = [
  'Light Modern',
  'Dark Modern',
  'Default High Contrast',
  'Default High Contrast Light',
  'Light 2026',
  'Dark 2026',
] as const;
export type ThemeName = (typeof themeNames)[number];

/** Those that are tried: a light, a dark and one of high contrast, or all in the full run. */
export const triedThemes: readonly ThemeName[] = isLong ? themeNames : themeNames.slice(0, 3);

/** The fonts of every theme. */
const fonts = {
  '--vscode-font-family': "'DejaVu Sans', sans-serif",
  '--vscode-font-size': '13px',
  '--vscode-editor-font-family': "'DejaVu Sans Mono', monospace",
  '--vscode-editor-font-size': '13px',
};

/** The colors of a theme; null for those that it does not have. */
export function colorsOfTheme(name: ThemeName): Readonly<Record<string, string | null>> {
  return themes[name].colors;
}

/** In the page: shows it in a theme, as VS Code does. */
export function themeScript(name: ThemeName): string {
  const variables: Readonly<Record<string, string | null>> = { ...fonts, ...colorsOfTheme(name) };
  const style = Object.entries(variables)
    .filter(([, value]) => value !== null)
    .map(([variable, value]) => `${variable}: ${value}`)
    .join('; ');
  return `
    document.documentElement.style.cssText = ${JSON.stringify(style)};
    document.body.className = ${JSON.stringify(themes[name].className)};
  `;
}
