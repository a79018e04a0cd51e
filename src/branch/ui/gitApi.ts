import type { Event, Uri } from 'vscode';

/*
 * What is used of version 1 of the API of VS Code's own Git extension, as its `api/git.d.ts` has it:
 * https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts
 */

export interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: Event<boolean>;
  /** @throws where Git is switched off. */
  getAPI(version: 1): GitApi;
}

export interface GitApi {
  readonly repositories: readonly ApiRepository[];
  readonly onDidOpenRepository: Event<ApiRepository>;
  readonly onDidCloseRepository: Event<ApiRepository>;
  getRepository(uri: Uri): ApiRepository | null;
  /** Where the editor reads a file as it was at a commit. */
  toGitUri(uri: Uri, ref: string): Uri;
}

export interface ApiRepository {
  readonly rootUri: Uri;
  readonly state: RepositoryState;
  getCommit(ref: string): Promise<{ readonly hash: string }>;
  log(options: { readonly range: string }): Promise<readonly unknown[]>;
  diffWith(ref: string): Promise<readonly ApiChange[]>;
  fetch(): Promise<void>;
}

interface RepositoryState {
  /** Undefined until Git has looked. */
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
