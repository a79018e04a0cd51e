import * as vscode from 'vscode';
import type { Event, Uri } from 'vscode';
import { BoundedMap } from '../../base/boundedMap';
import { getOrMake } from '../../base/maps';
import {
  type HistoryReader,
  type CommitReader,
  type Head,
  hashesIn,
  isCommit,
} from '../commitFacts';
import { readTextFile } from '../../vscode/textFiles';
import type { ChangedFile, Commit, RangeReader } from '../commitRange';
import type { PushReader, TrackedBranch } from '../pushes';
import { readRefMoves, type RefMove } from '../refLog';

/** A changed file. A side is undefined if the file does not exist there. */
interface FileChange {
  readonly label: vscode.Uri;
  readonly original: vscode.Uri | undefined;
  readonly modified: vscode.Uri | undefined;
}

/** A file with its path at a commit, and its path today. */
interface Renamed {
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
}

/** The most renamed files of a commit, and the most commits with known ones. */
const mostRenamed = 1000;
const mostKnown = 50;

/** The setting of Git with a list of commits, and the size of the longest list, in bytes. */
const ignoreRevsFile = 'blame.ignoreRevsFile';
const maxIgnoredBytes = 1024 * 1024;

/** Values of the API's `Status`. */
const added = 1;
const deleted = 6;

/** A repository that is open in VS Code. */
export class GitRepository implements CommitReader, HistoryReader, PushReader, RangeReader {
  /** By commit and HEAD: what Git compares takes a process. */
  private readonly renamed = new BoundedMap<string, Promise<readonly Renamed[]>>(mostKnown);

  constructor(
    private readonly api: Pick<GitApi, 'toGitUri'>,
    private readonly repository: ApiRepository,
  ) {}

  get root(): vscode.Uri {
    return this.repository.rootUri;
  }

  /** Undefined until Git has read the repository. */
  get head(): Head | undefined {
    return headOf(this.repository.state);
  }

  /** The URLs of the remotes. They may contain passwords. */
  get remotes(): readonly string[] {
    return this.repository.state.remotes
      .flatMap(({ fetchUrl, pushUrl }) => [fetchUrl, pushUrl])
      .filter((url): url is string => url !== undefined && url !== '');
  }

  /** Fires when the content changes: HEAD, remotes, what was fetched. */
  get onDidChange(): Event<void> {
    return this.repository.state.onDidChange;
  }

  async holds(sha: string): Promise<boolean> {
    return (await this.hashOf(sha)) !== undefined;
  }

  async count(from: string, to: string): Promise<number> {
    return (await this.repository.log({ range: `${from}..${to}` })).length;
  }

  async resolve(ref: string): Promise<string | undefined> {
    return this.repository.getCommit(ref).then(
      ({ hash }) => hash.toLowerCase(),
      () => undefined,
    );
  }

  /** Never rejects. */
  upstreamMoves(upstream: string): Promise<readonly RefMove[]> {
    const read = (path: string, maxBytes: number): Promise<string | undefined> =>
      readTextFile(vscode.Uri.file(path), maxBytes);
    return readRefMoves(read, this.root.fsPath, `refs/remotes/${upstream}`);
  }

  /**
   * What a change of the upstream changes, too: as long as it is the same, `trackedBranch` is. Costs nothing.
   */
  get trackedState(): string {
    const { name, commit, upstream, ahead, behind } = this.repository.state.HEAD ?? {};
    return JSON.stringify([name, commit, upstream?.remote, upstream?.name, ahead, behind]);
  }

  /** The checked-out branch with what its upstream points to; undefined without a branch or a commit. */
  async trackedBranch(): Promise<TrackedBranch | undefined> {
    const { name: branch, commit, upstream: tracked } = this.repository.state.HEAD ?? {};
    if (branch === undefined || commit === undefined) return undefined;
    const upstream = tracked && `${tracked.remote}/${tracked.name}`;
    const pushed = upstream && (await this.resolve(`refs/remotes/${upstream}`));
    const repository = this.root.toString();
    return { repository, branch, upstream, pushed, commit: commit.toLowerCase() };
  }

  /** The whole hash. A branch or tag could have a name that looks like a hash. */
  async hashOf(sha: string): Promise<string | undefined> {
    const hash = await this.resolve(sha);
    return hash?.startsWith(sha) === true ? hash : undefined;
  }

  async mergeBase(a: string, b: string): Promise<string | undefined> {
    const base = await this.repository.getMergeBase(a, b);
    return base === '' ? undefined : base;
  }

  /** @param file only the commits that changed it, without the number of their files. */
  async commitsBetween(from: string, to: string, file?: Uri): Promise<readonly Commit[]> {
    const range = `${from}..${to}`;
    const commits = await this.repository.log(
      file === undefined ? { range, shortStats: true } : { range, path: file.fsPath },
    );
    return commits.map(commitOf);
  }

