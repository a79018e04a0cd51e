import type { Random } from './random';

const tickMs = 100;

/** Makes records up as time goes by, at a rate that can be changed, with a burst now and then. */
export interface Live {
  setRate(logsPerSecond: number): void;
  stop(): void;
}

export function createLive(random: Random, emit: (count: number) => void): Live {
  let timer: NodeJS.Timeout | undefined;
  let rate = 0;
  let owed = 0;
  let burstTicks = 0;

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function tick(): void {
    if (burstTicks > 0) burstTicks--;
    else if (random.chance(0.004)) burstTicks = 5 + random.int(15);
    // Quieter in between, so that the rate is right on the whole.
    owed += ((rate * tickMs) / 1000) * (burstTicks > 0 ? 6 : 0.8) * 2 * random.next();
    const count = Math.floor(owed);
    owed -= count;
    if (count > 0) emit(count);
  }

  return {
    setRate(logsPerSecond) {
      rate = logsPerSecond;
      owed = 0;
      if (rate <= 0) stop();
      else timer ??= setInterval(tick, tickMs);
    },
    stop,
  };
}
