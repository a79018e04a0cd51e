import type { Clock } from '../../api/clock';

/** Often enough to reconnect within two seconds of waking. */
const tick = 1000;
const sleepLimit = 15_000;
/** A tick that is this late found the event loop blocked: what came meanwhile is not read yet. */
const lateTick = 5000;

/** Why a connection is given up from our side. */
export type WatchVerdict = 'idle' | 'slept';

/**
 * Looks every second whether a connection can still be alive: `slept` where the wall clock ran ahead
 * of the monotonic one by more than 15 s, which is what the sleep of the machine looks like (and, to
 * no harm, a wall clock that was set), `idle` where nothing was heard for too long.
 *
 * @param silence says how long nothing was heard and how long that may be, in milliseconds.
 * @param onVerdict called at most once.
 * @returns what ends the watch.
 */
export function watchStream(
  clock: Clock,
  silence: () => { readonly lasts: number; readonly limit: number },
  onVerdict: (verdict: WatchVerdict) => void,
): () => void {
  let wall = clock.now();
  let monotonic = clock.monotonic();
  const look = (): void => {
    const passed = clock.monotonic() - monotonic;
    const ahead = clock.now() - wall - passed;
    wall = clock.now();
    monotonic = clock.monotonic();
    const { lasts, limit } = silence();
    if (ahead > sleepLimit) onVerdict('slept');
    else if (lasts >= limit && passed < lateTick) onVerdict('idle');
    else cancel = clock.setTimer(look, tick);
  };
  let cancel = clock.setTimer(look, tick);
  return () => cancel();
}
