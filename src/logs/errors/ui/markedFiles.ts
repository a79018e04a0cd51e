import * as vscode from 'vscode';
import { second } from '../../../base/clock';
import type { Git } from '../../../commits/ui/git';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { pause, systemClock } from '../../../vscode/clock';
import { DeployedCommits, DeployedTexts } from '../deployedCode';
import { FileMarks } from '../fileMarks';
import { type LineMapping, linesIn, mapLines, unknownMapping } from '../../../commits/lineMapping';
import type { LineMark } from '../lineMarks';
import type { SourceFiles } from '../../record/ui/sourceFiles';
import type { Errors } from './errors';
import { registerRenamedFiles } from './renamedFiles';

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
