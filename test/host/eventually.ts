import { scaled } from './slowness';

/**
 * Waits until a value that has no event, such as one read from a page, is as expected.
 *
 * @param timeout milliseconds on a usual machine.
 * @throws after that with `what` and the last value.
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  isRight: (value: T) => boolean,
  what: string,
  timeout = 60_000,
): Promise<T> {
  const end = Date.now() + scaled(timeout);
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    if (Date.now() > end) throw new Error(`${what}: ${JSON.stringify(value, null, 1)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
