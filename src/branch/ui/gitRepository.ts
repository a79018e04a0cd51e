import type * as vscode from 'vscode';
import type { Head } from '../branchEnvironments';
import type { CommitReader } from '../commitFacts';
import type { ApiRepository, GitApi } from './gitApi';

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

export function wrapRepository(
  api: Pick<GitApi, 'toGitUri'>,
  repository: ApiRepository,
  onDidChange: () => void,
): GitRepository {
  const { state } = repository;
  const subscription = state.onDidChange(onDidChange);
  return {
    root: repository.rootUri,
    get head() {
      return headOf(state);
    },
    get remotes() {
      return state.remotes
        .flatMap(({ fetchUrl, pushUrl }) => [fetchUrl, pushUrl])
        .filter((url): url is string => url !== undefined && url !== '');
    },
    async holds(sha) {
      try {
        // A branch or tag that is called like the beginning of a hash is not that commit.
        return (await repository.getCommit(sha)).hash.startsWith(sha);
      } catch {
        return false;
      }
    },
    count: async (from, to) => (await repository.log({ range: `${from}..${to}` })).length,
    async changesSince(sha) {
      const changes = await repository.diffWith(sha);
      return changes.map(({ uri, originalUri, status }) => ({
        label: uri,
        original: status === added ? undefined : api.toGitUri(originalUri, sha),
        modified: status === deleted ? undefined : uri,
      }));
    },
    fetch: () => repository.fetch(),
    dispose: () => void subscription.dispose(),
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
