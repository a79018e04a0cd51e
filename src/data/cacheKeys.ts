import { failedAs } from '../api/errors';
import type { Permission } from '../api/types';

/** A resource of the API. The store caches one answer for each. */
export type CacheKey =
  | { readonly kind: 'alerts'; readonly serverId: string }
  | { readonly kind: 'resources'; readonly sourceId: string }
  | { readonly kind: 'secrets'; readonly sourceId: string }
  | { readonly kind: 'deployments'; readonly resourceId: string }
  /** All loaded pages of one search. An empty search lists everything. */
  | { readonly kind: 'repositories'; readonly search: string }
  | { readonly kind: 'integrations' };

/** What distinguishes a key from others of its kind: an id, a search, or nothing. */
export function idOfKey(key: CacheKey): string {
  switch (key.kind) {
    case 'alerts':
      return key.serverId;
    case 'resources':
    case 'secrets':
      return key.sourceId;
    case 'deployments':
      return key.resourceId;
    case 'repositories':
      return key.search;
    case 'integrations':
      return '';
  }
}

/** A text that is equal only for equal keys. */
export function cacheKeyId(key: CacheKey): string {
  return `${key.kind} ${idOfKey(key)}`;
}

const permissions = {
  alerts: 'alert.read',
  resources: 'repository.read',
  secrets: 'secret.list',
  deployments: 'resource.read',
  repositories: 'repository.connect',
  integrations: 'integration.manage',
} as const satisfies Record<CacheKey['kind'], Permission>;

/** The permission that a request for the key needs. */
export function permissionOf(key: CacheKey): Permission {
  return permissions[key.kind];
}

/** Whether the key lists the whole workspace, so that a refusal concerns no single object. */
export function isListing({ kind }: CacheKey): boolean {
  return kind === 'repositories' || kind === 'integrations';
}

/** Whether the control plane refused a request with 403. */
export function isRefusal(error: unknown): boolean {
  return failedAs(error, 'missingPermission');
}
