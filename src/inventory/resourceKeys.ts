import { ApiError } from '../api/errors';
import type { Permission } from '../api/types';

/** One thing that the API can be asked for: what the store keeps an answer of. */
export type ResourceKey =
  | { readonly kind: 'alerts'; readonly serverId: string }
  | { readonly kind: 'resources'; readonly sourceId: string }
  | { readonly kind: 'secrets'; readonly sourceId: string }
  | { readonly kind: 'deployments'; readonly resourceId: string }
  /** All pages that were loaded of one search; the empty text lists everything. */
  | { readonly kind: 'repositories'; readonly search: string }
  | { readonly kind: 'integrations' };

/** A text that is the same for the same topic only. */
export function resourceKeyOf(topic: ResourceKey): string {
  switch (topic.kind) {
    case 'alerts':
      return `alerts ${topic.serverId}`;
    case 'resources':
    case 'secrets':
      return `${topic.kind} ${topic.sourceId}`;
    case 'deployments':
      return `deployments ${topic.resourceId}`;
    case 'repositories':
      return `repositories ${topic.search}`;
    case 'integrations':
      return 'integrations';
  }
}

const permissions = {
  alerts: 'alert.read',
  resources: 'repository.read',
  secrets: 'secret.list',
  deployments: 'resource.read',
  repositories: 'repository.connect',
  integrations: 'integration.manage',
} as const satisfies Record<ResourceKey['kind'], Permission>;

/** What the key must be allowed to do so that the topic can be looked at. */
export function permissionOf(topic: ResourceKey): Permission {
  return permissions[topic.kind];
}

/** Whether this is why a topic could not be had. */
export function isMissingPermission(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}