  async filesBetween(from: string, to: string): Promise<readonly ChangedFile[]> {
    const changes = await this.repository.diffBetween(from, to);
    return changes.map(({ uri, originalUri, status }) => ({
      before: status === added ? undefined : originalUri.toString(),
      after: status === deleted ? undefined : uri.toString(),
    }));
  }

  /** All commits that `to` has and `from` does not have, without the number of their files. */
  async allBetween(from: string, to: string): Promise<readonly Commit[]> {
    return (await this.repository.log({ range: `${from}..${to}` })).map(commitOf);
  }

  /** What a commit changed in a file since one of its parents, as a patch. */
  patchOf(parent: string, sha: string, file: Uri): Promise<string> {
    return this.repository.diffBetween(parent, sha, file.fsPath);
  }

  /**
   * The file that a commit renamed to this one, and what it changed in it, as a patch: undefined if one of the two is
   * larger than this many bytes. Undefined if the file is new.
   */
  async renameOf(
    parent: string,
    sha: string,
    file: Uri,
    maxBytes: number,
  ): Promise<{ readonly from: Uri; readonly patch: string | undefined } | undefined> {
    const changes = await this.repository.diffBetween(parent, sha);
    const from = changes.find(
      ({ uri, status }) => status !== added && uri.toString() === file.toString(),
    )?.originalUri;
    if (from === undefined || from.toString() === file.toString()) return undefined;
    const [before, now] = await Promise.all([
      this.repository.getObjectDetails(parent, from.fsPath),
      this.repository.getObjectDetails(sha, file.fsPath),
    ]);
    if (before.object === now.object) return { from, patch: '' };
    const isTooLarge = Math.max(before.size, now.size) > maxBytes;
    return {
      from,
      patch: isTooLarge ? undefined : await this.repository.diffBlobs(before.object, now.object),
    };
  }

  /** The commits that `git blame` ignores here, in lower case: those that only reformat. Never rejects. */
  async ignoredCommits(): Promise<ReadonlySet<string>> {
    const settings = await Promise.all([
      this.settingOf('getConfig', ignoreRevsFile),
      this.settingOf('getGlobalConfig', ignoreRevsFile),
    ]);
    const files = new Set(['.git-blame-ignore-revs', ...settings.filter(isWithin)]);
    const texts = await Promise.all(
      [...files].map((file) => readTextFile(vscode.Uri.joinPath(this.root, file), maxIgnoredBytes)),
    );
    return new Set(texts.flatMap((text) => hashesIn(text ?? '')));
  }

  /** What `git blame` prints of a file of the working tree, a line for each of its lines. @throws the error of Git. */
  blame(file: Uri): Promise<string> {
    return this.repository.blame(file.fsPath);
  }

  /** A file at a commit, for the editor. */
  fileAt(file: Uri, sha: string): Uri {
    return this.api.toGitUri(file, sha);
  }

  /** The differences between a commit and the files on disk, without untracked files. */
  async changesSince(sha: string): Promise<readonly FileChange[]> {
    const changes = await this.repository.diffWith(sha);
    return changes.map(({ uri, originalUri, status }) => ({
      label: uri,
      original: status === added ? undefined : this.api.toGitUri(originalUri, sha),
      modified: status === deleted ? undefined : uri,
    }));
  }

  /**
   * The files that have other paths today than at a commit. Empty if the repository does not have the commit.
   * Never rejects.
   */
  async renamedSince(sha: string): Promise<readonly Renamed[]> {
    const hash = isCommit(sha) ? await this.hashOf(sha.toLowerCase()) : undefined;
    return hash === undefined ? [] : this.renamedSinceHash(hash);
  }

  /**
   * The text of a file at a commit, where it may have had another path; undefined if the repository does not
   * have the commit, if the commit does not have the file, or if the file is larger than this many bytes.
   *
   * @param sha a commit hash or its beginning. Anything else is not passed to Git.
   */
  async textAt(sha: string, file: vscode.Uri, maxBytes: number): Promise<string | undefined> {
    const hash = isCommit(sha) ? await this.hashOf(sha.toLowerCase()) : undefined;
    if (hash === undefined) return undefined;
    try {
      return await this.textOf(hash, file.fsPath, maxBytes);
    } catch {
      const before = (await this.renamedSinceHash(hash)).find(
        ({ to }) => to.toString() === file.toString(),
      );
      return before && this.textOf(hash, before.from.fsPath, maxBytes).catch(() => undefined);
    }
  }

  /** The path that a file of today has at a commit; undefined if it is not there. Never rejects. */
  async pathAt(hash: string, file: vscode.Uri): Promise<vscode.Uri | undefined> {
    try {
      await this.repository.getObjectDetails(hash, file.fsPath);
      return file;
    } catch {
      const renamed = await this.renamedSinceHash(hash);
      return renamed.find(({ to }) => to.toString() === file.toString())?.from;
    }
  }

  /** @throws the error of Git. */
  async fetch(): Promise<void> {
    await this.repository.fetch();
  }

