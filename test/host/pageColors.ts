import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { repository } from './openEditor';

/** The pages that are built, and the files of each. */
const files = ['logExplorer', 'logComparison'].flatMap((page) =>
  ['page.js', 'page.css'].map((file) => path.join(repository, 'dist', page, file)),
);

/** The drawings of the walkthrough by their file names. */
export async function drawings(): Promise<ReadonlyMap<string, string>> {
  const folder = path.join(repository, 'media/walkthrough');
  const read = async (name: string): Promise<[string, string]> => [
    name,
    await readFile(path.join(folder, name), 'utf8'),
  ];
  return new Map(await Promise.all((await readdir(folder)).map(read)));
}

/** The variables of VS Code that the built pages and the drawings use; `*` at the end stands for what is computed. */
export async function usedVariables(): Promise<readonly string[]> {
  const pages = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const texts = [...pages, ...(await drawings()).values()];
  const found = texts.join('\n').match(/--vscode-[\w-]+(?:\$\{)?/g) ?? [];
  return [...new Set(found.map((name) => name.replace('${', '*')))].sort();
}

/** Whether it is one of the variables that this name stands for. */
export function isVariable(name: string, variable: string): boolean {
  return name.endsWith('*') ? variable.startsWith(name.slice(0, -1)) : variable === name;
}
