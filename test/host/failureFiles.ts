import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { repository } from './openEditor';

const folder = path.join(repository, '.vscode-test');

/** What a host says of a failure: the full title of the test, and what there was at that moment. */
export interface Failure {
  title: string;
  there: string;
}

/** The path of a file about a test that failed, by the host it ran in; its folder is there. */
export async function failureFile(host: string, title: string, extension: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const words = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 120);
  return path.join(folder, `${prefix(host)}${words}${extension}`);
}

/** Removes what an earlier run in this host has left. */
export async function forgetFailures(host: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const old = names.filter((name) => name.startsWith(prefix(host)));
  await Promise.all(old.map((name) => rm(path.join(folder, name), { force: true })));
}

function prefix(host: string): string {
  return `failed-${host}-`;
}
