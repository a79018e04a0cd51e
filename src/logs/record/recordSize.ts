import type { LogRecord } from '../../api/types';

/** What a record takes beside its body and attributes: the object, its ids and its names. */
export const recordBytes = 512;

/**
 * An estimate of what a record takes in memory, in bytes: two a character, which is what text takes once
 * it has one character beyond Latin-1.
 */
export function recordSize({ body, attributes }: LogRecord): number {
  let characters = body.length;
  for (const key in attributes) characters += key.length + (attributes[key]?.length ?? 0);
  return recordBytes + 2 * characters;
}
