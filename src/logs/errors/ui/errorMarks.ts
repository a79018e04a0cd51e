import * as vscode from 'vscode';
import { minute } from '../../../api/clock';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';
import { number } from '../../../vscode/numbers';
import { codeErrors, onDidChangeSettings } from '../../../vscode/settings';
import type { MarkTexts } from '../markText';
import { registerMarkCommands } from './markCommands';
import { createMarkDecorations } from './markDecorations';
import type { Errors } from './errors';
import type { MarkedFiles } from './markedFiles';
import { registerMarkHovers } from './markHovers';
import { createMarkProblems } from './markProblems';

/** The name by which the marks want errors. */
const who = 'marks';
/** Milliseconds from a key to a new comparison: VS Code itself moves the marks while someone types. */
const typingPause = 400;
/** Milliseconds from another change to a new comparison, so that a burst of changes causes one. */
const gatherFor = 50;

interface ErrorMarkServices {
  readonly errors: Errors;
  readonly marked: MarkedFiles;
  readonly data: Pick<WorkspaceData, 'context'>;
  readonly extensionUri: vscode.Uri;
}

/**
 * Marks the lines of visible files that errors in logs point at. Nothing is loaded and made before an editor
 * shows a file of the workspace.
 */
export function registerErrorMarks(services: ErrorMarkServices): vscode.Disposable {
  const { errors, marked: files, data, extensionUri } = services;
  const texts: MarkTexts = { t: vscode.l10n.t, number, timeFormat: data.context.timeFormat };
  const decorations = createMarkDecorations(extensionUri, texts);
  const problems = createMarkProblems(texts);
  let hovers: vscode.Disposable | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ticks: ReturnType<typeof setInterval> | undefined;
  let isDisposed = false;
  /** The documents with marks, as they were shown last. */
  let marked = new Set<vscode.TextDocument>();

  function visibleEditors(): vscode.TextEditor[] {
    return vscode.window.visibleTextEditors.filter(
      ({ document }) => vscode.workspace.getWorkspaceFolder(document.uri) !== undefined,
    );
  }

  function updateIn(milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void update(), milliseconds);
  }

  /** Shows the marks of all editors. */
  async function update(): Promise<void> {
    timer = undefined;
    const setting = codeErrors();
    if (setting !== 'marksAndProblems') problems.clear();
    if (setting === 'off') {
      decorations.clear();
      hovers?.dispose();
      hovers = undefined;
      marked.clear();
    } else {
      const documents = new Set(visibleEditors().map(({ document }) => document));
      // Problems stay while their file is open.
      for (const document of problems.documents) documents.add(document);
      marked = new Set([...marked].filter((document) => documents.has(document)));
      await Promise.all([...documents].map((document) => show(document)));
    }
    keepTimes();
  }

  async function show(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const marks = await files.marksOf(document);
    // A change of the text has planned the next update.
    if (isDisposed || document.isClosed || document.version !== version) return;
    const setting = codeErrors();
    if (setting === 'off') return;
    if (marks.length === 0) marked.delete(document);
    else marked.add(document);
    if (marks.length > 0) hovers ??= registerMarkHovers(files, texts);
    for (const editor of visibleEditors()) {
      if (editor.document === document) decorations.show(editor, marks);
    }
    if (setting === 'marksAndProblems') problems.show(document, marks);
  }

  /** Each minute, what is three minutes ago becomes four minutes ago. */
  function keepTimes(): void {
    if (marked.size === 0) {
      clearInterval(ticks);
      ticks = undefined;
    } else {
      ticks ??= setInterval(() => {
        if (vscode.window.state.focused) void update();
      }, minute);
    }
  }

  /** Errors are wanted while an editor shows a file of the workspace. */
  function look(): void {
    const isOn = codeErrors() !== 'off';
    errors.want(who, isOn && visibleEditors().length > 0);
    updateIn(0);
  }

  look();
  const subscriptions = vscode.Disposable.from(
    decorations,
    problems,
    files.onDidChange(() => updateIn(gatherFor)),
    vscode.window.onDidChangeVisibleTextEditors(look),
    vscode.workspace.onDidChangeWorkspaceFolders(look),
    onDidChangeSettings('code.errors', look),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && marked.has(document)) updateIn(typingPause);
    }),
    registerMarkCommands(errors, files, texts),
  );
  return new vscode.Disposable(() => {
    isDisposed = true;
    clearTimeout(timer);
    clearInterval(ticks);
    hovers?.dispose();
    errors.want(who, false);
    subscriptions.dispose();
  });
}
