import * as vscode from 'vscode';
import { minute } from '../../../base/clock';
import { dotted } from '../../../base/textFormat';
import { cut, plainText } from '../../../base/untrustedText';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { contextKey, registerCommand } from '../../../vscode/commands';
import { commands, contextKeys } from '../../../vscode/contributions';
import { hasChat } from '../../../vscode/extensionHost';
import { commandLinks, markdown } from '../../../vscode/markdown';
import { announce } from '../../../vscode/notifications';
import { number, counted } from '../../../vscode/numbers';
import { codeErrors, onDidChangeSettings, decoratesFiles } from '../../../vscode/settings';
import { searchForTrace } from '../../query/searchQuery';
import { searchForKind, traceIdsOf } from '../errorScope';
import {
  hoverLines,
  type MarkTexts,
  markPositionText,
  lineText,
  markProblemText,
} from '../markText';
import {
  type MarkedKind,
  neighborOf,
  type LineMark,
  changedBadges,
  fileBadges,
  type FileBadge,
} from '../marks';
import type { Errors } from './workspaceErrors';
import type { MarkedFiles } from './markedFiles';

const { t } = vscode.l10n;

/** The name by which the marks want errors. */
const who = 'marks';
/** Milliseconds from a key to a new comparison: VS Code itself moves the marks while someone types. */
const typingPause = 400;
/** Milliseconds from another change to a new comparison, so that a burst of changes causes one. */
const gatherMarksFor = 50;
/** The most kinds of errors of a line that a hover describes, and that Problems lists. */
const mostKinds = 5;
/** The most kinds of a line that have quick fixes, and how long their names are there, in UTF-16 units. */
const mostFixed = 3;
const longestName = 60;

/**
 * Marks the lines of visible files that errors in logs point at. Nothing is loaded and made before an editor
 * shows a file of the workspace.
 */
export class ErrorMarks implements vscode.Disposable {
  private readonly texts: MarkTexts;
  private readonly shown: ShownMarks;
  private readonly subscriptions: vscode.Disposable;
  /** Hovers and quick fixes, made when there is a first mark. */
  private offers: vscode.Disposable | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ticks: ReturnType<typeof setInterval> | undefined;
  private isDisposed = false;
  /** The documents with marks, as they were shown last. */
  private marked = new Set<vscode.TextDocument>();
  private readonly setHasMarks = contextKey(contextKeys.marks);

  constructor(
    private readonly errors: Errors,
    private readonly files: MarkedFiles,
    data: Pick<ConnectionData, 'context'>,
    extensionUri: vscode.Uri,
  ) {
    this.texts = { t, number, timeFormat: data.context.timeFormat };
    this.shown = new ShownMarks(extensionUri, this.texts);
    const look = (): void => this.look();
    look();
    this.subscriptions = vscode.Disposable.from(
      this.shown,
      files.onDidChange(() => this.updateIn(gatherMarksFor)),
      vscode.window.onDidChangeVisibleTextEditors(look),
      vscode.window.onDidChangeActiveTextEditor(() => this.publishMarks()),
      vscode.workspace.onDidChangeWorkspaceFolders(look),
      onDidChangeSettings('code.errors', look),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.marked.has(document)) this.updateIn(typingPause);
      }),
      registerMarkCommands(errors, files, this.texts),
    );
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    clearInterval(this.ticks);
    this.offers?.dispose();
    this.errors.want(who, false);
    this.subscriptions.dispose();
  }

  /** Errors are wanted while an editor shows a file of the workspace. */
  private look(): void {
    this.errors.want(who, codeErrors() !== 'off' && visibleDocuments().size > 0);
    this.updateIn(0);
  }

  private updateIn(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.update(), milliseconds);
  }

  /** Shows the marks of all editors. */
  private async update(): Promise<void> {
    this.timer = undefined;
    if (codeErrors() === 'off') {
      this.shown.clear();
      this.offers?.dispose();
      this.offers = undefined;
      this.marked.clear();
    } else {
      const documents = new Set([...visibleDocuments(), ...this.shown.withProblems]);
      this.marked = new Set([...this.marked].filter((document) => documents.has(document)));
      await Promise.all([...documents].map((document) => this.show(document)));
    }
    this.keepTimes();
    this.publishMarks();
  }

  private async show(document: vscode.TextDocument): Promise<void> {
    const marks = await this.files.marksOf(document);
    const setting = codeErrors();
    if (this.isDisposed || document.isClosed || setting === 'off') return;
    if (marks.length === 0) this.marked.delete(document);
    else {
      this.marked.add(document);
      this.offers ??= vscode.Disposable.from(
        registerMarkHovers(this.files, this.texts),
        registerMarkFixes(this.files),
      );
    }
    this.shown.show(document, marks, setting === 'marksAndProblems');
  }

  /** Each minute, what is three minutes ago becomes four minutes ago. */
  private keepTimes(): void {
    if (this.isDisposed || this.marked.size === 0) {
      clearInterval(this.ticks);
      this.ticks = undefined;
    } else {
      this.ticks ??= setInterval(() => {
        if (vscode.window.state.focused) void this.update();
      }, minute);
    }
  }

  /** Says whether there is a next error to go to. */
  private publishMarks(): void {
    const active = vscode.window.activeTextEditor?.document;
    this.setHasMarks(active !== undefined && this.marked.has(active));
  }
}

