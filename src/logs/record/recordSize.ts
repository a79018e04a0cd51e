import type { LogRecord } from '../../api/types';

/** Of a text, in UTF-16 units; of an attribute; and how many attributes. */
const longestText = 4000;
const longestValue = 500;
const mostAttributes = 50;

/**
 * What of a record is shown at a glance, in the order of its members: as much as a person reads, however
 * much there is of it. What the contract does not know is there only where it is a text, a number or yes
 * or no.
 */
export function boundedRecord(record: LogRecord): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'attributes') return [[name, boundedAttributes(record.attributes)]];
      if (typeof value === 'string') return [[name, cut(value, longestText)]];
      return typeof value === 'object' && value !== null ? [] : [[name, value]];
    }),
  );
}

function boundedAttributes(attributes: LogRecord['attributes']): Record<string, string> {
  const names = Object.keys(attributes);
  const shown = names
    .slice(0, mostAttributes)
    .map((name) => [cut(name, longestValue), cut(attributes[name] ?? '', longestValue)] as const);
  const more = names.length - shown.length;
  return Object.fromEntries(more > 0 ? [...shown, ['…', `[+${more}]`]] : shown);
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}[+${text.length - most}]` : text;
}

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
