import type { Severity } from '../../api/types';

/** The most severe first; an unknown severity may be anything. */
export const gravity: readonly Severity[] = [
  'fatal',
  'error',
  'warn',
  'unknown',
  'info',
  'debug',
  'trace',
];

export function isWorse(one: Severity, other: Severity): boolean {
  return gravity.indexOf(one) < gravity.indexOf(other);
}
