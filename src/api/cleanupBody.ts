/** The body of a clean-up of these items. */
export function cleanupBody(items: readonly string[]): { items: { name: string }[] } {
  return { items: items.map((name) => ({ name })) };
}

/**
 * The body to the byte. Whoever may send a clean-up again later keeps it, since an idempotency key
 * stands for this text and no other.
 */
export function cleanupText(items: readonly string[]): string {
  return JSON.stringify(cleanupBody(items));
}
