import type { Translate } from './translate';

/** The parts that are there, with a dot between them. */
export function dotted(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part).join(' · ');
}

/** Up to two names, and how many more there are. */
export function someNames(names: readonly string[], t: Translate): string | undefined {
  const different = [...new Set(names)];
  if (different.length === 0) return undefined;
  const first = different.slice(0, 2).join(', ');
  return different.length <= 2 ? first : t('{0} and {1} more', first, different.length - 2);
}
