import { createLabels } from './tree/labels';
import { shortId } from './targets';
import type { TreeContext } from './tree/nodes';
import { nameOfResource } from './sources/resourceNodes';
import type { ResourceKey } from './resourceKeys';

/** What a topic is of, as its row is called: `shop-web`. */
export function resourceKeyName(topic: ResourceKey, context: TreeContext): string {
  switch (topic.kind) {
    case 'alerts': {
      const { serverId: id } = topic;
      return createLabels(context).server(context.servers().find((one) => one.id === id) ?? { id });
    }
    case 'resources':
    case 'secrets': {
      const { sourceId: id } = topic;
      return createLabels(context).source(context.sources().find((one) => one.id === id) ?? { id });
    }
    case 'deployments':
      return resourceName(topic.resourceId, context);
    case 'repositories':
      return context.t('Repositories');
    case 'integrations':
      return context.t('Integrations');
  }
}

function resourceName(id: string, { sources, store }: TreeContext): string {
  for (const source of sources()) {
    const resource = store.resources(source.id).value?.resources?.find((one) => one.id === id);
    if (resource !== undefined) return nameOfResource(resource) ?? shortId(id);
  }
  return shortId(id);
}
