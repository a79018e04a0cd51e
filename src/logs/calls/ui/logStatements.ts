import * as vscode from 'vscode';
import type { ConnectionData } from '../../../data/ui/connectionData';
import type { Session } from '../../../connection/ui/session';
import { oneLine } from '../../../base/plainText';
import type { TimeFormat } from '../../../base/timeFormat';
import { systemClock } from '../../../vscode/clock';
import { registerCommand } from '../../../vscode/commands';
import { commandLinks, markdown } from '../../../vscode/markdown';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { UserError } from '../../../vscode/errorMessages';
import { signalOf } from '../../../vscode/notifications';
import { counted, number } from '../../../vscode/numbers';
import { logStatementLinks } from '../../../vscode/settings';
import type { LogExplorer } from '../../explorer/ui/logExplorer';
import { asLogFilter, type LogFilter, workloadFilter } from '../../query/filter';
import { searchTime } from '../../query/ui/readSearch';
import type { HeldSummary, StatementFacts } from '../statementFacts';
import { StatementLookups } from '../statementLookups';
import { statementQuery } from '../statementTemplate';
import { statementAt, statementDocuments } from './documentStatements';
import { registerStatementLenses, type SessionLookups } from './statementLenses';

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
