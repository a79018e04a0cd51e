import * as vscode from 'vscode';
import { compareDeployments } from '../../actions/environment';
import { listDeployments } from '../../api/generated/toolInputs';
import { deploymentOutline } from '../../inventory/tree/outlines';
import { tools } from '../../vscode/contributions';
import type { Validated } from '../answer';
import { listing } from '../listing';
import type { Tool, ToolServices } from './tool';

/** The deployments of an app or a job. */
export function listDeploymentsTool({
  data: { store },
}: ToolServices): Tool<Validated<typeof listDeployments>> {
  return {
    name: tools.listDeployments,
    accepts: listDeployments,
    permission: 'resource.read',
    doing: vscode.l10n.t('Looking at deployments'),
    run: ({ resourceId }, { signal }) =>
      listing(
        store,
        [
          {
            topic: { kind: 'deployments', resourceId },
            known: () => store.deployments(resourceId),
          },
        ],
        'deployment',
        ({ deployments = [] }) => [...deployments].sort(compareDeployments).map(deploymentOutline),
        signal,
      ),
  };
}
