import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Rename } from '../../../src/commits/changesOfFiles';
import { hashesIn } from '../../../src/commits/commitFacts';
import type { ChangedFile, Commit, RangeReader } from '../../../src/commits/commitRange';
import { linesIn } from '../../../src/commits/lineMapping';
import type { PushReader, TrackedBranch } from '../../../src/commits/pushes';
import { readRefMoves, type RefMove } from '../../../src/commits/refLog';
import type { SuspectReader } from '../../../src/commits/suspects';
import type { GitFolder } from '../../host/gitFolder';

/** What VS Code's Git extension answers, from Git itself. */
export class GitCommandLine implements RangeReader, PushReader, SuspectReader {
  constructor(private readonly repository: GitFolder) {}

  async hashOf(sha: string): Promise<string | undefined> {
    return this.repository.git('rev-parse', '--verify', `${sha}^{commit}`).catch(() => undefined);
  }

  async count(from: string, to: string): Promise<number> {
    return Number(await this.repository.git('rev-list', '--count', `${from}..${to}`));
  }

  upstreamMoves(upstream: string): Promise<readonly RefMove[]> {
    return readRefMoves(readSmallFile, this.repository.folder, `refs/remotes/${upstream}`);
  }

  /** The checked-out branch, as VS Code's Git extension reads it. */
  async trackedBranch(): Promise<TrackedBranch | undefined> {
    const head = await this.repository.git('symbolic-ref', 'HEAD').catch(() => undefined);
    const commit = await this.hashOf('HEAD');
    if (head === undefined || commit === undefined) return undefined;
    const format = '--format=%(upstream:remotename)\t%(upstream:remoteref)';
    const [remote = '', ref = ''] = (await this.repository.git('for-each-ref', format, head)).split(
      '\t',
    );
    const upstream = remote === '' ? undefined : `${remote}/${ref.replace(/^refs\/heads\//, '')}`;
    const pushed = upstream && (await this.hashOf(`refs/remotes/${upstream}`));
    const branch = head.replace(/^refs\/heads\//, '');
    return { repository: this.repository.folder, branch, upstream, pushed, commit };
  }

  async mergeBase(a: string, b: string): Promise<string | undefined> {
    return this.repository.git('merge-base', a, b).catch(() => undefined);
  }

  async commitsBetween(from: string, to: string, ...paths: string[]): Promise<readonly Commit[]> {
    const format = '--format=%x00%H%x01%s%x01%an%x01%at%x01%P';
    const text = await this.repository.git('log', format, `${from}..${to}`, '--', ...paths);
    return text
      .split('\0')
      .slice(1)
      .map((commit) => {
        const [sha = '', title = '', author = '', at = '', parents = ''] = commit
          .trim()
          .split('\u0001');
        const known = parents.split(' ').filter((parent) => parent !== '');
        return { sha, title, author, at: Number(at) * 1000, parents: known };
      });
  }

  async filesBetween(from: string, to: string): Promise<readonly ChangedFile[]> {
    const text = await this.repository.git('diff', '--name-status', `${from}...${to}`);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [status = '', path, renamed = path] = line.split('\t');
        return {
          before: status === 'A' ? undefined : path,
          after: status === 'D' ? undefined : renamed,
        };
      });
  }

  async patchOf(parent: string, sha: string, file: string): Promise<string | undefined> {
    return bounded(await this.repository.git('diff', `${parent}...${sha}`, '--', file));
  }

  async renameOf(parent: string, sha: string, file: string): Promise<Rename | undefined> {
    const changed = await this.filesBetween(parent, sha);
    const from = changed.find(({ after }) => after === file)?.before;
    if (from === undefined || from === file) return undefined;
    const patch = await this.repository.git('diff', `${parent}:${from}`, `${sha}:${file}`);
    return { path: from, patch: bounded(patch) };
  }

  allBetween(from: string, to: string): Promise<readonly Commit[]> {
    return this.commitsBetween(from, to);
  }

  commitsOfFile(from: string, to: string, file: string): Promise<readonly Commit[]> {
    return this.commitsBetween(from, to, file);
  }

  async deployedFile(sha: string, file: string): ReturnType<SuspectReader['deployedFile']> {
    const show = this.repository.git('show', `${sha}:${file}`);
    return show.then(
      (text) => {
        const lines = bounded(text);
        return { path: file, lines: lines === undefined ? undefined : linesIn(lines) };
      },
      () => undefined,
    );
  }

  async ignoredCommits(): Promise<ReadonlySet<string>> {
    const file = path.join(this.repository.folder, '.git-blame-ignore-revs');
    return new Set(hashesIn((await readSmallFile(file, longest)) ?? ''));
  }
}

/** Longer texts are too large, in characters. */
const longest = 100_000;

function bounded(text: string): string | undefined {
  return text.length > longest ? undefined : text;
}

async function readSmallFile(file: string, maxBytes: number): Promise<string | undefined> {
  try {
    return (await stat(file)).size > maxBytes ? undefined : await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
