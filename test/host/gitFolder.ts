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

/**
 * Creates a repository with the branch `main` and no commit; ignores the Git settings of the
 * machine.
 */
export async function createGitFolder(folder: string): Promise<GitFolder> {
  await mkdir(folder, { recursive: true });
  const git = async (...args: string[]): Promise<string> => {
    const who = ['-c', 'user.name=A Person', '-c', 'user.email=person@example.com'];
    const { stdout } = await run('git', [...who, ...args], {
      cwd: folder,
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    });
    return stdout.trim();
  };
  await git('init', '--quiet', '--initial-branch=main');
  return {
    folder,
    git,
    async commit(file, text, message = `Change ${file}`) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
      await git('add', '--', file);
      await git('commit', '--quiet', '--message', message);
      return git('rev-parse', 'HEAD');
    },
  };
}
