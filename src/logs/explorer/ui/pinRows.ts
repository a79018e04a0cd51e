import * as vscode from 'vscode';
import { membersOf } from '../../../base/json';
import { rowText } from '../../../base/untrustedText';
import type { Session } from '../../../connection/ui/session';
import { commands } from '../../../vscode/contributions';
import { UserError } from '../../../vscode/errorMessages';
import { markdown } from '../../../vscode/markdown';
import { logTimeZone } from '../../../vscode/settings';
import { createTimeFormat } from '../../record/logLine';
import type { ExtraRow, ExtraRows } from '../../tail/ui/logsView';
import { type Pin, type Pins, pinKey } from '../pins';

const { t } = vscode.l10n;

const rowStart = 'pin ';
/** The id of the row above the pins. */
const sectionId = 'pins';

/** The id of the row of a pin. */
export function pinRowId(pin: Pin): string {
  return rowStart + pinKey(pin);
}

/** Whether the argument of a command is the row above the pins. */
export function isPinSection(argument: unknown): boolean {
  return membersOf(argument)['id'] === sectionId;
}

/** The pin of a row; undefined if the argument of a command is none. @throws UserError if the pin is gone. */
export function pinOfRow(pins: Pins, argument: unknown): Pin | undefined {
  const { id } = membersOf(argument);
  if (typeof id !== 'string' || !id.startsWith(rowStart)) return undefined;
  const pin = pins.byKey.get(id.slice(rowStart.length));
  // Not the record that happens to be selected instead.
  if (pin === undefined) throw new UserError(t('This record is no longer pinned.'));
  return pin;
}

/** The pins in the view *Logs*. */
export function pinRows(pins: Pins, session: Session): ExtraRows {
  const section: ExtraRow = {
    id: sectionId,
    children: () => pins.all.map((pin) => pinRow(pin, session)),
    item() {
      const item = new vscode.TreeItem(t('Pins'), vscode.TreeItemCollapsibleState.Expanded);
      item.id = item.contextValue = sectionId;
      return item;
    },
  };
  return {
    onDidChange: pins.onDidChange,
    roots: () => (session.state.kind === 'signedIn' && pins.byKey.size > 0 ? [section] : []),
  };
}

function pinRow(pin: Pin, session: Session): ExtraRow {
  const id = pinRowId(pin);
  return {
    id,
    command: { id: commands.showRecordContext, title: t('Show Context'), argument: { id } },
    children: () => [],
    item() {
      const time = createTimeFormat(logTimeZone(session))(pin.timestamp);
      const { note, source } = pin;
      const name = rowText(note === '' ? source : note);
      const item = new vscode.TreeItem(name);
      item.id = id;
      item.contextValue = 'pin';
      item.iconPath = new vscode.ThemeIcon('pinned');
      item.description = note === '' ? time : `${time} ${rowText(source)}`;
      item.tooltip = markdown(...(note === '' ? [] : [note]), source, time);
      const label = [name, item.description, t('pinned')].join(', ');
      item.accessibilityInformation = { label };
      return item;
    },
  };
}
