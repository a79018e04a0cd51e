import { StoredValue } from '../../../../src/base/storedValue';
import { readSavedTails } from '../../../../src/logs/tail/savedTails';
import type { TailStorage } from '../../../../src/logs/tail/tails';

/** Tails that no later window restores. */
export const noStorage: TailStorage = {
  connection: () => undefined,
  saved: new StoredValue(
    { get: () => undefined, update: () => Promise.resolve() },
    'tails',
    readSavedTails,
  ),
};
