import type { Connection } from './connections';

/**
 * A connection as what is kept names it: with the origin, so that nothing of one control plane goes
 * to another, whatever becomes of the setting.
 */
export function connectionId({ name, origin }: Connection): string {
  return `${origin} ${name}`;
}
