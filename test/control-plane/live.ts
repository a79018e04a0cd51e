import type { Admin } from './context';

const tickMs = 100;

/** Makes records up as time goes by, at a rate that can be changed. */
export interface Live {
  setRate(logsPerSecond: number): void;
  stop(): void;
}

export function createLive(emit: (count: number) => ReturnType<Admin['emit']>): Live {
  let timer: NodeJS.Timeout | undefined;
  let rate = 0;
  let owed = 0;

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    setRate(logsPerSecond) {
      rate = logsPerSecond;
      owed = 0;
      if (rate <= 0) stop();
      else {
        timer ??= setInterval(() => {
          owed += (rate * tickMs) / 1000;
          const count = Math.floor(owed);
          owed -= count;
          if (count > 0) emit(count);
        }, tickMs);
      }
    },
    stop,
  };
}
