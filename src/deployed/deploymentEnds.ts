import type { Deployment } from '../api/types';
import { hasEnded } from '../data/states';
import { nameOfResource } from '../data/labels';
import type { BranchEnvironment } from './branch';

/** A deployment that has ended. Texts are untrusted. */
export interface DeploymentEnd {
  readonly deployment: Deployment & { readonly id: string };
  readonly app: string;
  readonly environment: string;
}

/** Finds the deployments that ended between two looks. */
export class DeploymentEnds {
  /** By resource, the deployments that had ended at the last look. */
  private readonly ended = new Map<string, ReadonlySet<string>>();

  /**
   * @param deploymentsOf returns undefined while they are unknown: what is there at the first look is no news.
   */
  look(
    environments: readonly BranchEnvironment[],
    deploymentsOf: (resourceId: string) => readonly Deployment[] | undefined,
  ): readonly DeploymentEnd[] {
    return environments.flatMap(({ name = '', resources }) =>
      resources.flatMap((resource) => {
        const { id = '' } = resource;
        const found = deploymentsOf(id);
        if (found === undefined) return [];
        const before = this.ended.get(id);
        const ended = found.filter((one): one is Deployment & { readonly id: string } => {
          return one.id !== undefined && hasEnded(one);
        });
        this.ended.set(id, new Set(ended.map((one) => one.id)));
        return ended
          .filter((one) => before !== undefined && !before.has(one.id))
          .map((deployment) => ({
            ...{ deployment, app: nameOfResource(resource) ?? '', environment: name },
          }));
      }),
    );
  }
}
