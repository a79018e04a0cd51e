/** Milliseconds between two drawings: what a burst of answers changes is drawn together. */
const shortestPause = 100;

/** When something is drawn that changes often. */
export interface DrawPace {
  /**
   * Draws at once after a quiet time, else together with what else changes soon.
   *
   * @param least milliseconds to wait whatever was before.
   */
  soon(least?: number): void;
  dispose(): void;
}

export function createDrawPace(draw: () => void): DrawPace {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = 0;

  return {
    soon(least = 0) {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          const start = performance.now();
          draw();
          // What takes long to draw is drawn less often.
          pause = Math.max(shortestPause, 3 * (performance.now() - start));
        },
        Math.max(least, pause),
      );
    },
    dispose: () => clearTimeout(timer),
  };
}
