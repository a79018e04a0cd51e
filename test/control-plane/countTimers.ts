import type { Clock } from '../../src/base/clock';

/** A clock that counts its pending timers. */
export function countTimers(clock: Clock): Clock & { readonly liveTimers: number } {
  const live = new Set<object>();
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    get liveTimers() {
      return live.size;
    },
    setTimer(callback, ms) {
      const timer = {};
      live.add(timer);
      const cancel = clock.setTimer(() => {
        live.delete(timer);
        callback();
      }, ms);
      return () => {
        live.delete(timer);
        cancel();
      };
    },
  };
}
