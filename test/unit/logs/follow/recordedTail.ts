import { createTail, type TailServices } from '../../../../src/logs/follow/tail';
import type { Tail, TailState } from '../../../../src/logs/follow/types';
import { idsOf } from './followed';

export interface RecordedTail {
  readonly tail: Tail;
  /** Ids of the records that came, in their order. */
  readonly ids: readonly string[];
  readonly states: readonly TailState[];
  /** Resolves once something holds of what the tail told. */
  readonly until: (holds: () => boolean) => Promise<void>;
}

/** A tail of everything, not started, of which all that it tells is kept. */
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