function visibleDocuments(): Set<vscode.TextDocument> {
  const documents = vscode.window.visibleTextEditors.map(({ document }) => document);
  return new Set(
    documents.filter(({ uri }) => vscode.workspace.getWorkspaceFolder(uri) !== undefined),
  );
}

/** The commands that go from one marked line of the active editor to the next. They return whether they did. */
function registerMarkCommands(
  errors: Pick<Errors, 'state'>,
  files: MarkedFiles,
  texts: MarkTexts,
): vscode.Disposable {
  async function go(direction: 'next' | 'previous'): Promise<boolean> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) return false;
    const say = (message: string): boolean => {
      announce(message, 'info');
      return false;
    };
    if (codeErrors() === 'off') {
      return say(t('Errors are not shown in code: the setting controlPlane.code.errors is off.'));
    }
    const marks = await files.marksOf(editor.document);
    const mark = neighborOf(marks, editor.selection.active.line + 1, direction);
    if (mark === undefined) {
      const isKnown = errors.state.at !== undefined;
      return say(
        isKnown
          ? t('No recent errors from logs point at this file.')
          : t('Errors from logs are not loaded yet. The view Errors shows why.'),
      );
    }
    const { start } = rangeOf(editor.document, mark);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    announce(markPositionText(mark, marks, texts), 'warning');
    return true;
  }

  return vscode.Disposable.from(
    registerCommand(commands.nextError, () => go('next')),
    registerCommand(commands.previousError, () => go('previous')),
  );
}

/** The hover of a marked line: what the errors are, and links to their records, trace and commit. */
function registerMarkHovers(files: MarkedFiles, texts: MarkTexts): vscode.Disposable {
  return vscode.languages.registerHoverProvider('*', {
    async provideHover(document, { line }) {
      const marks = await files.marksOf(document);
      const mark = marks.find((one) => one.line === line + 1);
      if (mark === undefined) return undefined;
      const parts = mark.kinds
        .slice(0, mostKinds)
        .flatMap((kind) => [markdown(...hoverLines(mark, kind, texts)), links(document, kind)]);
      return new vscode.Hover(parts);
    },
  });
}

function links(document: vscode.TextDocument, { kind, spots }: MarkedKind): vscode.MarkdownString {
  const [traceId] = traceIdsOf([kind.last]);
  const sha = spots.find((spot) => spot.sha !== undefined)?.sha;
  const file = document.uri.toString();
  const { searchLogs, showDeployedCommit } = commands;
  return commandLinks([
    { label: t('Show Records'), command: searchLogs, argument: searchForKind(kind) },
    ...(traceId === undefined
      ? []
      : [{ label: t('Show Trace'), command: searchLogs, argument: searchForTrace(traceId) }]),
    ...(sha === undefined
      ? []
      : [
          {
            label: t('Show Deployed Commit'),
            command: showDeployedCommit,
            argument: { sha, file },
          },
        ]),
  ]);
}

/** What can be done about the errors of a marked line, as its quick fixes. */
function registerMarkFixes(files: MarkedFiles): vscode.Disposable {
  const kinds = [vscode.CodeActionKind.QuickFix];
  return vscode.languages.registerCodeActionsProvider(
    '*',
    {
      async provideCodeActions(document, { start }, { diagnostics }) {
        const marks = await files.marksOf(document);
        const mark = marks.find((one) => one.line === start.line + 1);
        if (mark === undefined) return undefined;
        const canAsk = await hasChat();
        const problems = diagnostics.filter((one) => one.source === source);
        return mark.kinds.slice(0, mostFixed).flatMap((one) => fixesOf(one, canAsk, problems));
      },
    },
    { providedCodeActionKinds: kinds },
  );
}

function fixesOf(
  { kind }: MarkedKind,
  canAsk: boolean,
  problems: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const name = plainText(cut(kind.template, longestName), longestName);
  const fix = (title: string, command: string): vscode.CodeAction => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { command, title, arguments: [kind.key] };
    action.diagnostics = [...problems];
    return action;
  };
  return [
    fix(t('Mute Error: {0}', name), commands.muteError),
    ...(kind.deployments.length === 0
      ? []
      : [fix(t('Fixed in the Next Deployment: {0}', name), commands.fixedInNextDeployment)]),
    ...(canAsk ? [fix(t('Ask Chat About: {0}', name), commands.askChatAboutError)] : []),
  ];
}

/** The source of the warnings: the name of this extension, which is not translated. */
const source = 'Control Plane';

