import type { ControlPlaneClient } from '../../../../src/api/client';
import type { Clock } from '../../../../src/api/clock';
import { createTail } from '../../../../src/logs/tail/tail';
import type { Tail, TailState } from '../../../../src/logs/tail/types';
import { idsOf } from './followed';

export interface RecordedTail {
  readonly tail: Tail;
  /** Ids of the records that came, in their order. */
  readonly ids: readonly string[];
  readonly states: readonly TailState[];
  /** Resolves once something holds of what the tail told. */
  until(holds: () => boolean): Promise<void>;
}

interface TailServices {
  readonly client: ControlPlaneClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly readKey: () => Promise<string | undefined>;
}

/** A tail of everything, not started, of which all that it tells is kept. */
export function recordTail(services: TailServices): RecordedTail {
  const ids: string[] = [];
  const states: TailState[] = [];
  let onEvent = (): void => undefined;
  const tail = createTail(services, {
    filter: {},
    initialLines: 100,
    listener: {
      onDidChangeState(state) {
        states.push(state);
        onEvent();
      },
      onDidReceive() {
        ids.push(...idsOf(tail.take()));
        onEvent();
      },
    },
  });
  return {
    tail,
    ids,
    states,
    until: (holds) =>
      new Promise((resolve) => {
        onEvent = () => {
          if (holds()) resolve();
        };
        onEvent();
      }),
  };
}
