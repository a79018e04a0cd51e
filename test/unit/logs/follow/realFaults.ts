import { assert } from 'chai';
import { startControlPlane, type Fault } from '../../../control-plane/server';
import { fastClock } from '../../api/realClock';
import { clientOf } from '../logServer';
import { recordTail } from './recordedTail';

/**
 * Lets tails on real connections meet all these faults of streams, in this order, while records come;
 * asserts that each shows every record, once and in order. Answers how often they connected.
 *
 * @param speed how many times faster than real the clock of the tails is.
 */
export async function surviveOnLoopback(
  faults: readonly Fault[],
  { tails, speed, random }: { tails: number; speed: number; random: () => number },
): Promise<number> {
  const server = await startControlPlane({ live: false, historyRecords: 0, heartbeatSeconds: 0 });
  const clock = fastClock(speed);
  // Headers take real time, which passes fast here.
  const client = clientOf(server, clock, { random, timeoutSeconds: 5 * speed });
  const readKey = (): Promise<string> => Promise.resolve('key');
  const followed = Array.from({ length: tails }, () =>
    recordTail({ client, clock, random, readKey }, 1000),
  );
  for (const fault of faults) server.admin.fault({ ...fault, endpoint: 'post_logs_tail' });
  const emitting = setInterval(() => server.admin.emit(1 + Math.floor(random() * 4)), 4);
  try {
    for (const { tail } of followed) tail.start();
    await Promise.race(
      followed.map(({ until }) => until(() => server.admin.pendingFaults() === 0)),
    );
    clearInterval(emitting);
    server.admin.emit(1);
    const { eventIds } = server.admin.emitted();
    await Promise.all(
      followed.map(({ ids, until }) => until(() => ids.at(-1) === eventIds.at(-1))),
    );
    for (const { tail, ids } of followed) {
      assert.deepEqual(ids, eventIds);
      assert.equal(tail.counters.leftOut, 0);
    }
    assert.isAtMost(server.admin.streams(), tails + 100);
    // The server waits in real time, which is none to these tails.
    const reports = server.admin.reports().filter(({ kind }) => kind !== 'beforeRetryAfter');
    assert.deepEqual(
      reports.map(({ what }) => what),
      [],
    );
    return followed.reduce((sum, { tail }) => sum + tail.counters.connects, 0);
  } finally {
    clearInterval(emitting);
    for (const { tail } of followed) tail.stop();
    await server.close();
  }
}

/** The same things in an order that the random source says. */
export function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const keyed = all.map((one) => ({ one, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
}
