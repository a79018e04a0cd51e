import type { LogRecord } from '../../api/types';
import { cutCounted } from '../../base/untrustedText';

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
      if (typeof value === 'string') return [[name, cutCounted(value, longestText)]];
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
        [cutCounted(name, longestValue), cutCounted(attributes[name] ?? '', longestValue)] as const,
    );
  const more = names.length - shown.length;
  return Object.fromEntries(more > 0 ? [...shown, ['…', `[+${more}]`]] : shown);
}

/** The memory of an object without its text, in UTF-16 units. */
const objectUnits = 32;

/**
 * The estimated memory of a record or a marker in bytes: two for each character of every text in it and of every
 * name, since text beyond Latin-1 takes that. Twice as much as an ordinary record takes.
 */
export function recordSize(entry: object): number {
  return 2 * unitsOf(entry);
}

function unitsOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let units = objectUnits;
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    // Most are texts.
    units += name.length + (typeof member === 'string' ? member.length : unitsOf(member));
  }
  return units;
}
