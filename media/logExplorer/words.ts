import type { PageWord } from '../../src/logs/explorer/ui/strings';

/** The words for an id; `{0}`, `{1}` in them give way to the values. */
export type Words = (id: PageWord, ...values: readonly (string | number)[]) => string;

/** @param record of the message `start`; what it does not have is shown by its id. */
export function createWords(record: Readonly<Record<string, string>>): Words {
  return (id, ...values) =>
    (record[id] ?? id).replaceAll(/\{(\d)\}/g, (hole, place: string) =>
      String(values[Number(place)] ?? hole),
    );
}
