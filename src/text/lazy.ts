/** Makes a value when it is first used. The first format of `Intl` takes tens of milliseconds to load. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
