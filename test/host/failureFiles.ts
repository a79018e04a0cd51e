import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { repository } from './openEditor';

const folder = path.join(repository, '.vscode-test');

/** A report of a failure: the full title of the test, and the state at that moment. */
export interface Failure {
  title: string;
  there: string;
}

/** The path of a file about a failed test, by its host; creates the folder. */
export async function failureFile(host: string, title: string, extension: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const words = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 120);
  return path.join(folder, `${prefix(host)}${words}${extension}`);
}

/** Removes the failure files of earlier runs in this host. */
export async function forgetFailures(host: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const old = names.filter((name) => name.startsWith(prefix(host)));
  await Promise.all(old.map((name) => rm(path.join(folder, name), { force: true })));
}

function prefix(host: string): string {
  return `failed-${host}-`;
}
