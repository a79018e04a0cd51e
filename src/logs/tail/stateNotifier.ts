import type { Clock } from '../../base/clock';
import { type Disposable, Emitter, type Event } from '../../base/event';
import { endedBySignOut } from './tails';
import type { TailState } from './tailState';

/** Most streams resume sooner than this, in milliseconds. Only longer waits are notified. */
export const longWait = 3000;

interface Wait {
  /** Cancels the notification that is about to be shown. */
  readonly cancel: () => void;
  wasShown: boolean;
}

/**
 * Says once if a tail waits for long, when it continues after that, and when it fails: states that users must
 * know of even if they do not look at the tail. Changes that they make themselves, such as a pause, are not said.
 */
export class TailStateNotifier implements Disposable {
  private readonly waits = new Map<string, Wait>();
  private readonly notices = new Emitter<string>();
  /** Fires with the key of a tail whose state is to be shown. */
  readonly onDidNotice: Event<string> = this.notices.event;

  constructor(private readonly clock: Pick<Clock, 'setTimer'>) {}

  /** The state of a tail has changed. @param key identifies the tail. */
  changed(key: string, state: TailState): void {
    switch (state.kind) {
      case 'reconnecting':
      case 'rateLimited':
        this.begin(key);
        break;
      case 'connecting':
        // An attempt to connect: the first one, or one of many during a wait.
        break;
      case 'live':
        if (this.end(key)) this.notices.fire(key);
        break;
      case 'failed':
        this.end(key);
        // Who signs out is told once, not for each tail.
        if (!endedBySignOut(state)) this.notices.fire(key);
        break;
      case 'paused':
      case 'stopped':
        this.end(key);
    }
  }

  dispose(): void {
    for (const key of [...this.waits.keys()]) this.end(key);
    this.notices.dispose();
  }

  private begin(key: string): void {
    if (this.waits.has(key)) return;
    const wait: Wait = {
      wasShown: false,
      cancel: this.clock.setTimer(() => {
        wait.wasShown = true;
        this.notices.fire(key);
      }, longWait),
    };
    this.waits.set(key, wait);
  }

  /** @returns whether the user was told of the wait. */
  private end(key: string): boolean {
    const wait = this.waits.get(key);
    wait?.cancel();
    this.waits.delete(key);
    return wait?.wasShown ?? false;
  }
}
