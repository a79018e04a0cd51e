import type { Deployment, Resource } from '../../src/api/types';
import { createDeployments } from '../control-plane/deployments';
import { createRandom } from '../control-plane/random';
import { createResources } from '../control-plane/resources';
import { createWorld } from '../control-plane/world';

const sources = 200;
const resourcesPerSource = 50;
const environments = ['production', 'staging', 'preview:cart', 'preview:search'];

/** Answers of a control plane with a large workspace, as text. */
export interface WorkspaceAnswers {
  /** By the id of their source. */
  readonly resources: ReadonlyMap<string, string>;
  /** By the id of their resource. */
  readonly deployments: ReadonlyMap<string, string>;
}

/**
 * 200 sources with 50 resources each, and five deployments for each resource: the generated ones of
 * the embedded control plane, repeated under other ids.
 */
export function workspaceAnswers(): WorkspaceAnswers {
  const now = Date.now();
  const random = createRandom(1);
  const world = createWorld(random.fork('world'), now);
  const samples = createResources(world, random.fork('resources'));
  const history = createDeployments(world, random.fork('deployments'), {
    now: () => now,
    stepSeconds: 4,
  });
  const localization = {
    dateFormat: 'year-month-day',
    timeFormat: '24-hour-seconds',
    timeZone: 'UTC',
    timestamps: {},
  };
  const resources = new Map<string, string>();
  const deployments = new Map<string, string>();
  for (let source = 0; source < sources; source++) {
    const sourceId = random.uuid();
    const ids = environments.map(() => random.uuid());
    const listed = Array.from({ length: resourcesPerSource }, (_, index): Resource => {
      const sample = samples[index % samples.length]!;
      const name = `${sample.name ?? ''}-${index}`;
      const turn = index % environments.length;
      const environment = { id: ids[turn]!, name: environments[turn]!, branch: 'main' };
      const id = random.uuid();
      const past = history.list(sample.id ?? '').map((one): Deployment => ({
        ...one,
        id: random.uuid(),
        appId: id,
        sourceId,
        commitSha: random.hex(40),
      }));
      deployments.set(id, JSON.stringify({ deployments: past, localization }));
      return { ...sample, id, name, sourceId, environment };
    });
    resources.set(sourceId, JSON.stringify({ resources: listed, localization }));
  }
  return { resources, deployments };
}
