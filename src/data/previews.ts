import type { Deployment, Resource } from '../api/types';
import { httpsUrl } from '../connection/connections';
import { isPreviewOf, newestFirst } from './deployments';
import { mayHaveRun, meaningOf } from './states';

/** What a preview runs of an app or job. Texts are untrusted. */
export interface PreviewedResource {
  readonly resource: Resource;
  /** The newest deployment of the preview. */
  readonly deployment: Deployment;
  /** Of all that are known: logs name them. */
  readonly deploymentIds: readonly string[];
  /** The URL of its site, https only; undefined before it has one. */
  readonly site: string | undefined;
}

/**
 * The preview of a branch: what it runs of these apps and jobs. What was removed or cancelled last is left out.
 *
 * @param deploymentsOf returns the known ones in any order.
 */
export function previewOf(
  resources: readonly Resource[],
  branches: readonly string[],
  deploymentsOf: (resource: Resource) => readonly Deployment[],
): readonly PreviewedResource[] {
  return resources.flatMap((resource) => {
    const own = newestFirst(deploymentsOf(resource)).filter((one) =>
      branches.some((branch) => isPreviewOf(one, branch)),
    );
    const [deployment] = own;
    if (deployment === undefined || meaningOf(deployment.state) === 'cancelled') return [];
    const deploymentIds = own.flatMap(({ id }) => id ?? []);
    return [{ resource, deployment, deploymentIds, site: siteOf(own.find(mayHaveRun)) }];
  });
}

function siteOf({ hostname }: Pick<Deployment, 'hostname'> = {}): string | undefined {
  const address = hostname?.includes('://') ? hostname : `https://${hostname ?? ''}`;
  return httpsUrl(address);
}
