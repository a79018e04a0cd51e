import * as vscode from 'vscode';
import { Emitter, type Event } from '../../../base/event';
import type { Disposable } from '../../../base/lifecycle';
import { cut, oneLine } from '../../../base/plainText';
import { dotted } from '../../../base/textFormat';
import type { Session } from '../../../connection/ui/session';
import { commands } from '../../../vscode/contributions';
import { number } from '../../../vscode/numbers';
import { logStatementLinks, onDidChangeSettings } from '../../../vscode/settings';
import type { LogFilter } from '../../query/filter';
import type { LogStatement } from '../findStatements';
import type { HeldSummary, StatementFacts } from '../statementFacts';
import { freshFor, type StatementLookups } from '../statementLookups';
import { statementQuery } from '../statementTemplate';
import { statementDocuments, statementsIn } from './documentStatements';

const { t } = vscode.l10n;

/** The lookups on the connection that is signed in; undefined without one. */
export type SessionLookups = () => StatementLookups | undefined;

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
export function registerStatementLenses(
  session: Session,
  lookups: SessionLookups,
): vscode.Disposable {
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
  private together: ReturnType<typeof setTimeout> | undefined;
  private expiry: ReturnType<typeof setTimeout> | undefined;
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
    clearTimeout(this.together);
    clearTimeout(this.expiry);
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
      this.together ??= setTimeout(() => {
        this.together = undefined;
        this.changes.fire();
      }, together);
      // A count that is too old is not shown any longer.
      this.expiry ??= setTimeout(() => {
        this.expiry = undefined;
        this.changes.fire();
      }, freshFor);
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
