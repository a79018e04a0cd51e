import type { Clock } from '../../api/clock';
import type { TailState } from './types';

/** What of a tail is worth saying to who does not look at it. */
export interface TailStateNotifier {
  /** Its state has changed. @param key tells the tail from the others. */
  changed(key: string, state: TailState): void;
  /** Says nothing more. */
  dispose(): void;
}

export interface TailStateNotifierServices {
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Says how this tail is now. */
  readonly tell: (key: string) => void;
}

/** Most streams are back before anybody would miss them: only longer waits are told, in milliseconds. */
export const longWait = 3000;

interface Wait {
  /** Takes back that it is about to be told. */
  readonly cancel: () => void;
  isTold: boolean;
}

/**
 * Tells that a tail waits, once, where that takes a while; that it goes on after that was told; and
 * that it has failed. What people do themselves, such as to pause it, they know.
 */
export function createTailStateNotifier({
  clock,
  tell,
}: TailStateNotifierServices): TailStateNotifier {
  const waits = new Map<string, Wait>();

  function begin(key: string): void {
    if (waits.has(key)) return;
    const wait: Wait = {
      isTold: false,
      cancel: clock.setTimer(() => {
        wait.isTold = true;
        tell(key);
      }, longWait),
    };
    waits.set(key, wait);
  }

  /** @returns whether it was told that it waits. */
  function end(key: string): boolean {
    const wait = waits.get(key);
    wait?.cancel();
    waits.delete(key);
    return wait?.isTold ?? false;
  }

  return {
    changed(key, { kind }) {
      switch (kind) {
        case 'reconnecting':
        case 'rateLimited':
          begin(key);
          break;
        case 'connecting':
          // A try: it may be the first, or one of many while it waits.
          break;
        case 'live':
          if (end(key)) tell(key);
          break;
        case 'failed':
          end(key);
          tell(key);
          break;
        case 'paused':
        case 'stopped':
          end(key);
      }
    },
    dispose() {
      for (const key of [...waits.keys()]) end(key);
    },
  };
}
