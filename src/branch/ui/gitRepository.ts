import * as vscode from 'vscode';
import type { Head } from '../branchEnvironments';
import type { CommitReader } from '../commitFacts';
import { call, listen, listOf, memberOf, textOf } from './foreign';

/** A file that differs; without a side it is not there. */
export interface FileChange {
  readonly label: vscode.Uri;
  readonly original: vscode.Uri | undefined;
  readonly modified: vscode.Uri | undefined;
}

/** A repository that VS Code has opened. */
export interface GitRepository extends CommitReader {
  readonly root: vscode.Uri;
  /** Undefined until Git has looked. */
  readonly head: Head | undefined;
  /** The URLs of the remotes; they may hold passwords. */
  readonly remotes: readonly string[];
  /** What differs between a commit and the files as they are on the disk, without untracked ones. */
  changesSince(sha: string): Promise<readonly FileChange[]>;
  /** @throws what Git says. */
  fetch(): Promise<void>;
  dispose(): void;
}

/** Of the API's `Status`. */
const added = 1;
const deleted = 6;

/**
 * Wraps a repository of the API of the Git extension.
 *
 * @param api as the extension gave it; `repository` is one of its repositories.
 * @returns undefined where it is none that this could use.
 */
export function wrapRepository(
  api: unknown,
  repository: unknown,
  onDidChange: () => void,
): GitRepository | undefined {
  const root = uriOf(repository, 'rootUri');
  const state = memberOf(repository, 'state');
  if (root === undefined || state === undefined) return undefined;
  const subscription = listen(state, 'onDidChange', onDidChange);

  const atCommit = (uri: vscode.Uri, sha: string): vscode.Uri => {
    const found = call(api, 'toGitUri', uri, sha);
    if (found instanceof vscode.Uri) return found;
    throw new TypeError('The Git extension names no file of a commit.');
  };

  return {
    root,
    get head() {
      return readHead(memberOf(state, 'HEAD'));
    },
    get remotes() {
      return listOf(state, 'remotes')
        .flatMap((remote) => [textOf(remote, 'fetchUrl'), textOf(remote, 'pushUrl')])
        .filter((url) => url !== undefined);
    },
    async holds(sha) {
      try {
        // A branch or tag that is called like the beginning of a hash is not that commit.
        return textOf(await call(repository, 'getCommit', sha), 'hash')?.startsWith(sha) ?? false;
      } catch {
        return false;
      }
    },
    async count(from, to) {
      const commits = await call(repository, 'log', { range: `${from}..${to}` });
      if (!Array.isArray(commits)) throw new TypeError('The Git extension lists no commits.');
      return commits.length;
    },
    async changesSince(sha) {
      const changes = await call(repository, 'diffWith', sha);
      if (!Array.isArray(changes)) throw new TypeError('The Git extension lists no changes.');
      return changes.flatMap((change: unknown): FileChange[] => {
        const uri = uriOf(change, 'uri');
        if (uri === undefined) return [];
        const status = memberOf(change, 'status');
        const before = uriOf(change, 'originalUri') ?? uri;
        return [
          {
            label: uri,
            original: status === added ? undefined : atCommit(before, sha),
            modified: status === deleted ? undefined : uri,
          },
        ];
      });
    },
    async fetch() {
      await call(repository, 'fetch');
    },
    dispose: () => subscription.dispose(),
  };
}

/** A member that is the URI of something. */
export function uriOf(target: unknown, name: string): vscode.Uri | undefined {
  const value = memberOf(target, name);
  return value instanceof vscode.Uri ? value : undefined;
}

function readHead(head: unknown): Head | undefined {
  if (head === undefined) return undefined;
  const branch = textOf(head, 'name');
  const commit = textOf(head, 'commit')?.toLowerCase();
  const upstream = textOf(memberOf(head, 'upstream'), 'name');
  return {
    ...(branch === undefined ? {} : { branch }),
    ...(commit === undefined ? {} : { commit }),
    ...(upstream === undefined ? {} : { upstream }),
  };
}
