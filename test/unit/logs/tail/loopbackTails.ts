import { assert } from 'chai';
import type { ControlPlaneClient } from '../../../../src/api/client';
import type { Clock } from '../../../../src/base/clock';
import { Tail } from '../../../../src/logs/tail/tail';
import type { TailState } from '../../../../src/logs/tail/tailState';
import { startControlPlane, type ControlPlane } from '../../../control-plane/server';
import { clientOf } from '../logServer';
import { idsOf } from './followed';

export interface LoopbackTail {
  readonly tail: Tail;
  /** The ids of the received records, in order. */
  readonly ids: readonly string[];
  readonly states: readonly TailState[];
  /** Resolves when a condition on the recorded output is true. */
  readonly until: (holds: () => boolean) => Promise<void>;
}

interface LoopbackOptions {
  readonly clock: Clock;
  readonly random?: () => number;
  /** Default: one of the control plane, for which time hardly counts. */
  readonly client?: ControlPlaneClient;
  readonly timeoutSeconds?: number;
  readonly initialLines?: number;
  /** False: the test takes the records. */
  readonly reads?: boolean;
}

/**
 * A control plane on loopback for each test, which does nothing by itself and has no reports in the end, and
 * tails of all its records, which end with it.
 */
export function loopbackTails(heartbeatSeconds = 0) {
  let server: ControlPlane;
  const tails = new Set<Tail>();

  beforeEach(async () => {
    server = await startControlPlane({ live: false, historyRecords: 0, heartbeatSeconds });
  });
  afterEach(async () => {
    for (const tail of tails) tail.stop();
    tails.clear();
    await server.close();
    // The server waits in real time, which hardly counts for tails whose clock is fast.
    const reports = server.admin.reports().filter(({ kind }) => kind !== 'beforeRetryAfter');
    assert.deepEqual(
      reports.map(({ what }) => what),
      [],
    );
  });

  return {
    get server() {
      return server;
    },
    /** A tail that is not started. */
    follow({
      clock,
      random = () => 0.5,
      timeoutSeconds = 10_000,
      client = clientOf(server, clock, { random, timeoutSeconds }),
      initialLines = 100,
      reads = true,
    }: LoopbackOptions): LoopbackTail {
      const ids: string[] = [];
      const states: TailState[] = [];
      let onEvent = (): void => undefined;
      const readKey = (): Promise<string> => Promise.resolve('key');
      const tail = new Tail({ client, clock, random, readKey }, { filter: {}, initialLines });
      tails.add(tail);
      tail.onDidChange((what) => {
        if (what === 'state') states.push(tail.state);
        else if (what === 'records' && reads) ids.push(...idsOf(tail.read()));
        onEvent();
      });
      const until = (holds: () => boolean): Promise<void> =>
        new Promise((resolve) => {
          onEvent = () => {
            if (holds()) resolve();
          };
          onEvent();
        });
      return { tail, ids, states, until };
    },
  };
}
