import type { Clock } from '../../base/clock';
import { endedBySignOut } from './tails';
import type { TailState } from './types';

/** Notifies of the states that users must know of even if they do not look at the tail. */
export interface TailStateNotifier {
  /** The state of a tail has changed. @param key identifies the tail. */
  changed(key: string, state: TailState): void;
  /** Stops all notifications. */
  dispose(): void;
}

interface TailStateNotifierServices {
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Shows the notification for the state of a tail. */
  readonly notify: (key: string) => void;
}

/** Most streams resume sooner than this, in milliseconds. Only longer waits are notified. */
export const longWait = 3000;

interface Wait {
  /** Cancels the notification that is about to be shown. */
  readonly cancel: () => void;
  wasShown: boolean;
}

/**
 * Notifies once if a tail waits for long, when it continues after that, and when it fails. Changes that
 * users make themselves, such as a pause, are not notified.
 */
export function createTailStateNotifier({
  clock,
  notify,
}: TailStateNotifierServices): TailStateNotifier {
  const waits = new Map<string, Wait>();

  function begin(key: string): void {
    if (waits.has(key)) return;
    const wait: Wait = {
      wasShown: false,
      cancel: clock.setTimer(() => {
        wait.wasShown = true;
        notify(key);
      }, longWait),
    };
    waits.set(key, wait);
  }

  /** @returns whether the user was notified of the wait. */
  function end(key: string): boolean {
    const wait = waits.get(key);
    wait?.cancel();
    waits.delete(key);
    return wait?.wasShown ?? false;
  }

  return {
    changed(key, state) {
      switch (state.kind) {
        case 'reconnecting':
        case 'rateLimited':
          begin(key);
          break;
        case 'connecting':
          // An attempt to connect: the first one, or one of many during a wait.
          break;
        case 'live':
          if (end(key)) notify(key);
          break;
        case 'failed':
          end(key);
          // Who signs out is told once, not for each tail.
          if (!endedBySignOut(state)) notify(key);
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
