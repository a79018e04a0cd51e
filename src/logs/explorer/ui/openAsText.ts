import * as vscode from 'vscode';
import { fetchPages } from '../../../api/fetchPages';
import type { Disposable } from '../../../base/lifecycle';
import type { Session, SignedInConnection } from '../../../connection/ui/session';
import { pause } from '../../../vscode/clock';
import { commands, schemes } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { showFailure, withProgress } from '../../../vscode/notifications';
import { counted } from '../../../vscode/numbers';
import { ReadonlyDocuments } from '../../../vscode/readonlyDocuments';
import { logSettings, logTimeZone } from '../../../vscode/settings';
import { type QueryCommandServices, registerQueryCommand } from '../../query/ui/queryItems';
import { createFormatter, createTimestampFormat, type LogLine } from '../../record/logLine';
import { logText } from '../../record/readLogText';
import { createProgressReporter } from '../loadProgress';
import { progressText } from './progressText';
import type { ShownLogs } from '../explorerModel';

const { t } = vscode.l10n;

/** The number of records that `openLogsAsText` loads. */
const newest = 10_000;

/** In characters. VS Code does not hand much larger documents to extensions, such as those that fold. */
const maxLength = 20 * 1024 * 1024;

/** `openLogsAsText`: asks for a query, or takes one as an argument, and shows its newest records. */
export function registerOpenAsText(
  services: QueryCommandServices,
  texts: LogTexts,
): vscode.Disposable {
  return registerQueryCommand(commands.openLogsAsText, services, {
    title: t('Open Logs as Text'),
    failed: t('Could not open the logs as text.'),
    async run(on, filters) {
      const logs = await load(on, filters);
      on.signal.throwIfAborted();
      if (logs.records.length > 0) await texts.openAsText(logs);
      else void vscode.window.showInformationMessage(t('No records match the query.'));
    },
  });
}

async function load(
  { client, signal: lifetime }: SignedInConnection,
  filters: ShownLogs['filters'],
): Promise<ShownLogs> {
  return withProgress(t('Loading logs'), lifetime, async (signal, report) => {
    const { onProgress, onWait } = createProgressReporter((state) => report(progressText(state)));
    const {
      records,
      partial: isPartial,
      end,
    } = await fetchPages({
      client,
      start: { filters, direction: 'older' },
      target: newest,
      signal,
      priority: 'person',
      onProgress,
      onWait,
    });
    return { filters, records, isAll: end === 'end', isPartial };
  });
}

/** Shows records as documents, which are emptied when the connection or the API key changes. */
export class LogTexts implements Disposable {
  private readonly documents = new ReadonlyDocuments(
    schemes.logs,
    () => t('These logs are no longer available. Run the search again.'),
    true,
  );
  private readonly subscription: Disposable;

  constructor(
    private readonly session: Session,
    private readonly diagnostics: Diagnostics,
  ) {
    // Another key may have fewer permissions.
    this.subscription = session.onDidChange(() => this.documents.clear());
  }

  /** Shows records as a read-only document. Shows its own errors. */
  async openAsText(logs: ShownLogs): Promise<void> {
    try {
      await this.show(logs);
    } catch (error) {
      void showFailure(this.diagnostics, t('Could not open the logs as text.'), error);
    }
  }

  dispose(): void {
    this.subscription.dispose();
    this.documents.dispose();
  }

  private async show({ records }: ShownLogs): Promise<void> {
    const lifetime = this.session.signedIn?.signal ?? AbortSignal.abort();
    const timeZone = logTimeZone(this.session);
    const { showAttributes, bodies } = logSettings();
    const format = createFormatter({ timeZone, showAttributes, bodies });
    const leftOut = (count: number): LogLine => ({
      timestamp: records[count]?.timestamp ?? '',
      level: 'warning',
      text: counted(
        count,
        '{0} older record does not fit into the document. Export the logs to get it.',
        '{0} older records do not fit into the document. Export the logs to get them.',
      ),
    });
    const { text } = await logText(records, format, maxLength, leftOut, pause);
    await this.documents.show(nameOf(records, timeZone), text, lifetime);
  }
}

/** The title of the tab: its range, with the extension of the language `log`. */
function nameOf(records: ShownLogs['records'], timeZone: string): string {
  const format = createTimestampFormat(timeZone);
  const [first, last] = [records[0], records.at(-1)].map((record) =>
    record === undefined ? undefined : format(record.timestamp)?.slice(0, -4),
  );
  if (first === undefined || last === undefined) return `${t('Logs')}.log`;
  // The date is shown once.
  const end = last.slice(0, 10) === first.slice(0, 10) ? last.slice(11) : last;
  return `${t('Logs')} ${first} – ${end}.log`;
}
