import { Tail, type TailServices } from '../../../../src/logs/tail/tail';
import type { TailState } from '../../../../src/logs/tail/types';
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
  const tail = new Tail(services, { filter: {}, initialLines });
  tail.onDidChange((what) => {
    if (what === 'state') states.push(tail.state);
    else if (what === 'records') ids.push(...idsOf(tail.take()));
    onEvent();
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
