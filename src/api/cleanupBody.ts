/** The request body of a clean-up of these items. */
export function cleanupBody(items: readonly string[]): { items: { name: string }[] } {
  return { items: items.map((name) => ({ name })) };
}

/**
 * The request body as text. A retry must send exactly this text, because the idempotency key belongs
 * to it.
 */
export function cleanupText(items: readonly string[]): string {
  return JSON.stringify(cleanupBody(items));
}
