import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repository } from './openEditor';

/** The pages that are built, and the files of each. */
const files = ['logExplorer', 'logComparison'].flatMap((page) =>
  ['page.js', 'page.css'].map((file) => path.join(repository, 'dist', page, file)),
);

/** The variables of VS Code that the built pages use; `*` at the end stands for what is computed. */
export async function usedVariables(): Promise<readonly string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const found = texts.join('\n').match(/--vscode-[\w-]+(?:\$\{)?/g) ?? [];
  return [...new Set(found.map((name) => name.replace('${', '*')))].sort();
}

/** Whether it is one of the variables that this name stands for. */
export function isVariable(name: string, variable: string): boolean {
  return name.endsWith('*') ? variable.startsWith(name.slice(0, -1)) : variable === name;
}
