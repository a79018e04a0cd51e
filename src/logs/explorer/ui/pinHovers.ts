import * as vscode from 'vscode';
import { commands } from '../../../vscode/contributions';
import { commandLinks, markdown } from '../../../vscode/markdown';
import type { LogChannels } from '../../tail/ui/logChannels';
import { logDocuments, recordAt } from '../../tail/ui/logLinksAndHovers';
import { pinKey, type Pins } from '../pins';
import { pinRowId } from './pinRows';

const { t } = vscode.l10n;

/**
 * The hover of a pinned line of a log channel begins with the note. VS Code asks first what was registered last, so
 * register it after the hovers of records.
 */
export function registerPinHovers(pins: Pins, channels: LogChannels): vscode.Disposable {
  return vscode.languages.registerHoverProvider(logDocuments, {
    provideHover(document, { line }) {
      if (pins.byKey.size === 0) return undefined;
      const record = recordAt(channels, document, line);
      const pin = record && pins.byKey.get(pinKey(record));
      if (pin === undefined) return undefined;
      const argument = { id: pinRowId(pin) };
      return new vscode.Hover([
        markdown(pin.note === '' ? t('Pinned') : t('Pinned: {0}', pin.note)),
        commandLinks([
          { label: t('Edit Note…'), command: commands.editPinNote, argument },
          { label: t('Remove Pin'), command: commands.togglePin, argument },
        ]),
      ]);
    },
  });
}
