import { createTail, type TailServices } from '../../../../src/logs/tail/tail';
import type { Tail, TailState } from '../../../../src/logs/tail/types';
import { idsOf } from './followed';

export interface RecordedTail {
  readonly tail: Tail;
  /** The ids of the received records, in order. */
  readonly ids: readonly string[];
  readonly states: readonly TailState[];
  /** Resolves when a condition on the recorded output is true. */
  readonly until: (holds: () => boolean) => Promise<void>;
}

/** A tail of all records, not started, that records all its output. */
export function recordTail(services: TailServices, initialLines = 100): RecordedTail {
  const ids: string[] = [];
  const states: TailState[] = [];
  let onEvent = (): void => undefined;
  const tail = createTail(services, {
    filter: {},
    initialLines,
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
