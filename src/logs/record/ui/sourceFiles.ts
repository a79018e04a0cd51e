import * as vscode from 'vscode';
import { BoundedMap } from '../../../base/boundedMap';
import { minute, RateLimiter, second } from '../../../base/clock';
import { getOrMake } from '../../../base/maps';
import { ReadListings } from '../../../data/readListings';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { Soon, systemClock } from '../../../vscode/systemClock';
import { onDidChangeSettings, pathMappingSettings } from '../../../vscode/settings';
import { dependencyFolders } from '../frameLanguages';
import {
  candidatesIn,
  firstFile,
  foldersOf,
  longestUniqueEnd,
  type LookBudget,
  pathMappings,
  searchName,
  type SourceFolder,
} from '../pathMapping';
import { type FilePlace, mayHaveSourceMap, type OriginalPlace } from '../sourceMap';
import type { StackFrame } from '../stackFrames';
import { SourceMaps } from './sourceMaps';

/** A file with another path than at a deployed commit. */
export interface RenamedFile {
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
}

/** A place in a file of the workspace. */
export interface SourcePlace extends FilePlace {
  readonly file: vscode.Uri;
}

/** The folders with the code of a workload, relative to its repository; empty while they are unknown. */
type FoldersOf = (workloadId: string) => readonly string[];

/** Limits the file checks of one request: a hostile line may consist of paths. */
export function lookBudget(): LookBudget {
  return { left: 2000 };
}

/** How many paths are cached: logs repeat few. */
const maxCached = 5000;
/** A search of the workspace costs as much as this many file checks. */
const searchCost = 20;

/** Finds files of the workspace by the paths of stack frames. */
export class SourceFiles {
  private readonly found = new BoundedMap<string, Promise<vscode.Uri | 'unknown' | undefined>>(
    maxCached,
  );
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly fileSearch = new FileNameSearch();
  private readonly maps = new SourceMaps();
  private foldersOf: FoldersOf = () => [];
  private renamed: readonly RenamedFile[] = [];
  /** By the URIs of folders. */
  private readonly known = new Map<string, SourceFolder>();
  private readonly subscriptions = [
    this.changes,
    vscode.workspace.onDidCreateFiles(() => this.findAgain()),
    vscode.workspace.onDidDeleteFiles(() => this.findAgain()),
    vscode.workspace.onDidRenameFiles(() => this.findAgain()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => this.findAgain()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => this.findAgain()),
    onDidChangeSettings('logs.pathMappings', () => this.findAgain()),
  ];
  /** A path may now have another file. */
  readonly onDidChange: vscode.Event<void> = this.changes.event;

  /**
   * The place of a stack frame in the workspace: that in the source, if it is in a file that was made from others and
   * has a source map. Undefined if the workspace has none, `unknown` if it was not looked for, because the budget is used
   * up or there were too many.
   *
   * @param workloadId whose stack frame it is, if that is known: its own folders decide where several files fit.
   */
  async look(
    { path, line, column }: Pick<StackFrame, 'path' | 'line' | 'column'>,
    budget: LookBudget,
    workloadId?: string,
  ): Promise<SourcePlace | 'unknown' | undefined> {
    const file = await this.fileOf(path, budget, workloadId);
    if (file === undefined || file === 'unknown') return file;
    const original = mayHaveSourceMap(file.path)
      ? await this.maps.originalOf(file, { line, column })
      : undefined;
    const source = original && (await this.sourceOf(file, original, budget, workloadId));
    return source ?? { file, line, column };
  }

  /** The same; undefined also if it was not looked for. */
  async find(
    frame: Pick<StackFrame, 'path' | 'line' | 'column'>,
    budget: LookBudget,
    workloadId?: string,
  ): Promise<SourcePlace | undefined> {
    const place = await this.look(frame, budget, workloadId);
    return place === 'unknown' ? undefined : place;
  }

  /** The file that a generated one was made from. */
  private async sourceOf(
    generated: vscode.Uri,
    { path, isAbsolute, line, column }: OriginalPlace,
    budget: LookBudget,
    workloadId: string | undefined,
  ): Promise<SourcePlace | undefined> {
    const exact = generated.with({ path });
    if (
      isAbsolute &&
      budget.left-- > 0 &&
      vscode.workspace.getWorkspaceFolder(exact) !== undefined
    ) {
      if ((await isFile(exact)) === true) return { file: exact, line, column };
    }
    const file = await this.fileOf(path, budget, workloadId);
    return file === undefined || file === 'unknown' ? undefined : { file, line, column };
  }

  /** The file that a path means, for what is not about a place in it. */
  async fileOf(
    path: string,
    budget: LookBudget,
    workloadId?: string,
  ): Promise<vscode.Uri | 'unknown' | undefined> {
    const own = workloadId === undefined ? [] : this.foldersOf(workloadId);
    const key = [path, ...own].join('\n');
    const file = getOrMake(this.found, key, () => this.search(path, own, budget));
    const known = await file;
    if (known === 'unknown' && this.found.get(key) === file) this.found.delete(key);
    return known;
  }

  /** Tells where workloads have their code, when that becomes known or changes. */
  useFolders(next: FoldersOf): void {
    this.foldersOf = next;
    this.changes.fire();
  }

