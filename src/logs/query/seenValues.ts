import type { LogRecord } from '../../api/types';
import type { QueryKnowledge } from './completionContext';
import { queryFields } from './fields';
import { fieldReader } from './matches';

/** Values for completions, collected from records. Memory is bounded. */
interface SeenValues extends Omit<QueryKnowledge, 'names'> {
  learn(records: readonly LogRecord[]): void;
  /** Forgets everything, as when the connection or the key changes. */
  clear(): void;
}

const maxValues = 100;
const maxAttributes = 200;
/** Longer values are not worth offering. In UTF-16 units. */
const maxLength = 128;

/** Texts by the time they were last seen, the latest first. */
interface Latest {
  add(text: string): void;
  all(): string[];
  clear(): void;
}

function latest(limit: number): Latest {
  const texts = new Set<string>();
  return {
    add(text) {
      if (text === '' || text.length > maxLength) return;
      texts.delete(text);
      texts.add(text);
      const [oldest] = texts;
      if (texts.size > limit && oldest !== undefined) texts.delete(oldest);
    },
    all: () => [...texts].reverse(),
    clear: () => texts.clear(),
  };
}

export function createSeenValues(): SeenValues {
  const values = new Map(
    [...queryFields].map(([field, { condition = '' }]) => [
      field,
      { read: fieldReader(condition), known: latest(maxValues) },
    ]),
  );
  const attributes = new Map<string, Latest>();

  function learnAttributes(record: LogRecord): void {
    // A record can have thousands.
    for (const name of Object.keys(record.attributes).slice(0, maxAttributes)) {
      if (name === '' || name.length > maxLength) continue;
      const known = attributes.get(name) ?? latest(maxValues / 5);
      known.add(record.attributes[name] ?? '');
      attributes.delete(name);
      attributes.set(name, known);
      const [oldest] = attributes.keys();
      if (attributes.size > maxAttributes && oldest !== undefined) attributes.delete(oldest);
    }
  }

  return {
    learn(records) {
      for (const record of records) {
        for (const { read, known } of values.values()) known.add(read(record) ?? '');
        learnAttributes(record);
      }
    },
    clear() {
      for (const { known } of values.values()) known.clear();
      attributes.clear();
    },
    values: (field) => values.get(field)?.known.all() ?? [],
    attributes: () => [...attributes.keys()].reverse(),
    attributeValues: (name) => attributes.get(name)?.all() ?? [],
  };
}
