import * as vscode from 'vscode';
import { second } from '../../../base/clock';
import { compareNames, someNames } from '../../../base/textFormat';
import { clipboardText, oneLine, labelText, plainText } from '../../../base/untrustedText';
import type { Rename } from '../../../commits/changesOfFiles';
import type { Commit } from '../../../commits/commitRange';
import { linesIn } from '../../../commits/lineMapping';
import { findSuspects, type SuspectReader } from '../../../commits/suspects';
import type { Git } from '../../../commits/ui/git';
import type { GitRepository } from '../../../commits/ui/gitRepository';
import { type Names, knownNames } from '../../../data/knownNames';
import { type FollowLogs, isUuid } from '../../../data/targets';
import type { ConnectionData } from '../../../data/ui/connectionData';
import type { CodePosition, TreeNode } from '../../../trees/nodes';
import type { Views } from '../../../trees/ui/views';
import { systemClock } from '../../../vscode/systemClock';
import { type CommandId, registerCommand } from '../../../vscode/commands';
import { commands, views as viewIds } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { announce } from '../../../vscode/notifications';
import { mostWorkloadIds } from '../../query/fields';
import { unambiguousNames } from '../../query/searchQuery';
import { bodyText } from '../../record/readableBody';
import { type ErrorKind, kindWithKey, titleOf } from '../errorKind';
import {
  followOfKind,
  recordsQuery,
  tracesQuery,
  type ChosenWorkload,
  errorRanges,
  type ErrorRange,
  type ErrorScope,
} from '../errorScope';
import { newSince, Suspects, type Suspicion } from '../errorSuspects';
import type { Errors } from './workspaceErrors';
import type { MarkedFiles } from './markedFiles';

const { t } = vscode.l10n;

/** How long a click waits for the deployed commit and the text of its file, in milliseconds. */
const patience = second;
/** How long it may still go to the line of these, in milliseconds: a user who waits longer reads something else. */
const longestPatience = 15 * second;

/** The kind of errors that a row is about. */
function kindOf(errors: Errors, { target: { key } }: TreeNode): ErrorKind | undefined {
  return key === undefined ? undefined : kindWithKey(errors.all, key);
}

/** The kind of the row that a command was called on, with the key of a quick fix, otherwise of the selected row. */
export function chosenKind(errors: Errors, views: Views, argument: unknown): ErrorKind | undefined {
  if (typeof argument === 'string') return kindWithKey(errors.all, argument);
  const node = views.nodeOf(argument);
  return node && kindOf(errors, node);
}

/**
 * The commands of the rows of errors.
 *
 * @param openQuery shows the records of a query.
 */
export function registerErrorCommands(
  errors: Errors,
  views: Views,
  names: Names,
  openQuery: (query: string) => void,
  followLogs: FollowLogs,
): vscode.Disposable {
  const nameOf = unambiguousNames(names);
  const on = (command: CommandId, act: (kind: ErrorKind) => unknown): vscode.Disposable =>
    registerCommand(command, (argument) => {
      const kind = chosenKind(errors, views, argument);
      return kind && act(kind);
    });
  const search = (query: string | undefined): boolean => {
    if (query !== undefined) openQuery(query);
    return query !== undefined;
  };

  return vscode.Disposable.from(
    registerCommand(commands.showErrors, () =>
      vscode.commands.executeCommand(`${viewIds.errors}.focus`),
    ),
    on(commands.showErrorRecords, (kind) =>
      search(recordsQuery(kind, errors.memory.scope, nameOf)),
    ),
    on(commands.showErrorTraces, (kind) => search(tracesQuery(kind, errors.memory.scope))),
    on(commands.followError, (kind) => followLogs(followOfKind(kind))),
    on(commands.copyError, async ({ last }) => {
      await vscode.env.clipboard.writeText(clipboardText(bodyText(last, 'readable')));
      announce(t('Copied {0}', oneLine(bodyText(last, 'readable')).slice(0, 80)));
    }),
    on(commands.muteError, (kind) => {
      errors.mute(kind);
      announce(t('Muted. The last row of Errors shows what is muted.'), 'bell-slash');
    }),
    on(commands.fixedInNextDeployment, (kind) => {
      errors.muteUntilNext(kind);
      announce(
        t('Muted until it comes back in a newer deployment. The last row of Errors shows it.'),
        'bell-slash',
      );
    }),
    registerCommand(commands.unmuteError, (argument) => {
      const { key } = views.nodeOf(argument)?.target ?? {};
      if (key !== undefined) errors.unmute(key);
    }),
  );
}

