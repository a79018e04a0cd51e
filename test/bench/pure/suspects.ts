import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { LogRecord } from '../../../src/api/types';
import { findSuspects } from '../../../src/commits/suspects';
import { createGitFolder } from '../../host/gitFolder';
import { GitCommandLine } from '../../unit/commits/gitCommandLine';
import type { Figure } from '../figures';
import { interleave } from '../statistics';
import { timed, timeFigure } from '../timed';

const commits = 200;
const file = 'src/price.ts';

/** The search for the commit behind an error, in a repository whose commits all change the file of its stack. */
export async function suspects(_: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'suspects-'));
  try {
    const repository = await createGitFolder(folder);
    const lines = Array.from({ length: 400 }, (_line, index) => `const value${index} = ${index};`);
    const before = await repository.commit(file, lines.join('\n'));
    let now = before;
    for (let count = 0; count < commits; count++) {
      lines[(count * 7) % lines.length] = `const changed${count} = ${count};`;
      now = await repository.commit(file, lines.join('\n'));
    }
    const reader = new GitCommandLine(repository);
    const question = { before, now, message: 'changed99 is not defined' };
    const places = [{ file, line: ((99 * 7) % lines.length) + 1 }];
    const search = async (): Promise<number> => {
      let found = 0;
      const { whole } = await timed(async () => {
        const all = await findSuspects(
          reader,
          { ...question, places },
          new AbortController().signal,
        );
        found = all?.length ?? 0;
      });
      if (found === 0) throw new Error('There is no suspect.');
      return whole;
    };
    const { whole } = await interleave({ whole: search }, { rounds, warmUp: 1 });
    return [timeFigure(`the likely commit of ${commits}`, whole, 1500)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
