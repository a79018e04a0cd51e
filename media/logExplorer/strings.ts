import type { StringId } from '../../src/logs/explorer/ui/strings';

/** The words for an id; `{0}`, `{1}` in them give way to the values. */
export type Strings = (id: StringId, ...values: readonly (string | number)[]) => string;

/** @param record of the message `start`; what it does not have is shown by its id. */
export function createStrings(record: Readonly<Record<string, string>>): Strings {
  return (id, ...values) =>
    (record[id] ?? id).replaceAll(/\{(\d)\}/g, (hole, place: string) =>
      String(values[Number(place)] ?? hole),
    );
}
