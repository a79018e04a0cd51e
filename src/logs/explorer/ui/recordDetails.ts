import * as vscode from 'vscode';
import { sourceNodes } from '../../../inventory/sources/sourceNodes';
import { type NodeTarget, pathTo } from '../../../inventory/tree/nodes';
import type { WorkspaceViews } from '../../../inventory/ui/treeRegistry';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';
import type { LogRecord } from '../../../api/types';
import { commands, views as viewIds } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { showFailure } from '../../../vscode/notifications';
import type { LookBudget } from '../../record/pathMapping';
import { lookBudget, type SourceFiles } from '../../record/ui/sourceFiles';
import { type BodyPiece, detailsOf, type DetailsOptions } from '../details';
import type { Details } from '../panel/messages';
import { capabilitiesOf } from '../rows';

const { t } = vscode.l10n;

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
    ...capabilitiesOf(record),
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

/**
 * Shows the deployment, or the app or job, of a record in its tree. What is not known yet is asked for
 * first.
 *
 * @throws with words for the person, where there is no such row.
 */
export async function revealRow(
  { store, context, targets: known }: WorkspaceData,
  views: WorkspaceViews,
  { workloadId, deploymentId }: LogRecord,
  what: 'deployment' | 'resource',
): Promise<void> {
  const find = (fits: (target: NodeTarget) => boolean): readonly string[] | undefined =>
    pathTo(sourceNodes(context), ({ kind, target }) => kind === what && fits(target));
  const isWanted = (target: NodeTarget): boolean =>
    what === 'resource' ? target.resourceId === workloadId : target.deploymentId === deploymentId;

  let path = find(isWanted);
  if (path === undefined) {
    const missing = known.sources().filter(({ id }) => store.resources(id).value === undefined);
    await Promise.all(missing.map(({ id }) => store.refresh({ kind: 'resources', sourceId: id })));
    if (what === 'deployment') await store.refresh({ kind: 'deployments', resourceId: workloadId });
    path = find(isWanted);
  }
  if (path === undefined) {
    throw new Error(
      what === 'deployment'
        ? t('This deployment is not in any source of the view Sources.')
        : t('This workload is not in any source of the view Sources.'),
    );
  }
  await views.view(viewIds.sources).reveal(path, { focus: true });
}