  private async settingOf(
    scope: 'getConfig' | 'getGlobalConfig',
    key: string,
  ): Promise<string | undefined> {
    try {
      return await this.repository[scope](key);
    } catch {
      return undefined;
    }
  }

  private renamedSinceHash(hash: string): Promise<readonly Renamed[]> {
    const key = `${hash} ${this.repository.state.HEAD?.commit ?? ''}`;
    return getOrMake(this.renamed, key, () =>
      this.repository.diffWith(hash).then(
        (changes) =>
          changes
            .filter(({ uri, originalUri }) => uri.toString() !== originalUri.toString())
            .slice(0, mostRenamed)
            .map(({ uri, originalUri }) => ({ from: originalUri, to: uri })),
        () => [],
      ),
    );
  }

  private async textOf(hash: string, path: string, maxBytes: number): Promise<string | undefined> {
    const { size } = await this.repository.getObjectDetails(hash, path);
    return size > maxBytes ? undefined : await this.repository.show(hash, path);
  }
}

/** Whether a path of the settings of Git is one of a file in the working tree. */
function isWithin(path: string | undefined): path is string {
  return (
    path !== undefined &&
    path !== '' &&
    !/^(?:[\\/~:]|[a-z]:)/i.test(path) &&
    !path.split(/[\\/]/).includes('..')
  );
}

function commitOf(commit: ApiCommit): Commit {
  const { hash, message, parents, authorName, authorDate, shortStat } = commit;
  return {
    sha: hash,
    title: message.split('\n', 1)[0] ?? '',
    parents,
    ...(authorName === undefined ? {} : { author: authorName }),
    ...(authorDate === undefined ? {} : { at: authorDate.getTime() }),
    ...(shortStat === undefined ? {} : { files: shortStat.files }),
  };
}

function headOf({ HEAD: head }: ApiRepository['state']): Head | undefined {
  if (head === undefined) return undefined;
  const { name: branch, commit, upstream } = head;
  return {
    ...(branch === undefined ? {} : { branch }),
    ...(commit === undefined ? {} : { commit: commit.toLowerCase() }),
    ...(upstream === undefined ? {} : { upstream: upstream.name }),
  };
}

/*
 * The parts of version 1 of the API of VS Code's Git extension that are used here, from its `api/git.d.ts`:
 * https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts
 */

export interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: Event<boolean>;
  /** @throws if Git is disabled. */
  getAPI(version: 1): GitApi;
}

export interface GitApi {
  readonly repositories: readonly ApiRepository[];
  readonly onDidOpenRepository: Event<ApiRepository>;
  readonly onDidCloseRepository: Event<ApiRepository>;
  getRepository(uri: Uri): ApiRepository | null;
  /** The URI of a file at a commit. */
  toGitUri(uri: Uri, ref: string): Uri;
}

export interface ApiRepository {
  readonly rootUri: Uri;
  readonly state: RepositoryState;
  getCommit(ref: string): Promise<{ readonly hash: string }>;
  /** Empty if the setting is not set in the repository. */
  getConfig(key: string): Promise<string>;
  getGlobalConfig(key: string): Promise<string>;
  /** @param options with the path of a file in the file system. */
  log(options: {
    readonly range: string;
    readonly path?: string;
    readonly shortStats?: boolean;
  }): Promise<readonly ApiCommit[]>;
  getMergeBase(a: string, b: string): Promise<string | undefined>;
  diffWith(ref: string): Promise<readonly ApiChange[]>;
  /** What `b` changed since the last commit that both come from. */
  diffBetween(a: string, b: string): Promise<readonly ApiChange[]>;
  /** The same in one file, as a patch. @param path of the file system. */
  diffBetween(a: string, b: string, path: string): Promise<string>;
  /** @param path of the file system. @throws if the commit does not have the file. */
  getObjectDetails(
    treeish: string,
    path: string,
  ): Promise<{ readonly object: string; readonly size: number }>;
  /** What is different in the second of two objects, as a patch. */
  diffBlobs(a: string, b: string): Promise<string>;
  /** The text of a file at a commit. @param path as above. @throws as above. */
  show(ref: string, path: string): Promise<string>;
  /** @param path of the file system. */
  blame(path: string): Promise<string>;
  fetch(): Promise<void>;
}

interface RepositoryState {
  /** Undefined until Git has read the repository. */
  readonly HEAD:
    | {
        readonly name?: string;
        readonly commit?: string;
        readonly upstream?: { readonly remote: string; readonly name: string };
        readonly ahead?: number;
        readonly behind?: number;
      }
    | undefined;
  readonly remotes: readonly { readonly fetchUrl?: string; readonly pushUrl?: string }[];
  readonly onDidChange: Event<void>;
}

interface ApiCommit {
  readonly hash: string;
  readonly message: string;
  readonly parents: readonly string[];
  readonly authorDate?: Date;
  readonly authorName?: string;
  readonly shortStat?: { readonly files: number };
}

interface ApiChange {
  readonly uri: Uri;
  readonly originalUri: Uri;
  readonly status: number;
}
