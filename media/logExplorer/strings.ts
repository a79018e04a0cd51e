import type { StringId } from '../../src/logs/explorer/ui/strings';

/** The text for an id, with the values in place of `{0}`, `{1}`. */
export type Strings = (id: StringId, ...values: readonly (string | number)[]) => string;

/** @param record of the message `start`; a missing text is shown as its id. */
export function createStrings(record: Readonly<Record<string, string>>): Strings {
  return (id, ...values) =>
    (record[id] ?? id).replaceAll(/\{(\d)\}/g, (hole, place: string) =>
      String(values[Number(place)] ?? hole),
    );
}