/** The command that opens the line of a row. */
export function registerOpenErrorCode(
  errors: Errors,
  views: Views,
  marked: MarkedFiles,
  diagnostics: Diagnostics,
): vscode.Disposable {
  return registerCommand(
    commands.openErrorCode,
    (argument) => {
      const node = views.nodeOf(argument);
      // A hidden tree may still have rows of a connection that was left.
      const kind = node && kindOf(errors, node);
      const { place } = node?.target ?? {};
      return kind !== undefined && place !== undefined && openCode(marked, kind, place);
    },
    { diagnostics, failed: t('Could not open the code.') },
  );
}

/**
 * Shows the line of a row without the focus, so that the next row can be looked at. If it is known only later which
 * line that is now, goes there then, unless the user has gone elsewhere.
 */
async function openCode(
  marked: MarkedFiles,
  kind: ErrorKind,
  place: CodePosition,
): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.file, true));
  const show = (line: number): Thenable<vscode.TextEditor> => {
    const at = new vscode.Position(line - 1, (place.column ?? 1) - 1);
    return vscode.window.showTextDocument(document, {
      preserveFocus: true,
      preview: true,
      selection: new vscode.Range(at, at),
    });
  };
  const known = lineNow(marked, document, kind, place);
  const soon = new Promise<undefined>((resolve) => setTimeout(resolve, patience, undefined));
  const line = await Promise.race([known, soon]);
  const { selection, viewColumn } = await show(line ?? place.line);
  if (line !== undefined) return true;
  void known.then((late = place.line) => {
    const shown = vscode.window.visibleTextEditors.find(
      (one) => one.document === document && one.viewColumn === viewColumn,
    );
    if (late !== place.line && shown?.selection.isEqual(selection) === true) void show(late);
  });
  return true;
}

/** The line that a line of a deployed file is now; undefined if that is not known after a while. */
async function lineNow(
  marked: MarkedFiles,
  document: vscode.TextDocument,
  { key }: ErrorKind,
  { line }: CodePosition,
): Promise<number | undefined> {
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, longestPatience, 'late'));
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const subscription = marked.onDidChange(resolve);
      void late.then(() => void subscription.dispose());
    });
    const marks = await Promise.race([marked.marksOf(document), late]);
    if (marks === 'late') return undefined;
    const [latest] = marks
      .flatMap((mark) => mark.kinds.map((one) => ({ ...one, line: mark.line })))
      .filter(({ kind, spots }) => kind.key === key && spots.some((spot) => spot.line === line))
      .sort((a, b) => Date.parse(b.lastSeen) - Date.parse(a.lastSeen));
    if (latest !== undefined) return latest.line;
    // The first click makes the deployments load that say which commit the line is of.
    if ((await Promise.race([changed, late])) === 'late') return undefined;
  }
}

/** The commands for what the view shows, and in which order. */
export function registerErrorFilter(
  errors: Errors,
  data: ConnectionData,
  names: Names,
): vscode.Disposable {
  const filter = (): Promise<void> => changeFilter(errors, data, names);
  return vscode.Disposable.from(
    registerCommand(commands.filterErrors, filter),
    // The same with a filled icon, for when a filter is set.
    registerCommand(commands.changeErrorsFilter, filter),
    registerCommand(commands.resetErrorsFilter, () =>
      errors.changeScope({ workloads: 'all', environment: undefined }),
    ),
    registerCommand(commands.sortErrors, () => changeSorting(errors)),
  );
}

interface ScopeItem extends vscode.QuickPickItem {
  /** What changes; `choose`: asks for workloads. */
  readonly change?: Partial<ErrorScope> | 'choose';
}

async function changeFilter(errors: Errors, data: ConnectionData, names: Names): Promise<void> {
  const chosen = await vscode.window.showQuickPick(scopeItems(errors.memory.scope), {
    title: t('Filter Errors'),
    placeHolder: t('Choose a range, workloads or an environment'),
  });
  if (chosen?.change === undefined) return;
  if (chosen.change !== 'choose') {
    errors.changeScope(chosen.change);
    return;
  }
  const { signedIn } = data.session;
  const workloads = await chooseWorkloads(errors, data, names);
  // They are those of the connection that was signed in.
  if (workloads === undefined || signedIn !== data.session.signedIn) return;
  errors.changeScope({ workloads });
}

