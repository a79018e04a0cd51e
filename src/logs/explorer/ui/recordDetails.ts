import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { detailsOf, type BodyPiece, type DetailsOptions } from '../details';
import { offersOf } from '../recordCapabilities';
import type { LookBudget } from '../../record/firstFile';
import { lookBudget, type SourceFiles } from '../../record/ui/sourceFiles';
import type { Details } from '../panel/messages';

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
