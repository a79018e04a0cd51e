import * as vscode from 'vscode';
import { membersOf } from '../../../base/json';
import type { Session } from '../../../connection/ui/session';
import { type CommandId, registerCommand } from '../../../vscode/commands';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { UserError } from '../../../vscode/errorMessages';
import { searchForTrace } from '../../query/searchQuery';
import type { Pins } from '../pins';
import { linkToRecord } from '../recordLinks';
import { capabilitiesOf } from '../recordRows';
import { hasContext } from '../recordsAround';
import type { AskedRecords } from './askedRecord';
import type { LogExplorer } from './logExplorer';
import { pinOfRow } from './pinRows';
import { copyLink } from './searchLinks';

const { t } = vscode.l10n;

/** The commands in the menu of a row whose page can do the same. */
const pageCommands = {
  copyLine: commands.copyRecordLine,
  copyJson: commands.copyRecordJson,
} as const;

/** The commands for a record, in the menu of a row, in that of the log channel and in the palette. */
export function registerRecordCommands(
  explorer: LogExplorer,
  asked: AskedRecords,
  session: Session,
  pins: Pins,
  diagnostics: Diagnostics,
): vscode.Disposable {
  const on = (command: CommandId, act: (argument: unknown) => unknown): vscode.Disposable =>
    registerCommand(command, act, {
      diagnostics,
      failed: t('The command failed for this record.'),
    });
  const keyOf = (argument: unknown): string | undefined => {
    const { recordKey } = membersOf(argument);
    return typeof recordKey === 'string' ? recordKey : undefined;
  };
  const inPage = (['copyLine', 'copyJson'] as const).map((action) =>
    on(pageCommands[action], async (argument) => {
      const key = keyOf(argument);
      if (key !== undefined) await explorer.act(action, key);
    }),
  );
  return vscode.Disposable.from(
    ...inPage,
    on(commands.showRecordTrace, async (argument) => {
      const key = keyOf(argument);
      if (key !== undefined) return explorer.act('trace', key);
      const { record } = asked.recordOf(argument);
      const { traceId } = record;
      if (traceId === null || !capabilitiesOf(record).hasTrace) {
        throw new UserError(t('This record has no trace.'));
      }
      explorer.open(searchForTrace(traceId));
    }),
    on(commands.showRecordContext, async (argument) => {
      const key = keyOf(argument);
      if (key !== undefined) return explorer.act('context', key);
      const record = pinOfRow(pins, argument) ?? asked.recordOf(argument).record;
      if (!hasContext(record)) {
        throw new UserError(t('The record has no valid container or time to search around.'));
      }
      explorer.showRecord(record);
    }),
    on(commands.copyRecordLink, async (argument) => {
      const record = pinOfRow(pins, argument) ?? asked.recordOf(argument).record;
      const { signedIn } = session;
      const link = signedIn && linkToRecord(record, signedIn.connection.origin);
      if (link === undefined) {
        throw new UserError(t('The record has no valid container or time, which a link needs.'));
      }
      await copyLink(link);
    }),
  );
}
