import * as vscode from 'vscode';
import { type Disposable, Emitter, type Event } from '../../../base/event';
import { dotted } from '../../../base/textFormat';
import type { TimeFormat } from '../../../base/timeFormat';
import { oneLine, cut } from '../../../base/untrustedText';
import type { Session } from '../../../connection/ui/session';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { Soon, systemClock } from '../../../vscode/systemClock';
import { registerCommand } from '../../../vscode/commands';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { UserError } from '../../../vscode/errorMessages';
import { commandLinks, markdown } from '../../../vscode/markdown';
import { signalOf } from '../../../vscode/notifications';
import { counted, number } from '../../../vscode/numbers';
import { logStatementLinks, onDidChangeSettings } from '../../../vscode/settings';
import type { LogExplorer } from '../../explorer/ui/logExplorer';
import { asLogFilter, type LogFilter, workloadFilter } from '../../query/fields';
import { searchTime } from '../../query/ui/readSearch';
import { type LogStatement, findStatements } from '../findStatements';
import { isOtherCode, statementLanguages } from '../languages';
import type { HeldSummary, StatementFacts } from '../statementFacts';
import { StatementLookups, freshFor } from '../statementLookups';
import { statementQuery } from '../statementTemplate';

const { t } = vscode.l10n;

/**
 * Connects logging calls in code with their records: links, hovers and a search.
 *
 * @param folderApps the ids of the apps that are deployed from the folder, as far as they are known.
 */
export function registerLogStatements(
  { session, context: { timeFormat } }: ConnectionData,
  explorer: LogExplorer,
  folderApps: () => readonly string[],
  diagnostics: Diagnostics,
): vscode.Disposable {
  let current: StatementLookups | undefined;
  const lookups: SessionLookups = () => {
    const { signedIn } = session;
    current ??=
      signedIn &&
      new StatementLookups(signedIn.client, systemClock, () => searchTime(session).now, folderApps);
    return current;
  };
  return vscode.Disposable.from(
    // Another key may have fewer permissions.
    session.onDidChange(() => void (current = undefined)),
    registerStatementLenses(session, lookups),
    registerStatementHovers(session, lookups, timeFormat),
    registerSearchStatementLogs(explorer, folderApps, diagnostics),
  );
}

/**
 * `searchStatementLogs`: shows the records of a logging call in the Log Explorer. Takes the filter of a
 * statement without workloads, which are those of the folder, or uses the statement at the cursor.
 */
function registerSearchStatementLogs(
  explorer: LogExplorer,
  folderApps: () => readonly string[],
  diagnostics: Diagnostics,
): vscode.Disposable {
  return registerCommand(
    commands.searchStatementLogs,
    (argument) => {
      const statement = argument === undefined ? filterAtCursor() : asLogFilter(argument);
      explorer.search({ ...statement, ...workloadFilter(folderApps()) });
      return true;
    },
    { diagnostics, failed: t('Could not search the logs.') },
  );
}

/** @throws UserError */
function filterAtCursor(): LogFilter {
  const editor = vscode.window.activeTextEditor;
  const statement = editor && statementAt(editor.document, editor.selection.active);
  if (statement === undefined) {
    throw new UserError(
      t('Place the cursor on a call that logs a message, and run the command again.'),
    );
  }
  const filter = statementQuery(statement, [])?.filter;
  if (filter === undefined) {
    throw new UserError(t('This log statement has too little constant text to search for.'));
  }
  return filter;
}

/**
 * The hover of a logging call: its last record, and what its expressions held. Sends one request, which
 * ends with the hover.
 */
function registerStatementHovers(
  session: Session,
  lookups: SessionLookups,
  timeFormat: TimeFormat,
): vscode.Disposable {
  return vscode.languages.registerHoverProvider(statementDocuments, {
    async provideHover(document, position, token) {
      const { signedIn } = session;
      if (signedIn === undefined || logStatementLinks() === 'off') return undefined;
      const statement = statementAt(document, position);
      const filter = statement && statementQuery(statement, [])?.filter;
      if (statement === undefined || filter === undefined) return undefined;
      const signal = AbortSignal.any([signalOf(token), signedIn.signal]);
      // The diagnostics have a request that fails, and the other hovers of the code are shown.
      const facts = await lookups()
        ?.find(statement, signal, 'person')
        .catch(() => undefined);
      if (facts === undefined || signal.aborted) return undefined;
      const show = {
        label: t('Show in the Log Explorer'),
        command: commands.searchStatementLogs,
        argument: filter,
      };
      return new vscode.Hover(
        [describeFacts(facts, timeFormat), commandLinks([show])],
        new vscode.Range(document.positionAt(statement.start), document.positionAt(statement.end)),
      );
    },
  });
}

