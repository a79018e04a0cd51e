import type { LogRecord } from '../../api/types';
import { cut } from '../../base/untrustedText';

/** Limits of a text and of an attribute in UTF-16 units, and of the number of attributes. */
const longestText = 4000;
const longestValue = 500;
const mostAttributes = 50;

/**
 * A record with long texts cut and few attributes, for a hover. Unknown members are included if they are
 * texts, numbers or booleans.
 */
export function boundedRecord(record: LogRecord): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'attributes') return [[name, boundedAttributes(record.attributes)]];
      if (typeof value === 'string') return [[name, bounded(value, longestText)]];
      return typeof value === 'object' && value !== null ? [] : [[name, value]];
    }),
  );
}

function boundedAttributes(attributes: LogRecord['attributes']): Record<string, string> {
  const names = Object.keys(attributes);
  const shown = names
    .slice(0, mostAttributes)
    .map(
      (name) =>
        [bounded(name, longestValue), bounded(attributes[name] ?? '', longestValue)] as const,
    );
  const more = names.length - shown.length;
  return Object.fromEntries(more > 0 ? [...shown, ['…', `[+${more}]`]] : shown);
}

function bounded(text: string, most: number): string {
  return cut(text, most, `[+${text.length - most}]`);
}

/** The estimated memory of a record without its body and attributes, in bytes. */
export const recordBytes = 512;

/** The estimated memory of a record in bytes: two bytes per character, as for text beyond Latin-1. */
export function recordSize({ body, attributes }: LogRecord): number {
  let characters = body.length;
  for (const key in attributes) characters += key.length + (attributes[key]?.length ?? 0);
  return recordBytes + 2 * characters;
}
