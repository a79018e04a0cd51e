import type { ControlPlaneClient } from '../../../../src/api/client';
import type { InMemoryControlPlane } from '../../../control-plane/inMemory';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { clientOf, logServer } from '../logServer';

/** The time of the first record; the others follow every 10 ms, all before noon. */
export const startedAt = Date.parse('2026-11-20T11:40:00Z');
const untilNoon = 20 * 60_000;

export const filters = { from: '2026-11-20T11:00:00Z', to: '2027-11-20T12:00:00Z' };

export interface Searched {
  readonly clock: FakeClock;
  readonly server: InMemoryControlPlane;
  readonly client: ControlPlaneClient;
}

/** A control plane in this process with this many records, and its client. */
export function searched(records = 0): Searched {
  const clock = fakeClock(startedAt);
  const server = logServer({ clock });
  server.append(records);
  clock.jump(untilNoon);
  return { clock, server, client: clientOf(server, clock) };
}

/** Whether a request continues towards newer records. */
export function isNewer(request: object): boolean {
  return 'direction' in request && request.direction === 'newer';
}

/** The numbers of records, in their order. */
export function numbersOf(records: readonly { readonly eventId: string }[]): number[] {
  return records.map(({ eventId }) => Number(eventId.replace('event-', '')));
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
