import * as vscode from 'vscode';
import {
  ensureConnection,
  type Session,
  type SignedInConnection,
} from '../../../connection/ui/session';
import type { Names } from '../../../inventory/names';
import { pause } from '../../../vscode/clock';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { describe } from '../../../vscode/errorMessages';
import { showFailure, withProgress } from '../../../vscode/notifications';
import { counted, number } from '../../../vscode/numbers';
import { maxExportRecords } from '../../../vscode/settings';
import { askForQuery } from '../../query/ui/queryItems';
import type { QueryMemory } from '../../query/ui/queryMemory';
import { filtersNow, readSearch } from '../../query/ui/readSearch';
import type { ExportFormat } from '../exportFormat';
import { exportRecords } from '../exportRecords';
import { createProgressReporter } from '../progress';
import {
  type Exported,
  type ExportOutcome,
  loadedRecords,
  writeExport,
  type WriteRequest,
} from '../writeExport';
import { heldLimit, openExportFile } from './exportFile';
import { askWhat, defaultUri, type Source } from './exportQuestions';
import { progressText } from './progressText';
import type { ShownLogs, SearchTools } from './searchTools';

const { t } = vscode.l10n;

interface ExportServices {
  readonly session: Session;
  readonly names: Names;
  readonly memory: QueryMemory;
  readonly diagnostics: Diagnostics;
}

/** `exportLogs`: asks for a query, or takes one as an argument, and writes what it finds. */
export function registerExportLogs(services: ExportServices): vscode.Disposable {
  const { session, diagnostics } = services;
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.exportLogs, async (argument) => {
      const signedIn = await ensureConnection(session);
      if (signedIn === undefined) return;
      try {
        const query =
          typeof argument === 'string'
            ? argument
            : await askForQuery(t('Export Logs'), services, signedIn);
        if (query === undefined) return;
        const search = await readSearch(services, signedIn, query);
        const filters = filtersNow(search, session);
        await exportLogs(signedIn, { filters, records: [], isAll: false, isPartial: false });
      } catch (error) {
        void showFailure(diagnostics, t('These logs cannot be exported.'), error);
      }
    }),
  );
}

/** For what is shown already; tells of its own failures. */
export function createLogExports(services: ExportServices): Pick<SearchTools, 'exportLogs'> {
  return {
    async exportLogs(logs) {
      try {
        const { signedIn } = services.session;
        if (signedIn === undefined) throw new Error(t('You are signed out. Connect to continue.'));
        await exportLogs(signedIn, logs);
      } catch (error) {
        void showFailure(services.diagnostics, t('These logs cannot be exported.'), error);
      }
    },
  };
}

async function exportLogs(signedIn: SignedInConnection, logs: ShownLogs): Promise<void> {
  const what = await askWhat(logs, signedIn.signal);
  if (what === undefined) return;
  const { source, form } = what;
  const uri = await vscode.window.showSaveDialog({
    title: t('Export Logs'),
    saveLabel: t('Export'),
    filters: { [form.label]: [form.format.extension] },
    ...defaultUri(logs, form.format),
  });
  if (uri === undefined) return;
  // The dialog may have been open for long.
  if (signedIn.signal.aborted) {
    void vscode.window.showInformationMessage(t('The export was cancelled.'));
    return;
  }
  tell(uri, await write(signedIn, logs, source, form.format, uri));
}

async function write(
  { client, signal: lifetime }: SignedInConnection,
  { filters, records, isPartial }: ShownLogs,
  source: Source,
  format: ExportFormat,
  uri: vscode.Uri,
): Promise<Exported> {
  return withProgress(t('Exporting logs'), lifetime, async (signal, tellProgress) => {
    const { onProgress, onWait } = createProgressReporter((state) =>
      tellProgress(progressText(state)),
    );
    const fetched = (): WriteRequest['batches'] => {
      const maxRecords = maxExportRecords();
      return exportRecords({ client, filters, maxRecords, signal, onProgress, onWait });
    };
    const batches =
      source === 'loaded' ? loadedRecords({ records, isPartial, pause, signal }) : fetched();
    return writeExport({
      format,
      batches,
      sink: await openExportFile(uri),
      signal,
      describe: whyPartial,
      now: () => new Date().toISOString(),
    });
  });
}

/** Why a file does not have everything. */
function whyPartial(outcome: Exclude<ExportOutcome, 'complete'>, error: unknown): string {
  switch (outcome) {
    case 'bound':
      return t(
        'There are more records: controlPlane.logs.maxExportRecords allows {0}.',
        number(maxExportRecords()),
      );
    case 'partial':
      return t('The control plane left out some of the records.');
    case 'unsure':
      return t(
        'It is not certain that these are all: the control plane may not have begun at the oldest record.',
      );
    case 'accessChanged':
      return t('What the API key may see has changed on the way.');
    case 'stuck':
      return t('The control plane does not lead on to more records.');
    case 'full':
      return t(
        'There are more records: a file that is written here may have {0} MB.',
        heldLimit / 1024 / 1024,
      );
    case 'cancelled':
      return t('The export was cancelled.');
    case 'failed':
      return describe(error);
  }
}

function tell(uri: vscode.Uri, { outcome, records, error }: Exported): void {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const shown =
    outcome === 'complete'
      ? vscode.window.showInformationMessage(
          counted(
            records,
            '{0} record was exported to {1}.',
            '{0} records were exported to {1}.',
            name,
          ),
          t('Open File'),
        )
      : vscode.window.showWarningMessage(
          counted(
            records,
            '{1} has {0} record and is not complete: {2}',
            '{1} has {0} records and is not complete: {2}',
            name,
            whyPartial(outcome, error),
          ),
          t('Open File'),
        );
  // A file that is too large for the editor is told by the editor.
  void shown.then(async (chosen) => {
    if (chosen !== undefined) await vscode.commands.executeCommand('vscode.open', uri);
  });
}
