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

export function isErrorSeverity(severity: Severity): boolean {
  return severity === 'error' || severity === 'fatal';
}

export function isWorse(a: Severity, b: Severity): boolean {
  return gravity.indexOf(a) < gravity.indexOf(b);
}
