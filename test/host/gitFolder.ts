import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A Git repository made by a test. */
export interface GitFolder {
  readonly folder: string;
  /** Runs Git there; returns what it printed. */
  git(...args: string[]): Promise<string>;
  /** Writes a file and commits it; returns the hash. */
  commit(file: string, text: string, message?: string): Promise<string>;
}

/** A person, who commits. */
const who = ['-c', 'user.name=A Person', '-c', 'user.email=person@example.com'];
/** A commit starts no other Git, to see whether there is something to tidy up. */
const untidy = ['-c', 'maintenance.auto=false', '-c', 'gc.auto=0'];

/**
 * A repository that is there; ignores the Git settings of the machine.
 *
 * @param settings arguments before each command, and variables.
 */
export function gitFolder(
  folder: string,
  settings: readonly string[] = who,
  env: NodeJS.ProcessEnv = {},
): GitFolder {
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await run('git', [...untidy, ...settings, ...args], {
      cwd: folder,
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', ...env },
    });
    return stdout.trim();
  };
  return {
    folder,
    git,
    async commit(file, text, message = `Change ${file}`) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
      await git('add', '--', file);
      // It says which commit it has made, so that nothing has to ask.
      const said = await git('-c', 'core.abbrev=40', 'commit', '--message', message);
      const [, hash] = /^\[.* ([\da-f]{40})\]/.exec(said) ?? [];
      if (hash === undefined) throw new Error(`Git has made no commit: ${said}`);
      return hash;
    },
  };
}

/** Creates a repository with the branch `main` and no commit. */
export async function createGitFolder(folder: string): Promise<GitFolder> {
  await mkdir(folder, { recursive: true });
  const created = gitFolder(folder);
  await created.git('init', '--quiet', '--initial-branch=main');
  return created;
}