function describeFacts(facts: StatementFacts, timeFormat: TimeFormat): vscode.MarkdownString {
  const { count, hasMore, last, held } = facts;
  if (last === undefined) return markdown(t('No record in the last hour.'));
  const many = hasMore
    ? t('{0}+ records in the last hour', number(count))
    : counted(count, '{0} record in the last hour', '{0} records in the last hour');
  const time = timeFormat.relative(last.timestamp);
  return markdown(
    t('{0}, the last one {1} from {2}:', many, time, last.source),
    { code: last.text, language: 'log' },
    { list: held.map(describeHeld) },
  );
}

function describeHeld(held: HeldSummary): string {
  const expression = oneLine(held.expression);
  if (held.kind === 'numbers') {
    const { least, most } = held;
    return `${expression} ${least === most ? least : `${least}–${most}`}`;
  }
  const text = oneLine(held.mostFrequent);
  if (held.distinct === 1) return `${expression} ${text}`;
  const different = number(held.distinct);
  return held.count === 1
    ? t('{0}: {1} different, such as {2}', expression, different, text)
    : t(
        '{0}: {1} different, most often {2} ({3} of {4})',
        ...[expression, different, text, number(held.count), number(held.total)],
      );
}

/** The lookups on the connection that is signed in; undefined without one. */
type SessionLookups = () => StatementLookups | undefined;

/** A link above a logging call. */
class StatementLens extends vscode.CodeLens {
  constructor(
    readonly document: vscode.TextDocument,
    readonly statement: LogStatement,
    readonly filter: LogFilter,
  ) {
    const start = document.positionAt(statement.start);
    super(new vscode.Range(start, start));
  }
}

/**
 * Shows a link above each logging call that opens its records, and how many there are if the user wants
 * that. VS Code resolves only lenses on the screen, so nothing is counted for the others.
 */
function registerStatementLenses(session: Session, lookups: SessionLookups): vscode.Disposable {
  const changes = new vscode.EventEmitter<void>();
  const counts = new StatementCounts(session, lookups);
  const refresh = (): void => changes.fire();
  return vscode.Disposable.from(
    changes,
    counts,
    counts.onDidChange(refresh),
    session.onDidChange(refresh),
    onDidChangeSettings('code.logStatements', refresh),
    vscode.languages.registerInlayHintsProvider(statementDocuments, {
      onDidChangeInlayHints: changes.event,
      provideInlayHints(document, range) {
        if (logStatementLinks() !== 'count' || session.signedIn === undefined) return [];
        const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
        return statementsIn(document).flatMap((statement) => {
          const isShown = from <= statement.end && statement.end <= to;
          // Counted for its link, or not at all.
          const held = isShown ? lookups()?.known(statement)?.held : undefined;
          return held?.length ? [valueHint(document, statement, held)] : [];
        });
      },
    }),
    vscode.languages.registerCodeLensProvider(statementDocuments, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses(document) {
        if (logStatementLinks() === 'off' || session.signedIn === undefined) return [];
        return statementsIn(document).flatMap((statement) => {
          const filter = statementQuery(statement, [])?.filter;
          return filter === undefined ? [] : [new StatementLens(document, statement, filter)];
        });
      },
      resolveCodeLens(lens) {
        if (!(lens instanceof StatementLens)) return undefined;
        const { document, statement, filter } = lens;
        const isCounting = logStatementLinks() === 'count';
        const facts = isCounting ? lookups()?.known(statement) : undefined;
        if (isCounting && facts === undefined) counts.want(document, statement);
        lens.command = {
          command: commands.searchStatementLogs,
          title: titleOf(facts),
          tooltip: t('Show the records of this log statement'),
          arguments: [filter],
        };
        return lens;
      },
    }),
  );
}

/** What the placeholders of a call held, beside the call. */
function valueHint(
  document: vscode.TextDocument,
  { end }: LogStatement,
  held: readonly HeldSummary[],
): vscode.InlayHint {
  const hint = new vscode.InlayHint(
    document.positionAt(end),
    cut(dotted(held.map(shortHeld)), longestHint),
  );
  hint.paddingLeft = true;
  return hint;
}

/** In UTF-16 units. */
const longestHint = 80;

/** Such as `seconds: 3–12` or `customer: acme +4`. */
function shortHeld(held: HeldSummary): string {
  const expression = oneLine(held.expression);
  if (held.kind === 'numbers') {
    const { least, most } = held;
    return `${expression}: ${least === most ? least : `${least}–${most}`}`;
  }
  const others = held.distinct === 1 ? '' : ` +${number(held.distinct - 1)}`;
  return `${expression}: ${oneLine(held.mostFrequent)}${others}`;
}

