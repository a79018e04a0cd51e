import type { Resource } from '../../api/types';
import { dotted } from '../../base/textFormat';
import type { DataContext } from '../../data/dataContext';
import { deploymentTime, shortSha } from '../../data/deployments';
import { nameOfResource } from '../../data/labels';
import { previewOf } from '../../data/previews';
import { isUuid, shortId } from '../../data/targets';
import { detailLines } from '../details';
import { createKeys, makeNode, type TreeNode } from '../nodes';
import { workStatus } from '../status';

/** What the preview of the checked-out branch runs of these apps and jobs; empty without one. */
export function previewNodes(
  context: DataContext,
  parent: string,
  sourceId: string,
  resources: readonly Resource[],
): readonly TreeNode[] {
  const { t, timeFormat, store } = context;
  const checkedOut = context.checkedOut();
  if (checkedOut?.sourceId !== sourceId) return [];
  const keyOf = createKeys(parent, 'preview');
  const found = previewOf(resources, checkedOut.branches, ({ id }) =>
    id === undefined ? [] : (store.deployments(id).value?.deployments ?? []),
  );
  return found.map(({ resource, deployment, deploymentIds, site }) => {
    const name = nameOfResource(resource) ?? shortId(resource.id ?? '');
    const time = deploymentTime(deployment);
    const host = site === undefined ? undefined : new URL(site).host;
    const label = t('preview of {0}', name);
    const ids = deploymentIds.filter(isUuid).slice(0, 50);
    return makeNode({
      id: keyOf(resource.id),
      kind: 'preview',
      label,
      description: dotted([
        deployment.state,
        shortSha(deployment.commitSha),
        time === undefined ? undefined : timeFormat.relativeTo(time),
        host,
      ]),
      status: workStatus(deployment.state),
      target: {
        id: deployment.id,
        deploymentId: deployment.id,
        resourceId: resource.id,
        sourceId,
        site,
        follow: ids.length === 0 ? undefined : { filter: { deploymentIds: ids }, label },
      },
      record: deployment,
      details: () =>
        detailLines([
          [t('Branch'), checkedOut.branches[0]],
          [t('Site'), site],
          [t('Commit'), deployment.commitSha],
        ]),
    });
  });
}
