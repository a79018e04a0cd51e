import * as vscode from 'vscode';
import { counted } from '../../../vscode/numbers';
import { openPicks, type Picks } from '../../../vscode/quickInput';
import { logSettings, maxExportRecords } from '../../../vscode/settings';
import { csv, type ExportFormat, ndjson, textFormat } from '../exportFormat';
import type { ShownLogs } from './searchTools';

const { t } = vscode.l10n;

/** Which records are written. */
export type Source = 'loaded' | 'everything';

/** Asks which records, where that is a question. */
async function chooseSource(
  picks: Picks,
  { records, isAll }: ShownLogs,
): Promise<Source | undefined> {
  if (isAll) return 'loaded';
  if (records.length === 0) return 'everything';
  const chosen = await picks.choose(
    [
      {
        label: t('What is loaded'),
        description: counted(records.length, '{0} record', '{0} records'),
        source: 'loaded' as const,
      },
      {
        label: t('Everything in the range'),
        description: counted(
          maxExportRecords(),
          'up to {0} record, fetched anew',
          'up to {0} records, fetched anew',
        ),
        source: 'everything' as const,
      },
    ],
    t('Which records?'),
  );
  return chosen?.source;
}

interface Form extends vscode.QuickPickItem {
  readonly format: ExportFormat;
}

/** Asks for the form of the file. */
async function chooseForm(picks: Picks): Promise<Form | undefined> {
  const forms: readonly Form[] = [
    { label: 'NDJSON', description: t('one record a line, as the server sent it'), format: ndjson },
    {
      label: t('Text'),
      description: t('the lines of the log channel, in UTC'),
      format: textFormat({ timeZone: 'utc', showAttributes: logSettings().showAttributes }),
    },
    { label: 'CSV', description: t('for spreadsheets'), format: csv },
  ];
  return picks.choose(forms, t('In which form?'));
}

/** Asks what is written, and how, as long as the connection is there that it comes from. */
export async function askWhat(
  logs: ShownLogs,
  lifetime: AbortSignal,
): Promise<{ readonly source: Source; readonly form: Form } | undefined> {
  const picks = openPicks(t('Export Logs'), lifetime);
  try {
    const source = await chooseSource(picks, logs);
    const form = source && (await chooseForm(picks));
    return form && { source, form };
  } finally {
    picks.dispose();
  }
}

/** Beside the files of the workspace, where there are any, under the range as its name. */
export function defaultUri(
  { filters: { from, to } }: ShownLogs,
  { extension }: ExportFormat,
): { defaultUri?: vscode.Uri } {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const moment = (iso: string): string => iso.slice(0, 19).replaceAll(/[-:]/g, '');
  const name = `logs-${moment(from)}Z-${moment(to)}Z.${extension}`;
  return folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) };
}
