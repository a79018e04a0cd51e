import * as vscode from 'vscode';
import { fetchPages } from '../../../api/fetchPages';
import {
  ensureConnection,
  type Session,
  type SignedInConnection,
} from '../../../connection/ui/session';
import type { Names } from '../../../inventory/names';
import { pause } from '../../../vscode/clock';
import { commands, schemes } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { showFailure, withProgress } from '../../../vscode/notifications';
import { counted } from '../../../vscode/numbers';
import { createReadonlyDocuments } from '../../../vscode/readonlyDocuments';
import { logSettings } from '../../../vscode/settings';
import { askForQuery } from '../../query/ui/queryItems';
import type { QueryMemory } from '../../query/ui/queryMemory';
import { filtersNow, readSearch } from '../../query/ui/readSearch';
import { createFormatter } from '../../record/format';
import { logText } from '../../record/logText';
import { createTimestampFormat } from '../../record/timestampFormat';
import { logTimeZone } from '../../record/ui/logTimeZone';
import { createProgressReporter } from '../progress';
import { progressText } from './progressText';
import type { ShownLogs, SearchTools } from './searchTools';

const { t } = vscode.l10n;

/** How many of the newest records `openLogsAsText` loads. */
const newest = 10_000;

/** Extensions, such as those that fold and outline, are told of no document that is much larger. */
const maxLength = 20 * 1024 * 1024;

interface OpenAsTextServices {
  readonly session: Session;
  readonly names: Names;
  readonly memory: QueryMemory;
  readonly diagnostics: Diagnostics;
}

/**
 * `openLogsAsText`: asks for a query, or takes one as an argument, and shows the newest records that
 * it finds.
 */
export function registerOpenAsText(
  services: OpenAsTextServices,
  texts: LogTexts,
): vscode.Disposable {
  const { session, diagnostics } = services;
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.openLogsAsText, async (argument) => {
      const signedIn = await ensureConnection(session);
      if (signedIn === undefined) return;
      try {
        const query =
          typeof argument === 'string'
            ? argument
            : await askForQuery(t('Open Logs as Text'), services, signedIn);
        if (query === undefined) return;
        const filters = filtersNow(await readSearch(services, signedIn, query), session);
        const logs = await load(signedIn, filters);
        signedIn.signal.throwIfAborted();
        if (logs.records.length > 0) await texts.openAsText(logs);
        else void vscode.window.showInformationMessage(t('There are no such logs.'));
      } catch (error) {
        void showFailure(diagnostics, t('These logs cannot be shown as text.'), error);
      }
    }),
  );
}

async function load(
  { client, signal: lifetime }: SignedInConnection,
  filters: ShownLogs['filters'],
): Promise<ShownLogs> {
  return withProgress(t('Loading logs'), lifetime, async (signal, tell) => {
    const { onProgress, onWait } = createProgressReporter((state) => tell(progressText(state)));
    const {
      records,
      partial: isPartial,
      end,
    } = await fetchPages({
      client,
      start: { filters, direction: 'older' },
      target: newest,
      signal,
      onProgress,
      onWait,
    });
    return { filters, records, isAll: end === 'end', isPartial };
  });
}

/** Shows records as a document; those of another connection or key are emptied. */
interface LogTexts extends Pick<SearchTools, 'openAsText'> {
  dispose(): void;
}

export function createLogTexts({
  session,
  diagnostics,
}: Pick<OpenAsTextServices, 'session' | 'diagnostics'>): LogTexts {
  const texts = createReadonlyDocuments({
    scheme: schemes.logs,
    isAlwaysNew: true,
    gone: () => t('These logs are not here any more.'),
  });
  // Another key may see less.
  const subscription = session.onDidChange(() => texts.clear());

  async function show({ records }: ShownLogs): Promise<void> {
    const lifetime = session.signedIn?.signal ?? AbortSignal.abort();
    const timeZone = logTimeZone(session);
    const { text } = await logText(records, {
      format: createFormatter({ timeZone, showAttributes: logSettings().showAttributes }),
      maxLength,
      leftOutMarker: (count) => ({
        timestamp: records[count]?.timestamp ?? '',
        level: 'warning',
        text: counted(
          count,
          '{0} older record is left out: it is too much for a document. An export has it.',
          '{0} older records are left out: they are too much for a document. An export has them.',
        ),
      }),
      pause,
    });
    await texts.show(nameOf(records, timeZone), text, lifetime);
  }

  return {
    async openAsText(logs) {
      try {
        await show(logs);
      } catch (error) {
        void showFailure(diagnostics, t('These logs cannot be shown as text.'), error);
      }
    },
    dispose() {
      subscription.dispose();
      texts.dispose();
    },
  };
}

/** Of the tab: the range of what is in it. Ends in what VS Code knows the language `log` by. */
function nameOf(records: ShownLogs['records'], timeZone: string): string {
  const format = createTimestampFormat(timeZone);
  const [first, last] = [records[0], records.at(-1)].map((record) =>
    record === undefined ? undefined : format(record.timestamp)?.slice(0, -4),
  );
  if (first === undefined || last === undefined) return `${t('Logs')}.log`;
  // The day is told once.
  const end = last.slice(0, 10) === first.slice(0, 10) ? last.slice(11) : last;
  return `${t('Logs')} ${first} – ${end}.log`;
}
