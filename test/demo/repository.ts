import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  demoCommits,
  demoFolder,
  releasesOf,
  type Release,
  textAtCommit,
} from '../control-plane/releases';
import { createGitFolder } from '../host/gitFolder';

/** The source that is deployed from this repository; the remote names it. */
export const demoSource = 'shop-web';
const remote = `https://code.example/example-shop/${demoSource}.git`;

/**
 * Copies the demo workspace, with its history in Git. Without Git on this machine, only the files.
 *
 * @returns the commits that are deployed, newest first, for `startControlPlane`.
 */
export async function createDemoRepository(folder: string): Promise<Release[]> {
  await cp(demoFolder, folder, { recursive: true });
  try {
    const repository = await createGitFolder(folder);
    await repository.git('remote', 'add', 'origin', remote);
    // Who commits here, if the machine has no settings of Git.
    await repository.git('config', 'user.name', 'A Person');
    await repository.git('config', 'user.email', 'person@example.com');
    const files = new Set(demoCommits.flatMap(({ edits }) => edits.map(({ file }) => file)));
    const hashes: string[] = [];
    for (const [index, { message }] of demoCommits.entries()) {
      for (const file of files) await writeFile(path.join(folder, file), textAtCommit(file, index));
      await repository.git('add', '--all');
      await repository.git('commit', '--quiet', '--message', message);
      hashes.push(await repository.git('rev-parse', 'HEAD'));
    }
    return releasesOf(hashes);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Makes a repository beside the demo workspace its remote, so that it can push. */
export async function addDemoRemote(folder: string): Promise<void> {
  const repository = await createGitFolder(folder);
  // With the owner, by which a control plane lists its sources.
  const bare = path.join(path.dirname(folder), 'example-shop', `${demoSource}.git`);
  await repository.git('init', '--quiet', '--bare', bare);
  await repository.git('remote', 'set-url', 'origin', bare);
  await repository.git('push', '--quiet', '--set-upstream', 'origin', 'main');
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
