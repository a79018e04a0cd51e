import * as vscode from 'vscode';
import { commands, type LateCommand } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import type { LateCommands } from '../../../vscode/latePart';
import { showFailure } from '../../../vscode/notifications';

/** What the menu of a row offers, by the requests that the page makes for the same. */
const items = {
  trace: commands.showRecordTrace,
  context: commands.showRecordContext,
  copyLine: commands.copyRecordLine,
  copyJson: commands.copyRecordJson,
} as const;
export type RecordAction = keyof typeof items;

interface RecordMenuServices {
  readonly lateCommands: LateCommands<LateCommand>;
  readonly diagnostics: Diagnostics;
}

/**
 * The menu of a row of the page, which VS Code shows: by mouse, and by keyboard for the selected row.
 *
 * @param act does it for the record with a key.
 */
export function registerRecordMenu(
  { lateCommands, diagnostics }: RecordMenuServices,
  act: (action: RecordAction, key: string) => Promise<unknown>,
): vscode.Disposable {
  const actions = Object.keys(items) as RecordAction[];
  return vscode.Disposable.from(
    ...actions.map((action) =>
      lateCommands.register(items[action], async (argument) => {
        const key = recordKey(argument);
        if (key === undefined) return;
        try {
          await act(action, key);
        } catch (error) {
          const what = vscode.l10n.t('This cannot be done with the record.');
          await showFailure(diagnostics, what, error);
        }
      }),
    ),
  );
}

/** The key in what VS Code hands on of the page; undefined where it is none. */
function recordKey(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('recordKey' in argument)) return;
  return typeof argument.recordKey === 'string' ? argument.recordKey : undefined;
}