function scopeItems({ range, workloads, environment }: ErrorScope): ScopeItem[] {
  const item = (label: string, isNow: boolean, change: ScopeItem['change']): ScopeItem => ({
    label,
    ...(isNow ? { description: t('current') } : {}),
    iconPath: new vscode.ThemeIcon(isNow ? 'check' : 'blank'),
    ...(change === undefined ? {} : { change }),
  });
  const group = (label: string): ScopeItem => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const ranges = Object.keys(errorRanges) as ErrorRange[];
  return [
    group(t('Range')),
    ...ranges.map((one) => item(rangeName(one), one === range, { range: one })),
    group(t('Workloads')),
    item(t('Of this folder if known'), workloads === 'auto', { workloads: 'auto' }),
    item(t('Of this folder only'), workloads === 'folder', { workloads: 'folder' }),
    item(t('All workloads'), workloads === 'all', { workloads: 'all' }),
    item(t('Choose…'), typeof workloads === 'object', 'choose'),
    group(t('Environment')),
    ...([undefined, 'production', 'preview'] as const).map((one) =>
      item(environmentText(one), one === environment, { environment: one }),
    ),
  ];
}

/** Undefined if cancelled, or none was chosen. */
async function chooseWorkloads(
  errors: Errors,
  data: ConnectionData,
  names: Names,
): Promise<readonly ChosenWorkload[] | undefined> {
  const { workloads } = errors.memory.scope;
  const before = typeof workloads === 'object' ? workloads : [];
  const known = new Map<string, string>();
  const add = (id: string, name: string): void => {
    if (isUuid(id)) known.set(id, name);
  };
  for (const { kind, id, name } of knownNames(data.context)) if (kind === 'workload') add(id, name);
  for (const { id, name } of names.all('workload')) add(id, name);
  for (const { workloads: seen } of errors.all) for (const { id, name } of seen) add(id, name);
  for (const { id, name } of before) add(id, name);
  const items = [...known]
    .map(([id, name]) => ({
      label: labelText(name),
      description: labelText(id),
      id,
      name,
      picked: before.some((one) => one.id === id),
    }))
    .sort((a, b) => compareNames(a.label, b.label));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Workloads'),
    placeHolder:
      items.length === 0
        ? t('No workload is known yet. Show the errors of all workloads first.')
        : t('Choose at most {0}', mostWorkloadIds),
    canPickMany: true,
    matchOnDescription: true,
  });
  if (chosen === undefined || chosen.length === 0) return undefined;
  return chosen.slice(0, mostWorkloadIds).map(({ id, name }) => ({ id, name }));
}