/**
 * Shows marks in editors (at the end of the line, in the gutter and in the overview ruler), and as warnings in
 * the view Problems.
 */
class ShownMarks {
  /** Made when there is a first mark. */
  private decoration: vscode.TextEditorDecorationType | undefined;
  private problems: vscode.DiagnosticCollection | undefined;
  private readonly warned = new Set<vscode.TextDocument>();
  private readonly subscription = vscode.workspace.onDidCloseTextDocument((document) =>
    this.removeProblems(document),
  );

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly texts: MarkTexts,
  ) {}

  /** Removes all. */
  clear(): void {
    this.decoration?.dispose();
    this.decoration = undefined;
    this.problems?.clear();
    this.warned.clear();
  }

  /** The documents with warnings, which stay while their file is open. */
  get withProblems(): readonly vscode.TextDocument[] {
    return [...this.warned];
  }

  /** Shows the marks of a document instead of those before. @param asProblems whether also as warnings. */
  show(document: vscode.TextDocument, marks: readonly LineMark[], asProblems: boolean): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document) this.decorate(editor, marks);
    }
    if (!asProblems || marks.length === 0) {
      this.removeProblems(document);
      return;
    }
    this.problems ??= vscode.languages.createDiagnosticCollection(source);
    this.warned.add(document);
    this.problems.set(
      document.uri,
      marks.flatMap((mark) => problemsOf(document, mark, this.texts)),
    );
  }

  dispose(): void {
    this.clear();
    this.subscription.dispose();
    this.problems?.dispose();
  }

  private decorate(editor: vscode.TextEditor, marks: readonly LineMark[]): void {
    if (marks.length === 0 && this.decoration === undefined) return;
    this.decoration ??= makeDecoration(this.extensionUri);
    editor.setDecorations(
      this.decoration,
      marks.map((mark) => ({
        range: rangeOf(editor.document, mark),
        renderOptions: { after: { contentText: lineText(mark, this.texts) } },
      })),
    );
  }

  private removeProblems(document: vscode.TextDocument): void {
    if (this.warned.delete(document)) this.problems?.delete(document.uri);
  }
}

function makeDecoration(extensionUri: vscode.Uri): vscode.TextEditorDecorationType {
  const icon = (name: string): vscode.ThemableDecorationRenderOptions => ({
    gutterIconPath: vscode.Uri.joinPath(extensionUri, 'media', name),
  });
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    light: icon('error-mark-light.svg'),
    dark: icon('error-mark-dark.svg'),
    gutterIconSize: 'contain',
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.errorForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    // A line break at the end of the line leaves the mark where it is.
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    after: {
      color: new vscode.ThemeColor('editorCodeLens.foreground'),
      margin: '0 0 0 2em',
    },
  });
}

function problemsOf(
  document: vscode.TextDocument,
  mark: LineMark,
  texts: MarkTexts,
): vscode.Diagnostic[] {
  const range = rangeOf(document, mark);
  return mark.kinds.slice(0, mostKinds).map((kind) => {
    const message = markProblemText(mark, kind, texts);
    const problem = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
    problem.source = source;
    return problem;
  });
}

/** The text of the line of a mark, without its indentation. */
function rangeOf(document: vscode.TextDocument, { line }: LineMark): vscode.Range {
  const { range, firstNonWhitespaceCharacterIndex } = document.lineAt(
    Math.min(line, document.lineCount) - 1,
  );
  return range.with(range.start.with(undefined, firstNonWhitespaceCharacterIndex));
}

/**
 * Shows a badge on files in which recent errors happened, in the explorer and on tabs. It has no color of its own and
 * requests nothing: it shows what the marks of open files and the view Errors have loaded.
 */
export function registerFileDecorations(
  errors: Errors,
  { context }: Pick<ConnectionData, 'context'>,
): vscode.Disposable {
  const changes = new vscode.EventEmitter<vscode.Uri[]>();
  let badges: ReadonlyMap<string, FileBadge> = new Map();

  function update(): void {
    const isOn = decoratesFiles() && codeErrors() !== 'off';
    const before = badges;
    badges = isOn ? fileBadges(errors.kinds) : new Map();
    const changed = changedBadges(before, badges).map((file) => vscode.Uri.parse(file, true));
    if (changed.length > 0) changes.fire(changed);
  }

  return vscode.Disposable.from(
    changes,
    errors.onDidChange(update),
    onDidChangeSettings('code', update),
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changes.event,
      provideFileDecoration(uri) {
        const badge = badges.get(uri.toString());
        if (badge === undefined) return undefined;
        const { kinds, count, lastSeen } = badge;
        // As VS Code counts problems; a badge has at most two characters.
        return new vscode.FileDecoration(
          kinds > 9 ? '9+' : String(kinds),
          dotted([
            counted(kinds, '{0} kind of error from logs', '{0} kinds of errors from logs'),
            counted(count, '{0} record', '{0} records'),
            context.timeFormat.relative(lastSeen),
          ]),
        );
      },
    }),
  );
}