  /** Tells which files had other names when they were deployed, when that becomes known or changes. */
  useRenamed(next: readonly RenamedFile[]): void {
    const textOf = (files: readonly RenamedFile[]): string =>
      files.map(({ from, to }) => `${from.toString()} ${to.toString()}`).join('\n');
    if (textOf(next) === textOf(this.renamed)) return;
    this.renamed = next;
    this.findAgain();
  }

  /** Forgets what was found, because files may have come and gone without VS Code. */
  findAgain(): void {
    this.found.clear();
    this.known.clear();
    this.fileSearch.forget();
    this.maps.forget();
    this.changes.fire();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private knownFolder({ name, uri }: vscode.WorkspaceFolder): SourceFolder {
    return getOrMake(this.known, uri.toString(), () => ({
      name,
      mappings: pathMappings(pathMappingSettings(uri)),
      renamed: renamedIn(uri, this.renamed),
    }));
  }

  private async search(
    path: string,
    own: readonly string[],
    budget: LookBudget,
  ): Promise<vscode.Uri | 'unknown' | undefined> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const places = candidatesIn(
      path,
      folders.map((folder) => this.knownFolder(folder)),
      own,
    ).flatMap((candidate) => {
      const folder = folders[candidate.folder];
      return folder === undefined ? [] : [vscode.Uri.joinPath(folder.uri, candidate.path)];
    });
    const file = await firstFile(places, isFile, budget);
    if (file !== undefined) return file;
    if (budget.left < searchCost) return 'unknown';
    budget.left -= searchCost;
    return this.fileSearch.find(path, own);
  }
}

/** The renamed files of a folder, by their paths in it. */
function renamedIn(
  folder: vscode.Uri,
  renamed: readonly RenamedFile[],
): ReadonlyMap<string, string> {
  const start = `${folder.path}/`;
  const isIn = ({ scheme, path }: vscode.Uri): boolean =>
    scheme === folder.scheme && path.startsWith(start);
  return new Map(
    renamed
      .filter(({ from, to }) => isIn(from) && isIn(to))
      .map(({ from, to }) => [from.path.slice(start.length), to.path.slice(start.length)]),
  );
}

const missing = new Set(['FileNotFound', 'FileNotADirectory']);

/** `'unknown'` if the file system is not available. */
async function isFile(uri: vscode.Uri): Promise<boolean | 'unknown'> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && missing.has(error.code);
    return isMissing ? false : 'unknown';
  }
}

/** Folders with code that others wrote; see `searchName`. */
const foreign = `**/{${[...dependencyFolders, '.git', '.venv'].join(',')}}/**`;
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
/** How many names are cached. */
const mostNames = 500;

class FileNameSearch {
  private readonly byName = new BoundedMap<string, Promise<readonly vscode.Uri[]>>(mostNames);
  private readonly searches = new RateLimiter(systemClock, mostSearches, minute);
  private work: Promise<unknown> = Promise.resolve();
  private isTooSlow = false;

  /**
   * The file with the longest unique end of a path.
   *
   * @param own the folders with the code of the workload.
   * @returns undefined if there is none, `'unknown'` if it was not searched for.
   */
  async find(path: string, own: readonly string[]): Promise<vscode.Uri | 'unknown' | undefined> {
    const name = searchName(path);
    if (name === undefined || name.length > longestName) return undefined;
    const files = await this.filesNamed(name);
    if (files === undefined) return 'unknown';
    const places = files.flatMap((uri) => {
      const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
      return folder === undefined ? [] : [{ path: uri.path.slice(folder.path.length + 1), uri }];
    });
    return longestUniqueEnd(path, places, own)?.uri;
  }

  /** Forgets what was found. */
  forget(): void {
    this.byName.clear();
    this.isTooSlow = false;
  }

  /** The files with this name; undefined if there were too many searches lately. */
  private filesNamed(name: string): Promise<readonly vscode.Uri[]> | undefined {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    if (this.searches.freeIn() > 0) return undefined;
    this.searches.spend();
    // One after the other.
    const files = this.work.then(async () => {
      const found = this.isTooSlow ? undefined : await search(name);
      this.isTooSlow = found === undefined;
      return found ?? [];
    });
    this.work = files;
    this.byName.set(name, files);
    return files;
  }
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

/** Milliseconds from a change to its reading, so that a burst of answers causes one. */
const gatherFor = 500;

/** Tells where workloads have their code, from the resources that are loaded. Requests nothing. */
export function registerWorkloadFolders(
  { store, context, onDidChange }: Pick<ConnectionData, 'store' | 'context' | 'onDidChange'>,
  files: SourceFiles,
): vscode.Disposable {
  let known = '[]';
  const listings = new ReadListings(store);
  const reading = new Soon(read);

  function read(): void {
    listings.clear();
    const folders = new Map<string, readonly string[]>();
    for (const source of context.sources()) {
      for (const { id, config } of listings.read('resources', source.id).value?.resources ?? []) {
        if (id !== undefined && config !== undefined) folders.set(id, foldersOf(config));
      }
    }
    // What resources do changes all the time, but rarely where they are built from.
    const found = JSON.stringify([...folders]);
    if (found === known) return;
    known = found;
    files.useFolders((workloadId) => folders.get(workloadId) ?? []);
  }

  return vscode.Disposable.from(
    onDidChange((change) => {
      if (listings.dependOn(change)) reading.in(gatherFor);
    }),
    reading,
  );
}
