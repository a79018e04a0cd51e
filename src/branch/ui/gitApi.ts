import type { Event, Uri } from 'vscode';

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
  log(options: { readonly range: string }): Promise<readonly unknown[]>;
  diffWith(ref: string): Promise<readonly ApiChange[]>;
  /** @param path of the file system. @throws if the commit does not have the file. */
  getObjectDetails(treeish: string, path: string): Promise<{ readonly size: number }>;
  /** The text of a file at a commit. @param path as above. @throws as above. */
  show(ref: string, path: string): Promise<string>;
  fetch(): Promise<void>;
}

interface RepositoryState {
  /** Undefined until Git has read the repository. */
  readonly HEAD:
    | {
        readonly name?: string;
        readonly commit?: string;
        readonly upstream?: { readonly name: string };
      }
    | undefined;
  readonly remotes: readonly { readonly fetchUrl?: string; readonly pushUrl?: string }[];
  readonly onDidChange: Event<void>;
}

interface ApiChange {
  readonly uri: Uri;
  readonly originalUri: Uri;
  readonly status: number;
}
