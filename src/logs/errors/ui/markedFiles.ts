import * as vscode from 'vscode';
import { second } from '../../../base/clock';
import { type Disposable, Emitter, type Event } from '../../../base/event';
import { type LineMapping, linesIn, mapLines, unknownMapping } from '../../../commits/lineMapping';
import type { Git } from '../../../commits/ui/git';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { pause, Soon, systemClock } from '../../../vscode/systemClock';
import { readTextFile } from '../../../vscode/textFiles';
import type { SourceFiles, RenamedFile } from '../../record/ui/sourceFiles';
import { DeployedCommits, DeployedTexts } from '../deployedCode';
import { createFrameReader } from '../errorPlaces';
import { LinesNow } from '../linesNow';
import { FileMarks, type LineMark, type SpottedKind } from '../marks';
import type { Errors } from './workspaceErrors';

/** Larger files are not read, in bytes. */
const maxBytes = 2 * 1024 * 1024;
/** The least time between two readings of commits that were missing, in milliseconds. */
const recheckEvery = 3 * second;

/** Finds the lines of open files that errors of deployed files point at. */
export class MarkedFiles implements Disposable {
  private readonly changes = new Emitter<void>();
  private readonly commits: DeployedCommits;
  private readonly texts: DeployedTexts;
  private readonly marks: FileMarks<vscode.TextDocument>;
  /** The lines that rows name. */
  readonly lines: LinesNow;
  private readonly disposables: vscode.Disposable;
  private checkedAt = -Infinity;
  private readonly rechecking = new Soon(() => this.recheck());
  /** The marks of any document may have changed, although its text did not. */
  readonly onDidChange: Event<void> = this.changes.event;

  constructor(errors: Errors, git: Git, { store }: ConnectionData, files: SourceFiles) {
    this.commits = new DeployedCommits(store, systemClock);
    this.texts = new DeployedTexts(async (file, sha) => {
      const uri = vscode.Uri.parse(file, true);
      return git.repositoryOf(uri)?.textAt(sha, uri, maxBytes);
    });
    const spotsIn = (file: string): readonly SpottedKind[] => errors.spotsIn(file);
    this.marks = new FileMarks(spotsIn, this.commits, this.texts, pause);
    this.lines = new LinesNow(
      (spot) => this.commits.commitOf(spot),
      (file, sha) => this.mappingOf(file, sha),
    );
    this.disposables = vscode.Disposable.from(
      this.changes,
      this.lines,
      this.rechecking,
      this.commits,
      registerRenamedFiles(this.commits, errors, git, store, files),
      store.onDidChangeListing('deployments', () => this.change()),
      errors.onDidChange(() => this.change()),
      git.onDidChange(() => {
        this.recheckSoon();
        this.lines.recheck();
      }),
      vscode.workspace.onDidSaveTextDocument(() => this.lines.recheck()),
    );
  }

  /** In the order of their lines: those of the document when it resolves. Never rejects. */
  marksOf(document: vscode.TextDocument): Promise<readonly LineMark[]> {
    return this.marks.marksOf(document);
  }

  /**
   * Where the lines of a file at a commit are in its text now, also if that is not saved. Never rejects.
   *
   * @param file its URI as text. @param sha undefined if the commit is unknown.
   */
  async mappingOf(file: string, sha: string | undefined): Promise<LineMapping> {
    const text = await textNow(vscode.Uri.parse(file, true));
    if (text === undefined) return unknownMapping(Infinity);
    const now = linesIn(text);
    const before = sha === undefined ? undefined : await this.texts.linesAt(file, sha);
    return before === undefined ? unknownMapping(now.length) : mapLines(before, now);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private change(): void {
    this.marks.invalidate();
    this.changes.fire();
  }

  /** Commits may have been fetched, and repositories opened. */
  private recheckSoon(): void {
    if (!this.texts.isMissing) return;
    this.rechecking.in(Math.max(0, this.checkedAt + recheckEvery - systemClock.monotonic()));
  }

  private recheck(): void {
    this.checkedAt = systemClock.monotonic();
    this.texts.recheck();
    this.change();
  }
}

/** Undefined if it cannot be read or is too large. */
async function textNow(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  return readTextFile(uri, maxBytes);
}

/** The most commits that the files of today are compared with: those of the errors that are listed first. */
const mostCommits = 20;
/** Milliseconds from a change to its reading, so that a burst of changes causes one. */
const gatherFilesFor = 500;

/**
 * Tells where the files are now that were renamed since the deployed commits of errors: stack frames have the
 * paths that were deployed.
 */
function registerRenamedFiles(
  commits: DeployedCommits,
  errors: Errors,
  git: Git,
  store: ConnectionData['store'],
  files: SourceFiles,
): vscode.Disposable {
  const framesOf = createFrameReader();
  const reading = new Soon(read);
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
    const { repositories } = git;
    if (repositories.length === 0) return;
    const found = await Promise.all(
      deployedCommits().flatMap((sha) => repositories.map((one) => one.renamedSince(sha))),
    );
    const byPath = new Map<string, RenamedFile>();
    for (const file of found.flat()) byPath.set(file.from.toString(), file);
    if (isDisposed) return;
    files.useRenamed([...byPath].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file));
  }

  function readSoon(): void {
    reading.in(gatherFilesFor);
  }

  const subscription = store.onDidChangeListing('deployments', readSoon);
  return vscode.Disposable.from(
    errors.onDidChange(readSoon),
    git.onDidChange(readSoon),
    new vscode.Disposable(() => {
      isDisposed = true;
      reading.dispose();
      subscription.dispose();
    }),
  );
}
