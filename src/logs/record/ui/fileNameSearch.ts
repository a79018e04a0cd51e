import * as vscode from 'vscode';
import { minute, second } from '../../../api/clock';
import { systemClock } from '../../../vscode/clock';
import { longestUniqueEnd, searchName } from '../pathMapping';

/** Searches the workspace for files by their names. */
export interface FileNameSearch {
  /**
   * The file with the longest unique end of a path.
   *
   * @param own the folders with the code of the workload.
   * @returns undefined if there is none, `'unknown'` if it was not searched for.
   */
  find(path: string, own: readonly string[]): Promise<vscode.Uri | 'unknown' | undefined>;
  /** Forgets what was found. */
  forget(): void;
}

/** Folders with code that others wrote; see `searchName`. */
const foreign =
  '**/{node_modules,site-packages,dist-packages,gems,vendor,.cargo,.m2,.git,.venv}/**';
/** More files with one name than this: none of them is found. */
const mostFiles = 1000;
/** How many names are searched for in a minute: each starts a process, and logs may contain any name. */
const mostSearches = 60;
/**
 * How long a search may take, in milliseconds. If one takes longer, no other is made: VS Code waits forever
 * where a file system cannot be searched, as in a virtual workspace.
 */
const longestSearch = 3 * second;
const longestName = 200;
/** Beyond this they are forgotten. */
const mostNames = 500;

export function createFileNameSearch(): FileNameSearch {
  const byName = new Map<string, Promise<readonly vscode.Uri[]>>();
  /** When the searches of the last minute began, on the monotonic clock. */
  let starts: number[] = [];
  let work: Promise<unknown> = Promise.resolve();
  let isTooSlow = false;

  /** The files with this name; undefined if there were too many searches lately. */
  function filesNamed(name: string): Promise<readonly vscode.Uri[]> | undefined {
    const known = byName.get(name);
    if (known !== undefined) return known;
    const now = systemClock.monotonic();
    starts = starts.filter((start) => now - start < minute);
    if (starts.length >= mostSearches) return undefined;
    starts.push(now);
    if (byName.size >= mostNames) byName.clear();
    // One after the other.
    const files = work.then(async () => {
      const found = isTooSlow ? undefined : await search(name);
      isTooSlow = found === undefined;
      return found ?? [];
    });
    work = files;
    byName.set(name, files);
    return files;
  }

  return {
    async find(path, own) {
      const name = searchName(path);
      if (name === undefined || name.length > longestName) return undefined;
      const files = await filesNamed(name);
      if (files === undefined) return 'unknown';
      const places = files.flatMap((uri) => {
        const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
        return folder === undefined ? [] : [{ path: uri.path.slice(folder.path.length + 1), uri }];
      });
      return longestUniqueEnd(path, places, own)?.uri;
    },
    forget() {
      byName.clear();
      isTooSlow = false;
    },
  };
}

/** The files with this name; undefined if that takes too long. Never rejects. */
async function search(name: string): Promise<readonly vscode.Uri[] | undefined> {
  const end = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => end.cancel(), longestSearch);
  try {
    // A pattern cannot contain its own signs as text.
    const pattern = `**/${name.replace(/[*?[\]{}!,]/g, '?')}`;
    const files = await vscode.workspace.findFiles(pattern, foreign, mostFiles, end.token);
    if (end.token.isCancellationRequested) return undefined;
    return files.length < mostFiles ? files.filter(({ path }) => path.endsWith(`/${name}`)) : [];
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
    end.dispose();
  }
}
