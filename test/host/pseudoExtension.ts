import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleFile, manifestFile, pseudo, textsOfCode } from '../../.config/l10n';
import { repository } from './openEditor';
import { temporaryFolder } from './processes';

/** The language of `pseudo`, as VS Code names it. */
export const pseudoLanguage = 'qps-ploc';

/** A copy of the built extension that knows one more language; returns its folder. */
export async function pseudoExtension(): Promise<string> {
  const folder = path.join(await temporaryFolder('pseudo'), 'extension');
  for (const part of ['package.json', 'package.nls.json', 'dist', 'media']) {
    await cp(path.join(repository, part), path.join(folder, part), {
      recursive: true,
      filter: (file) => !/[\\/]dist[\\/](?:test|screenshots)/.test(file),
    });
  }
  const manifest = JSON.parse(
    await readFile(path.join(repository, 'package.nls.json'), 'utf8'),
  ) as Record<string, string>;
  await write(
    path.join(folder, manifestFile(pseudoLanguage)),
    Object.entries(manifest).map(([key, text]) => [key, pseudo(text)]),
  );
  await write(
    path.join(folder, bundleFile(pseudoLanguage)),
    (await textsOfCode()).map(({ text }) => [text, pseudo(text)]),
  );
  return folder;
}

async function write(file: string, texts: [string, string][]): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(Object.fromEntries(texts)));
}