function titleOf(facts: StatementFacts | undefined): string {
  if (facts === undefined) return t('Logs');
  const { count, hasMore } = facts;
  return t('Logs · {0} in the last hour', `${number(count)}${hasMore ? '+' : ''}`);
}

interface Wanted {
  readonly document: vscode.TextDocument;
  readonly version: number;
  readonly statement: LogStatement;
}

/** Answers that arrive within this time are shown at once, in milliseconds. */
const together = 300;
/** How long nothing new is shown before requests are sent, in milliseconds: who types sends none. */
const settled = 700;

/** Counts the records of statements that are visible in the focused window, a few a minute. */
class StatementCounts implements Disposable {
  private readonly changes = new Emitter<void>();
  private wanted: readonly Wanted[] = [];
  private isRunning = false;
  private turn: ReturnType<typeof setTimeout> | undefined;
  private readonly firing = new Soon(() => this.changes.fire());
  /** A count that is too old is not shown any longer. */
  private readonly expiry = new Soon(() => this.changes.fire());
  private readonly subscription: vscode.Disposable;
  /** Fires when more is known. */
  readonly onDidChange: Event<void> = this.changes.event;

  constructor(
    private readonly session: Session,
    private readonly lookups: SessionLookups,
  ) {
    this.subscription = vscode.window.onDidChangeWindowState(() => void this.run());
  }

  /** Looks the statement up if it is still visible when its turn comes. */
  want(document: vscode.TextDocument, statement: LogStatement): void {
    const { version } = document;
    const isWanted = this.wanted.some(
      (one) => one.document === document && one.statement === statement,
    );
    if (isWanted) return;
    this.wanted = [...this.wanted, { document, version, statement }];
    this.runIn(settled);
  }

  dispose(): void {
    this.wanted = [];
    clearTimeout(this.turn);
    this.firing.dispose();
    this.expiry.dispose();
    this.subscription.dispose();
    this.changes.dispose();
  }

  private runIn(milliseconds: number): void {
    clearTimeout(this.turn);
    this.turn = setTimeout(() => void this.run(), milliseconds);
  }

  /** The next statement that is visible; the others are forgotten until they are shown again. */
  private next(): Wanted | undefined {
    const isOn = logStatementLinks() === 'count' && this.session.signedIn !== undefined;
    this.wanted = isOn ? this.wanted.filter(isVisible) : [];
    return vscode.window.state.focused ? this.wanted[0] : undefined;
  }

  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    for (let one = this.next(); one !== undefined; one = this.next()) {
      const { wait = 0 } = this.lookups() ?? {};
      if (wait > 0) {
        this.runIn(wait);
        break;
      }
      this.wanted = this.wanted.slice(1);
      await this.count(one.statement);
    }
    this.isRunning = false;
  }

  private async count(statement: LogStatement): Promise<void> {
    const { signal } = this.session.signedIn ?? {};
    if (signal === undefined) return;
    try {
      await this.lookups()?.find(statement, signal, 'automatic');
      this.firing.in(together);
      this.expiry.in(freshFor);
    } catch {
      // The diagnostics have the request, and no count is shown.
    }
  }
}

function isVisible({ document, version, statement: { line } }: Wanted): boolean {
  return (
    document.version === version &&
    vscode.window.visibleTextEditors.some(
      (editor) =>
        editor.document === document &&
        editor.visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line),
    )
  );
}

/** Documents whose logging calls are found. `isCode` excludes some of them. */
const statementDocuments: vscode.DocumentSelector = statementLanguages.map((language) => ({
  language,
}));

/** Whether a document is code of the workspace: no old version of a file, and no dependency. */
export function isCode({ uri, languageId }: vscode.TextDocument): boolean {
  return (
    statementLanguages.includes(languageId) &&
    vscode.workspace.getWorkspaceFolder(uri) !== undefined &&
    !isOtherCode(vscode.workspace.asRelativePath(uri, false))
  );
}

interface Found {
  readonly version: number;
  readonly statements: readonly LogStatement[];
}

/** The statements of open documents, found once for each version. */
const found = new WeakMap<vscode.TextDocument, Found>();

/** The logging calls in a document, in order, without calls such as `print`, which seldom write logs. */
function statementsIn(document: vscode.TextDocument): readonly LogStatement[] {
  const known = found.get(document);
  if (known?.version === document.version) return known.statements;
  const statements = isCode(document)
    ? findStatements(document.getText(), document.languageId)
    : [];
  found.set(document, { version: document.version, statements });
  return statements;
}

/** The innermost logging call at a position. */
function statementAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): LogStatement | undefined {
  const offset = document.offsetAt(position);
  return statementsIn(document)
    .filter(({ start, end }) => start <= offset && offset <= end)
    .at(-1);
}
