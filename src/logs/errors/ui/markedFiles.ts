import * as vscode from 'vscode';
import { second } from '../../../api/clock';
import type { Git } from '../../../branch/ui/git';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';
import { pause, systemClock } from '../../../vscode/clock';
import { createDeployedCommits, type DeployedCommits } from '../deployedCommits';
import { createDeployedTexts } from '../deployedTexts';
import type { ErrorSpot } from '../errorKind';
import { type LineMapping, linesIn, mapLines, unknownMapping } from '../lineMapping';
import { type LineMark, lineMarks, type SpottedKind } from '../lineMarks';
import type { Errors } from './errors';

/** Finds the lines of open files that errors of deployed files point at. */
export interface MarkedFiles {
  /** In the order of their lines. They are those of the document as it is, unless it changes meanwhile. */
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
  readonly data: WorkspaceData;
}

/** Larger files are not read, in bytes. */
const maxBytes = 2 * 1024 * 1024;
/** The most commits that a file is compared with; those of the latest errors count. */
const mostCommits = 20;
/** The least time between two readings of commits that were missing, in milliseconds. */
const recheckEvery = 3 * second;

interface Result {
  readonly version: number;
  /** What it was made from, besides the text. */
  readonly inputs: object;
  readonly marks: Promise<readonly LineMark[]>;
}

export function createMarkedFiles({ errors, git, data: { store } }: MarkServices): MarkedFiles {
  const changes = new vscode.EventEmitter<void>();
  const results = new WeakMap<vscode.TextDocument, Result>();
  const commits = createDeployedCommits(store, systemClock);
  let inputs = {};
  /** Whether a text was not found at its commit. */
  let isMissing = false;
  let checkedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const texts = createDeployedTexts(async (file, sha) => {
    const uri = vscode.Uri.parse(file, true);
    return git.repositoryOf(uri)?.textAt(sha, uri, maxBytes);
  });

  function change(): void {
    inputs = {};
    changes.fire();
  }

  /** Commits may have been fetched, and repositories opened. */
  function recheckSoon(): void {
    if (!isMissing) return;
    timer ??= setTimeout(
      () => {
        timer = undefined;
        isMissing = false;
        checkedAt = systemClock.monotonic();
        texts.recheck();
        change();
      },
      Math.max(0, checkedAt + recheckEvery - systemClock.monotonic()),
    );
  }

  async function find(
    document: vscode.TextDocument,
    spotted: readonly SpottedKind[],
  ): Promise<readonly LineMark[]> {
    const spots = spotted.map(({ spot }) => spot);
    commits.load(spots);
    const file = document.uri.toString();
    const before = new Map<string, readonly string[]>();
    for (const sha of latestCommits(spots, commits)) {
      const lines = await texts.linesAt(file, sha);
      if (lines === undefined) isMissing = true;
      else before.set(sha, lines);
    }
    const unknown = unknownMapping(document.lineCount);
    const mappings = new Map<string, LineMapping>();
    const now = before.size === 0 ? [] : linesIn(document.getText());
    for (const [sha, lines] of before) {
      if (mappings.size > 0) await pause();
      mappings.set(sha, mapLines(lines, now));
    }
    return lineMarks(spotted, (spot: ErrorSpot) => {
      const sha = commits.commitOf(spot);
      if (sha === undefined && commits.isLoading(spot)) return undefined;
      const lineOf = (sha === undefined ? undefined : mappings.get(sha)) ?? unknown;
      return { ...lineOf(spot.line), sha };
    });
  }

  const unsubscribe = store.onDidChange((changed) => {
    if (changed.kind === 'entry' && changed.key.kind === 'deployments') change();
  });
  const subscriptions = vscode.Disposable.from(
    changes,
    errors.onDidChange(change),
    git.onDidChange(recheckSoon),
  );

  return {
    async marksOf(document) {
      const spotted = errors.spotsIn(document.uri.toString());
      if (spotted.length === 0) return [];
      const { version } = document;
      let result = results.get(document);
      if (result?.version !== version || result.inputs !== inputs) {
        result = { version, inputs, marks: find(document, spotted) };
        results.set(document, result);
      }
      return result.marks;
    },
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
      unsubscribe();
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

function latestCommits(spots: readonly ErrorSpot[], commits: DeployedCommits): string[] {
  const latestFirst = [...spots].sort((one, other) => (one.lastSeen < other.lastSeen ? 1 : -1));
  const shas = new Set<string>();
  for (const spot of latestFirst) {
    const sha = commits.commitOf(spot);
    if (sha !== undefined && shas.size < mostCommits) shas.add(sha);
  }
  return [...shas];
}
