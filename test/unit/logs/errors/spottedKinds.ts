import type { ErrorKind, ErrorSpot } from '../../../../src/logs/errors/errorKind';
import type { SpottedKind } from '../../../../src/logs/errors/marks';
import { errorAt } from './errorRecords';

export const file = 'file:///shop/src/cart.ts';
export const web = '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';

/** A spot on a line of the file, seen once at a number of seconds after the start. */
export function spotAt(line: number, changes: Partial<ErrorSpot> = {}, seconds = 0): ErrorSpot {
  const { timestamp: lastSeen } = errorAt(seconds, '');
  return { file, line, deploymentId: null, workloadId: web, count: 1, lastSeen, ...changes };
}

/** A kind of error with these spots; its first record is of the start, its last of a minute later. */
export function kindWith(
  template: string,
  spots: readonly ErrorSpot[],
  changes: Partial<ErrorKind> = {},
): ErrorKind {
  const [first, last] = [errorAt(0, template), errorAt(60, template)];
  const count = spots.reduce((sum, spot) => sum + spot.count, 0);
  return {
    key: template,
    messages: [template],
    ...{ template, severity: 'error', count, first, last, records: [last], spots },
    workloads: [{ id: web, name: 'web-api', count }],
    deployments: [],
    runs: [],
    change: undefined,
    ...changes,
  };
}

/** All spots of kinds. */
export function spotted(...kinds: readonly ErrorKind[]): SpottedKind[] {
  return kinds.flatMap((kind) => kind.spots.map((spot) => ({ kind, spot })));
}
