import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { type NodeTarget, pathTo } from '../../../trees/nodes';
import { sourceNodes } from '../../../trees/sources/sourceNodes';
import type { Views } from '../../../trees/ui/views';
import { views as viewIds } from '../../../vscode/contributions';
import { UserError } from '../../../vscode/errorMessages';
import { harmlessLines } from '../../record/logLine';
import { recordFacts, type RecordOrigins } from '../../record/recordFacts';
import type { FilePlace } from '../../record/sourceMap';
import { lookBudget, type SourceFiles } from '../../record/ui/sourceFiles';
import { readableDetails, type DetailsOptions } from '../details';
import type { Details } from '../protocol/messages';
import { capabilitiesOf } from '../recordRows';

const { t } = vscode.l10n;

/** The details of a record, with links to files of the workspace. */
export async function recordDetails(
  record: LogRecord,
  options: DetailsOptions,
  files: SourceFiles,
  origins: RecordOrigins,
): Promise<Details> {
  const { body, ...details } = readableDetails(record, options);
  const budget = lookBudget();
  return {
    ...details,
    facts: recordFacts(record, origins).map(([label, value]) => [label, harmlessLines(value)]),
    body: await Promise.all(
      body.map(async ({ text, position }, frame) => {
        const file = position && (await files.find(position, budget, record.workloadId));
        return file === undefined ? { text } : { text, frame };
      }),
    ),
    ...capabilitiesOf(record),
  };
}

/** Opens the source file of a frame in the body of a record, beside the page. */
export async function openFrame(
  record: LogRecord,
  options: DetailsOptions,
  files: SourceFiles,
  frame: number,
): Promise<void> {
  const { body } = readableDetails(record, options);
  const position = body[frame]?.position;
  const place = position && (await files.find(position, lookBudget(), record.workloadId));
  if (place === undefined) throw new UserError(t('This file is not in the workspace.'));
  await openBeside(place.file, place);
}

/** Opens a line of a file beside the page. */
export async function openBeside(file: vscode.Uri, { line, column = 1 }: FilePlace): Promise<void> {
  const start = new vscode.Position(line - 1, Math.max(0, column - 1));
  await vscode.window.showTextDocument(file, {
    viewColumn: vscode.ViewColumn.Beside,
    selection: new vscode.Range(start, start),
  });
}

/**
 * Shows the deployment, or the app or job, of a record in the Sources view. Loads unknown resources first.
 *
 * @throws Error with a message for the user if there is no such row.
 */
export async function revealRow(
  { store, context, targets: known }: ConnectionData,
  views: Views,
  { workloadId, deploymentId }: LogRecord,
  what: 'deployment' | 'resource',
): Promise<void> {
  const find = (fits: (target: NodeTarget) => boolean): readonly string[] | undefined =>
    pathTo(sourceNodes(context), ({ kind, target }) => kind === what && fits(target));
  const isWanted = (target: NodeTarget): boolean =>
    what === 'resource' ? target.resourceId === workloadId : target.deploymentId === deploymentId;

  let path = find(isWanted);
  if (path === undefined) {
    const missing = known
      .sources()
      .filter(({ id }) => store.read('resources', id).value === undefined);
    await store.refreshAll(missing.map(({ id }) => ({ kind: 'resources', id })));
    if (what === 'deployment') {
      await store.refresh({ kind: 'deployments', id: workloadId }, 'person');
    }
    path = find(isWanted);
  }
  if (path === undefined) {
    throw new UserError(
      what === 'deployment'
        ? t('This deployment is not in the Sources view.')
        : t('This workload is not in the Sources view.'),
    );
  }
  await views.view(viewIds.sources).reveal(path, { focus: true });
}
