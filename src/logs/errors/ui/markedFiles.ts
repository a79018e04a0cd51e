import * as vscode from 'vscode';
import { second } from '../../../base/clock';
import type { Git } from '../../../commits/ui/git';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { pause, systemClock } from '../../../vscode/clock';
import { DeployedCommits, DeployedTexts } from '../deployedCode';
import { FileMarks, type LineMark } from '../marks';
import { type LineMapping, linesIn, mapLines, unknownMapping } from '../../../commits/lineMapping';
import type { SourceFiles, RenamedFile } from '../../record/ui/sourceFiles';
import type { Errors } from './errors';
import { createFrameReader } from '../errorPlaces';

/** Finds the lines of open files that errors of deployed files point at. */
export interface MarkedFiles {
  /** In the order of their lines: those of the document when it resolves. Never rejects. */
  marksOf(document: vscode.TextDocument): Promise<readonly LineMark[]>;
  /**
   * Where the lines of a file at a commit are in its text now, also if that is not saved. Never rejects.
   *
   * @param file its URI as text. @param sha undefined if the commit is unknown.
   */
  mappingOf(file: string, sha: string | undefined): Promise<LineMapping>;
  /** The marks of any document may have changed, although its text did not. */
  readonly onDidChange: vscode.Event<void>;
  dispose(): void;
}

interface MarkServices {
  readonly errors: Errors;
  readonly git: Git;
  readonly data: ConnectionData;
  readonly files: Pick<SourceFiles, 'useRenamed'>;
}

/** Larger files are not read, in bytes. */
const maxBytes = 2 * 1024 * 1024;
/** The least time between two readings of commits that were missing, in milliseconds. */
const recheckEvery = 3 * second;

export function createMarkedFiles(services: MarkServices): MarkedFiles {
  const { errors, git } = services;
  const { store } = services.data;
  const changes = new vscode.EventEmitter<void>();
  const commits = new DeployedCommits(store, systemClock);
  let checkedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const texts = new DeployedTexts(async (file, sha) => {
    const uri = vscode.Uri.parse(file, true);
    return git.repositoryOf(uri)?.textAt(sha, uri, maxBytes);
  });

  const marks = new FileMarks<vscode.TextDocument>(
    (file) => errors.spotsIn(file),
    commits,
    texts,
    pause,
  );

  function change(): void {
    marks.invalidate();
    changes.fire();
  }

  /** Commits may have been fetched, and repositories opened. */
  function recheckSoon(): void {
    if (!texts.isMissing) return;
    timer ??= setTimeout(
      () => {
        timer = undefined;
        checkedAt = systemClock.monotonic();
        texts.recheck();
        change();
      },
      Math.max(0, checkedAt + recheckEvery - systemClock.monotonic()),
    );
  }

  const subscription = store.onDidChange((changed) => {
    if (changed.kind === 'entry' && changed.key.kind === 'deployments') change();
  });
  const subscriptions = vscode.Disposable.from(
    changes,
    registerRenamedFiles(commits, services),
    errors.onDidChange(change),
    git.onDidChange(recheckSoon),
  );

  return {
    marksOf: (document) => marks.marksOf(document),
    async mappingOf(file, sha) {
      const text = await textNow(vscode.Uri.parse(file, true));
      if (text === undefined) return unknownMapping(Infinity);
      const now = linesIn(text);
      const before = sha === undefined ? undefined : await texts.linesAt(file, sha);
      return before === undefined ? unknownMapping(now.length) : mapLines(before, now);
    },
    onDidChange: changes.event,
    dispose() {
      clearTimeout(timer);
      subscription.dispose();
      commits.dispose();
      subscriptions.dispose();
    },
  };
}

/** Undefined if it cannot be read or is too large. */
async function textNow(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytes) return undefined;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

interface RenameServices {
  readonly errors: Pick<Errors, 'all' | 'onDidChange'>;
  readonly git: Pick<Git, 'repositories' | 'onDidChange'>;
  readonly data: Pick<ConnectionData, 'store'>;
  readonly files: Pick<SourceFiles, 'useRenamed'>;
}

/** The most commits that the files of today are compared with: those of the errors that are listed first. */
const mostCommits = 20;
/** Milliseconds from a change to its reading, so that a burst of changes causes one. */
const gatherFor = 500;

/**
 * Tells where the files are now that were renamed since the deployed commits of errors: stack frames have the
 * paths that were deployed.
 */
function registerRenamedFiles(
  commits: Pick<DeployedCommits, 'commitOf' | 'load'>,
  { errors, git, data, files }: RenameServices,
): vscode.Disposable {
  const framesOf = createFrameReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDisposed = false;

  /** The commits of errors. Loads those of errors whose files are not in the workspace: they may be renamed. */
  function deployedCommits(): readonly string[] {
    const records = errors.all.flatMap((kind) => kind.records);
    const lost = errors.all.filter(({ spots, last }) => {
      return spots.length === 0 && framesOf(last).length > 0;
    });
    commits.load(lost.flatMap((kind) => kind.records));
    const shas = new Set(records.flatMap((record) => commits.commitOf(record) ?? []));
    return [...shas].slice(0, mostCommits);
  }

  async function read(): Promise<void> {
    timer = undefined;
    const { repositories } = git;
    if (repositories.length === 0) return;
    const found = await Promise.all(
      deployedCommits().flatMap((sha) => repositories.map((one) => one.renamedSince(sha))),
    );
    const byPath = new Map<string, RenamedFile>();
    for (const file of found.flat()) byPath.set(file.from.toString(), file);
    if (isDisposed) return;
    files.useRenamed(
      [...byPath].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, file]) => file),
    );
  }

  function readSoon(): void {
    timer ??= setTimeout(() => void read(), gatherFor);
  }

  const subscription = data.store.onDidChange((change) => {
    if (change.kind === 'entry' && change.key.kind === 'deployments') readSoon();
  });
  return vscode.Disposable.from(
    errors.onDidChange(readSoon),
    git.onDidChange(readSoon),
    new vscode.Disposable(() => {
      isDisposed = true;
      clearTimeout(timer);
      subscription.dispose();
    }),
  );
}
