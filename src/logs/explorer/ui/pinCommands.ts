import * as vscode from 'vscode';
import { contextKey, type CommandId, registerCommand } from '../../../vscode/commands';
import { commands, contextKeys } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { UserError } from '../../../vscode/errorMessages';
import { announce } from '../../../vscode/notifications';
import { ask, back } from '../../../vscode/quickInput';
import type { Session } from '../../../connection/ui/session';
import { longestNote, mostPins, type Pin, pinKey, type Pins } from '../pins';
import type { AskedRecords } from './askedRecord';
import type { LogExplorer } from './logExplorer';
import { pinOfRow } from './pinRows';

const { t } = vscode.l10n;

/** The commands for pins: of a record, of a row of the view *Logs*, and from one to the next. */
export function registerPinCommands(
  pins: Pins,
  asked: AskedRecords,
  explorer: LogExplorer,
  session: Session,
  diagnostics: Diagnostics,
): vscode.Disposable {
  const on = (command: CommandId, act: (argument: unknown) => unknown): vscode.Disposable =>
    registerCommand(command, act, {
      diagnostics,
      failed: t('The command failed for this record.'),
    });
  const setPins = contextKey(contextKeys.pins);
  const update = (): void => setPins(pins.byKey.size > 0);
  void session.ready.then(update);
  return vscode.Disposable.from(
    pins,
    pins.onDidChange(update),
    on(commands.togglePin, (argument) =>
      toggle(pins, pinOfRow(pins, argument) ?? asked.recordOf(argument).record),
    ),
    on(commands.goToNextPin, () => {
      const pin = pins.goToNext();
      if (pin === undefined) throw new UserError(t('There are no pins yet. Pin a record first.'));
      if (!asked.goToLine((record) => pinKey(record) === pinKey(pin))) explorer.goToPin(pin);
    }),
    on(commands.editPinNote, async (argument) => {
      const pin = pinOfRow(pins, argument);
      if (pin !== undefined) await editNote(pins, pin);
    }),
  );
}

function toggle(pins: Pins, record: Parameters<Pins['toggle']>[0]): void {
  switch (pins.toggle(record)) {
    case 'pinned':
      announce(t('The record was pinned.'), 'pinned');
      return;
    case 'removed':
      announce(t('The pin was removed.'), 'pin');
      return;
    case 'full':
      throw new UserError(t('There are already {0} pins. Remove one first.', mostPins));
    case 'nowhere':
      throw new UserError(t('The record has no valid container or time, which a pin needs.'));
  }
}

async function editNote(pins: Pins, pin: Pin): Promise<void> {
  const note = await ask({
    title: t('Note'),
    prompt: t('What this record means. The note is kept on this computer.'),
    value: pin.note,
    problemOf: (value) =>
      value.length > longestNote ? t('At most {0} characters.', longestNote) : undefined,
  });
  if (note !== undefined && note !== back) pins.setNote(pin, note);
}
