/**
 * Does something once at a time for each key: whoever asks for it while it is under way gets what comes
 * of that, as somebody does who clicks twice.
 */
export function oneAtATime<T>(): (key: string, act: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, act) => {
    const before = running.get(key);
    if (before !== undefined) return before;
    const now = act().finally(() => running.delete(key));
    running.set(key, now);
    return now;
  };
}
