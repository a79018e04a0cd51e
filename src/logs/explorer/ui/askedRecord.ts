import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { membersOf } from '../../../base/json';
import { UserError } from '../../../vscode/errorMessages';
import { logChannelOf } from '../../tail/ui/channelDocuments';
import type { LogChannels } from '../../tail/ui/logChannels';
import { lineOfRecord, recordAt } from '../../tail/ui/logLinksAndHovers';
import type { LogComparison } from './compareLogs';
import type { LogExplorer } from './logExplorer';

const { t } = vscode.l10n;

/** A record that a command is for, and where what it leads to opens. */
interface AskedRecord {
  readonly record: LogRecord;
  readonly column: vscode.ViewColumn;
}

/**
 * Finds the record that a command is for: that of a row of the Log Explorer or the newest of a row of a comparison
 * (`recordKey`), of a line of the log channel (`line`, from 0), or without an argument the one that is selected.
 */
export class AskedRecords {
  constructor(
    private readonly explorer: LogExplorer,
    private readonly comparison: Pick<LogComparison, 'recordOf'>,
    private readonly logChannels: LogChannels,
  ) {}

  /** @throws UserError */
  recordOf(argument: unknown): AskedRecord {
    const { explorer, comparison } = this;
    const { recordKey, line } = membersOf(argument);
    const ofRow = typeof recordKey === 'string' ? recordKey : undefined;
    const shown =
      ofRow === undefined ? undefined : (explorer.recordOf(ofRow) ?? comparison.recordOf(ofRow));
    if (ofRow !== undefined && shown === undefined) {
      throw new UserError(t('This record is no longer shown.'));
    }
    const { activeTextEditor: active } = vscode.window;
    const isInChannel = typeof line === 'number' || (active !== undefined && isOfLogs(active));
    const record = shown ?? (isInChannel ? undefined : explorer.recordOf());
    if (record !== undefined) return { record, column: vscode.ViewColumn.Beside };
    const ofLine = this.recordOfLine(line);
    if (ofLine !== undefined) return { record: ofLine, column: vscode.ViewColumn.Active };
    throw new UserError(
      t(
        'Select a record in the Log Explorer, or place the cursor on a line of Control Plane Logs.',
      ),
    );
  }

  /** Goes to a record in the log channel that has the focus. False if none has it, or does not show the record. */
  goToLine(fits: (record: LogRecord) => boolean): boolean {
    const { activeTextEditor: active } = vscode.window;
    const line = active && lineOfRecord(this.logChannels, active.document, fits);
    if (active === undefined || line === undefined) return false;
    const { range } = active.document.lineAt(line);
    active.selection = new vscode.Selection(range.start, range.start);
    active.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return true;
  }

  /** The record of a line of the visible log channel, by default of the line with the cursor. */
  private recordOfLine(line: unknown): LogRecord | undefined {
    const editor = vscode.window.visibleTextEditors.filter(isOfLogs).at(-1);
    if (editor === undefined) return undefined;
    const { document, selection } = editor;
    const at = typeof line === 'number' ? line : selection.active.line;
    if (!Number.isInteger(at) || at < 0 || at >= document.lineCount) return undefined;
    return recordAt(this.logChannels, document, at);
  }
}

function isOfLogs({ document }: vscode.TextEditor): boolean {
  return logChannelOf(document) !== undefined;
}
