import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { views as viewIds } from '../../../vscode/contributions';
import type { WorkspaceViews } from '../../../inventory/ui/treeRegistry';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';
import type { NodeTarget } from '../../../inventory/tree/nodes';
import { pathTo } from '../../../inventory/tree/pathTo';
import { sourceNodes } from '../../../inventory/sources/sourceNodes';

const { t } = vscode.l10n;

/**
 * Shows the deployment, or the app or job, of a record in its tree. What is not known yet is asked for
 * first.
 *
 * @throws with words for the person, where there is no such row.
 */
export async function revealRow(
  { store, context, known }: WorkspaceData,
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
