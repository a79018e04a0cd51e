import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildExtension } from '../../.config/build';
import { openEditor, repository } from '../host/openEditor';
import { isVariable, usedVariables } from '../host/pageColors';
import { inPage } from '../host/pageFrame';
import { runScript } from '../host/processes';
import * as workbench from '../host/workbench';
import { themeNames } from '../pages/themes';
import { explorerOf } from './pictureScenes';

/**
 * Reads what the pages use of the color themes of VS Code, with which they are tested: `test/pages/themeColors.json`. Run by
 * `npm run themes` when a page uses another color.
 */

interface Shown {
  readonly className: string;
  readonly variables: Readonly<Record<string, string>>;
}

const shown = `({
  className: document.body.className,
  variables: Object.fromEntries(
    [...document.documentElement.style].map((name) =>
      [name, document.documentElement.style.getPropertyValue(name).trim()]),
  ),
})`;

async function readTheme(name: string): Promise<Shown> {
  const window = await openEditor({ settings: { 'workbench.colorTheme': name } });
  try {
    await workbench.runCommand(window.page, 'searchLogs');
    await explorerOf(window.page)
      .locator(`body[data-vscode-theme-id=${JSON.stringify(name)}] .query-bar`)
      .waitFor();
    return await inPage<Shown>(window, shown);
  } finally {
    await window.close();
  }
}

/** Its colors that the pages use; null for those that it does not have. Fonts are those of the machine. */
async function colorsOf({ variables }: Shown): Promise<Record<string, string | null>> {
  const used = (await usedVariables()).flatMap((name) =>
    name.endsWith('*') ? Object.keys(variables).filter((one) => isVariable(name, one)) : [name],
  );
  const colors = used.filter((name) => !name.includes('-font-'));
  return Object.fromEntries(
    [...new Set(colors)].sort().map((name) => [name, variables[name] ?? null]),
  );
}

runScript(async () => {
  await buildExtension();
  const themes: Record<string, object> = {};
  for (const name of themeNames) {
    const theme = await readTheme(name);
    themes[name] = { className: theme.className, colors: await colorsOf(theme) };
  }
  const file = path.join(repository, 'test/pages/themeColors.json');
  await writeFile(file, `${JSON.stringify(themes, null, 2)}\n`);
  console.log(file);
});