async function changeSorting(errors: Errors): Promise<void> {
  const { scope } = errors.memory;
  const items = (['frequent', 'newest'] as const).map((sorting) => ({
    label:
      sorting === 'newest'
        ? t('By Last Occurrence: Newest First')
        : t('By Count: Most Frequent First'),
    ...(sorting === scope.sorting ? { description: t('current') } : {}),
    iconPath: new vscode.ThemeIcon(sorting === scope.sorting ? 'check' : 'blank'),
    sorting,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: t('Sort Errors') });
  if (chosen !== undefined) errors.changeScope({ sorting: chosen.sorting });
}

/** Such as `24 h`. */
export function rangeName(range: ErrorRange): string {
  switch (range) {
    case '1h':
      return t('1 h');
    case '24h':
      return t('24 h');
    case '7d':
      return t('7 d');
  }
}

/** What the view shows, next to its title. */
export function scopeText({ memory: { scope }, isOfFolder }: Errors): string {
  const { range, workloads, environment } = scope;
  const which =
    typeof workloads === 'object'
      ? plainText(
          someNames(
            workloads.map(({ name }) => name),
            t,
          ) ?? '',
          80,
        )
      : isOfFolder || workloads === 'folder'
        ? t('this folder')
        : t('all workloads');
  const parts = [rangeName(range), which, environment && environmentText(environment)];
  return parts.filter((part) => part !== undefined).join(' · ');
}

function environmentText(environment: ErrorScope['environment']): string {
  switch (environment) {
    case 'production':
      return t('production');
    case 'preview':
      return t('preview');
    case undefined:
      return t('any environment');
  }
}

/** Larger files are not read, in bytes. */
const maxBytes = 2 * 1024 * 1024;
/** The longest patch that is compared, in characters. */
const longestPatch = 1024 * 1024;
/** How many lines of the stack are looked at, how many answers of Git are kept, and how long they may be in all. */
const mostPlaces = 8;
const mostAnswers = 1000;
const mostAnswered = 16 * longestPatch;

/** Searches in the repository of the first file of the stack. Without Git, nothing is found. */
export function createSuspects(git: Git, { context }: ConnectionData): Suspects {
  let reader: { readonly repository: GitRepository; readonly git: RememberedGit } | undefined;

  async function find(kind: ErrorKind, signal: AbortSignal): Promise<Suspicion | undefined> {
    const since = newSince(kind, context);
    const [first] = kind.spots;
    const repository = first && git.repositoryOf(vscode.Uri.parse(first.file, true));
    if (since === undefined || repository === undefined) return undefined;
    if (reader?.repository !== repository) {
      reader = { repository, git: new RememberedGit(repository) };
    }
    const { before, now, pair } = since;
    const places = kind.spots
      .filter(({ deploymentId }) => deploymentId === pair.deployment.id)
      .filter(({ file }) => git.repositoryOf(vscode.Uri.parse(file, true)) === repository)
      .slice(0, mostPlaces);
    const question = { before, now, message: titleOf(kind), places };
    return findSuspects(reader.git, question, signal);
  }

  return new Suspects(find, systemClock);
}

/** A repository whose answers stay: a commit does not change, and each answer takes a process. */
class RememberedGit implements SuspectReader {
  private readonly answers = new Map<string, Promise<unknown>>();
  /** How long the answers are, in characters. */
  private answered = 0;

  constructor(private readonly repository: GitRepository) {}

  hashOf(sha: string): Promise<string | undefined> {
    return this.repository.hashOf(sha);
  }

  allBetween(from: string, to: string): Promise<readonly Commit[]> {
    return this.remember(`log ${from} ${to}`, () => this.repository.allBetween(from, to));
  }

  commitsOfFile(from: string, to: string, file: string): Promise<readonly Commit[]> {
    return this.remember(`log ${from} ${to} ${file}`, () =>
      this.repository.commitsBetween(from, to, vscode.Uri.parse(file, true)),
    );
  }

  patchOf(parent: string, sha: string, file: string): Promise<string | undefined> {
    return this.remember(`diff ${parent} ${sha} ${file}`, async () =>
      this.bounded(await this.repository.patchOf(parent, sha, vscode.Uri.parse(file, true))),
    );
  }

  renameOf(parent: string, sha: string, file: string): Promise<Rename | undefined> {
    return this.remember(`rename ${parent} ${sha} ${file}`, async () => {
      const uri = vscode.Uri.parse(file, true);
      const found = await this.repository.renameOf(parent, sha, uri, maxBytes);
      return found && { path: found.from.toString(), patch: this.bounded(found.patch) };
    });
  }

  deployedFile(sha: string, file: string): ReturnType<SuspectReader['deployedFile']> {
    return this.remember(`show ${sha} ${file}`, async () => {
      const uri = await this.repository.pathAt(sha, vscode.Uri.parse(file, true));
      if (uri === undefined) return undefined;
      const text = await this.repository.textAt(sha, uri, maxBytes);
      this.answered += text?.length ?? 0;
      return { path: uri.toString(), lines: text === undefined ? undefined : linesIn(text) };
    });
  }

  ignoredCommits(): Promise<ReadonlySet<string>> {
    return this.repository.ignoredCommits();
  }

  /** A patch, undefined if it is too long to be compared. */
  private bounded(patch: string | undefined): string | undefined {
    if (patch === undefined || patch.length > longestPatch) return undefined;
    this.answered += patch.length;
    return patch;
  }

  private async remember<T>(question: string, ask: () => Promise<T>): Promise<T> {
    // Its key says which type the answer has.
    const known = this.answers.get(question) as Promise<T> | undefined;
    if (known !== undefined) return known;
    if (this.answers.size >= mostAnswers || this.answered > mostAnswered) {
      this.answers.clear();
      this.answered = 0;
    }
    const answer = ask();
    this.answers.set(question, answer);
    answer.catch(() => this.answers.delete(question));
    return answer;
  }
}
