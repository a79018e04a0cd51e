/*
 * Objects of another extension, whose types nobody vouches for: a member is read as what it is found
 * to be, and what is missing is an error with its name.
 */

/** A member of whatever it is; undefined where there is none. */
export function memberOf(target: unknown, name: string): unknown {
  return typeof target === 'object' && target !== null
    ? (Reflect.get(target, name) as unknown)
    : undefined;
}

/** A member that is text and not empty. */
export function textOf(target: unknown, name: string): string | undefined {
  const value = memberOf(target, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A member that is a list; empty where it is none. */
export function listOf(target: unknown, name: string): readonly unknown[] {
  const value = memberOf(target, name);
  return Array.isArray(value) ? value : [];
}

/** @throws where there is no such method, and what it throws. */
export function call(target: unknown, name: string, ...args: readonly unknown[]): unknown {
  const method = memberOf(target, name);
  if (typeof method !== 'function') throw new TypeError(`There is no method ${name}.`);
  return Reflect.apply(method, target, args) as unknown;
}

/**
 * Listens to an event until what it returns is disposed of.
 *
 * @throws where there is no such event.
 */
export function listen(
  target: unknown,
  event: string,
  listener: (value: unknown) => void,
): { dispose(): void } {
  const subscription = call(target, event, listener);
  return { dispose: () => void call(subscription, 'dispose') };
}
