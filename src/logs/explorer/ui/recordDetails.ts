import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { showFailure } from '../../../vscode/notifications';
import type { LookBudget } from '../../record/pathMapping';
import { lookBudget, type SourceFiles } from '../../record/ui/sourceFiles';
import { type BodyPiece, detailsOf, type DetailsOptions } from '../details';
import type { Details } from '../panel/messages';
import { offersOf } from '../rows';

/** What the menu of a row offers, by the requests that the page makes for the same. */
const items = {
  trace: commands.showRecordTrace,
  context: commands.showRecordContext,
  copyLine: commands.copyRecordLine,
  copyJson: commands.copyRecordJson,
} as const;
export type RecordAction = keyof typeof items;

interface RecordMenuServices {
  readonly diagnostics: Diagnostics;
}

/**
 * The menu of a row of the page, which VS Code shows: by mouse, and by keyboard for the selected row.
 *
 * @param act does it for the record with a key.
 */
export function registerRecordMenu(
  { diagnostics }: RecordMenuServices,
  act: (action: RecordAction, key: string) => Promise<unknown>,
): vscode.Disposable {
  const actions = Object.keys(items) as RecordAction[];
  return vscode.Disposable.from(
    ...actions.map((action) =>
      vscode.commands.registerCommand(items[action], async (argument) => {
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

/** What the page shows of one record; its frames lead to files of the workspace. */
export async function recordDetails(
  record: LogRecord,
  options: DetailsOptions,
  files: SourceFiles,
): Promise<Details> {
  const { key, fields, attributes, body, json } = detailsOf(record, options);
  const budget = lookBudget();
  const details: Details = {
    key,
    fields: [...fields],
    attributes: [...attributes],
    body: await Promise.all(body.map((piece, index) => framed(piece, index, files, budget))),
    ...offersOf(record),
  };
  if (json !== undefined) details.json = json;
  return details;
}

async function framed(
  { text, position }: BodyPiece,
  index: number,
  files: SourceFiles,
  budget: LookBudget,
): Promise<Details['body'][number]> {
  const file = position === undefined ? undefined : await files.find(position.path, budget);
  return file === undefined ? { text } : { text, frame: index };
}

/** Opens the source that a piece of a record's body names, beside the page. */
export async function openFrame(
  record: LogRecord,
  options: DetailsOptions,
  files: SourceFiles,
  frame: number,
): Promise<void> {
  const position = detailsOf(record, options).body[frame]?.position;
  const file = position && (await files.find(position.path, lookBudget()));
  if (position === undefined || file === undefined)
    throw new Error(vscode.l10n.t('This file is not in the workspace.'));
  const { line, column = 1 } = position;
  const place = new vscode.Position(line - 1, Math.max(0, column - 1));
  await vscode.window.showTextDocument(file, {
    viewColumn: vscode.ViewColumn.Beside,
    selection: new vscode.Range(place, place),
  });
}
