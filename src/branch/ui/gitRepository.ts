import type * as vscode from 'vscode';
import type { Head } from '../branchEnvironments';
import type { CommitReader } from '../commitFacts';
import type { ApiRepository, GitApi } from './gitApi';

/** A changed file. A side is undefined if the file does not exist there. */
interface FileChange {
  readonly label: vscode.Uri;
  readonly original: vscode.Uri | undefined;
  readonly modified: vscode.Uri | undefined;
}

/** A repository that is open in VS Code. */
export interface GitRepository extends CommitReader {
  readonly root: vscode.Uri;
  /** Undefined until Git has read the repository. */
  readonly head: Head | undefined;
  /** The URLs of the remotes. They may contain passwords. */
  readonly remotes: readonly string[];
  /** The differences between a commit and the files on disk, without untracked files. */
  changesSince(sha: string): Promise<readonly FileChange[]>;
  /** @throws the error of Git. */
  fetch(): Promise<void>;
  dispose(): void;
}

/** Values of the API's `Status`. */
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
        // A branch or tag could have a name that looks like a hash.
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
