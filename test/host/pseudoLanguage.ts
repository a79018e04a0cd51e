import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleFile, manifestFile } from '../../.config/package';
import { pseudo, textsOfCode } from './translations';

/** The VS Code id of the language of `pseudo`. */
export const pseudoLanguage = 'qps-ploc';

/** Adds the pseudo language to the extension that is installed in a folder. */
export async function addPseudoLanguage(folder: string): Promise<void> {
  const manifest = JSON.parse(
    await readFile(path.join(folder, 'package.nls.json'), 'utf8'),
  ) as Record<string, string>;
  await write(
    path.join(folder, manifestFile(pseudoLanguage)),
    Object.entries(manifest).map(([key, text]) => [key, pseudo(text)]),
  );
  await write(
    path.join(folder, bundleFile(pseudoLanguage)),
    (await textsOfCode()).map(({ text }) => [text, pseudo(text)]),
  );
}

async function write(file: string, texts: [string, string][]): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(Object.fromEntries(texts)));
}
