import type { Clock } from '../../api/clock';
import type { TailState } from './types';

/** Notifies of the states that users must know of even if they do not look at the tail. */
export interface TailStateNotifier {
  /** The state of a tail has changed. @param key identifies the tail. */
  changed(key: string, state: TailState): void;
  /** Stops all notifications. */
  dispose(): void;
}

export interface TailStateNotifierServices {
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Shows the notification for the state of a tail. */
  readonly tell: (key: string) => void;
}

/** Most streams resume sooner than this, in milliseconds. Only longer waits are notified. */
export const longWait = 3000;

interface Wait {
  /** Cancels the notification that is about to be shown. */
  readonly cancel: () => void;
  isTold: boolean;
}

/**
 * Notifies once if a tail waits for long, when it continues after that, and when it fails. Changes that
 * users make themselves, such as a pause, are not notified.
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

  /** @returns whether the user was notified of the wait. */
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
          // An attempt to connect: the first one, or one of many during a wait.
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
