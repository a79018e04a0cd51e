import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import subsetFont from 'subset-font';

/** The icons of VS Code that lie beside a page: those that it uses, of more than six hundred. */

export const iconFiles = ['codicon.css', 'codicon.ttf'] as const;

const source = path.dirname(require.resolve('@vscode/codicons/dist/codicon.css'));

/** The rule of one icon: its name and its place in the font. */
const iconRule = /^\.codicon-([a-z0-9-]+):before\s*\{\s*content:\s*"\\([0-9a-f]+)"\s*\}\s*$/;

/** The style sheet of some icons. */
export interface IconStyle {
  readonly css: string;
  /** Their places in the font. */
  readonly text: string;
}

/**
 * Keeps the icons whose names stand in a script as a text of their own, or in a class, whatever they
 * are there: a name that is put together is not found.
 *
 * @param css the style sheet of all icons.
 */
export function iconsOf(script: string, css: string): IconStyle {
  const words = new Set(
    [...script.matchAll(/["'`]([a-z0-9-]+)["'`]|\bcodicon-([a-z0-9-]+)/g)].map(
      ([, literal, className]) => literal ?? className ?? '',
    ),
  );
  let text = '';
  const lines = css.split('\n').filter((line) => {
    const [, name, place] = iconRule.exec(line) ?? [];
    if (name === undefined || place === undefined) return true;
    if (!words.has(name)) return false;
    text += String.fromCodePoint(parseInt(place, 16));
    return true;
  });
  return { css: lines.join('\n'), text };
}

/**
 * Puts the icons that a script uses into a folder, or all of them without a script.
 *
 * @throws where the script uses none, as where they are called otherwise.
 */
export async function writeIcons(folder: string, script?: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (script === undefined) {
    await Promise.all(
      iconFiles.map((file) => copyFile(path.join(source, file), path.join(folder, file))),
    );
    return;
  }
  const { css, text } = iconsOf(script, await readFile(path.join(source, 'codicon.css'), 'utf8'));
  if (text === '') throw new Error('The page uses no icon.');
  const all = await readFile(path.join(source, 'codicon.ttf'));
  await writeFile(path.join(folder, 'codicon.css'), css);
  await writeFile(
    path.join(folder, 'codicon.ttf'),
    await subsetFont(all, text, { targetFormat: 'truetype' }),
  );
}
