import * as vscode from 'vscode';
import type { Session } from '../../../connection/ui/session';
import { commands } from '../../../vscode/contributions';
import { number } from '../../../vscode/numbers';
import { logStatementLinks, onDidChangeSettings } from '../../../vscode/settings';
import type { LogStatement } from '../logStatement';
import type { StatementFacts } from '../statementFacts';
import { statementFilter } from '../statementQuery';
import { statementDocuments, statementsIn } from './documentStatements';
import type { SessionLookups } from './sessionLookups';
import { createStatementCounts } from './statementCounts';

const { t } = vscode.l10n;

/** A link above a logging call. */
class StatementLens extends vscode.CodeLens {
  constructor(
    readonly document: vscode.TextDocument,
    readonly statement: LogStatement,
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
  const counts = createStatementCounts(session, lookups);
  const refresh = (): void => changes.fire();
  return vscode.Disposable.from(
    changes,
    counts,
    counts.onDidChange(refresh),
    session.onDidChange(refresh),
    onDidChangeSettings('code.logStatements', refresh),
    vscode.languages.registerCodeLensProvider(statementDocuments, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses(document) {
        if (logStatementLinks() === 'off' || session.signedIn === undefined) return [];
        return statementsIn(document)
          .filter((statement) => statementFilter(statement, []) !== undefined)
          .map((statement) => new StatementLens(document, statement));
      },
      resolveCodeLens(lens) {
        if (!(lens instanceof StatementLens)) return undefined;
        const { document, statement } = lens;
        const isCounting = logStatementLinks() === 'count';
        const facts = isCounting ? lookups.known(statement) : undefined;
        if (isCounting && facts === undefined) counts.want(document, statement);
        lens.command = {
          command: commands.searchStatementLogs,
          title: titleOf(facts),
          tooltip: t('Show the records of this log statement'),
          arguments: [statementFilter(statement, [])],
        };
        return lens;
      },
    }),
  );
}

function titleOf(facts: StatementFacts | undefined): string {
  if (facts === undefined) return t('Logs');
  const { count, hasMore } = facts;
  return t('Logs · {0} in the last hour', `${number(count)}${hasMore ? '+' : ''}`);
}
