import type { NameKind } from '../query/fields';
import type { ResolveName } from '../query/parser';
import type { NameOf } from '../query/print';

/** Names without what they stand for: each leads to an id of its own, and that back to the name. */
export interface SymbolicNames {
  readonly resolve: ResolveName;
  readonly nameOf: NameOf;
}

/**
 * Makes ids for names, so that a query can be changed without a name being lost, be it that several
 * share it or that nobody has it now.
 *
 * @param nameOf the names of ids that are real.
 * @param resolve what is taken as it is where it leads anywhere.
 */
export function createSymbolicNames(nameOf?: NameOf, resolve?: ResolveName): SymbolicNames {
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  const symbolOf = (kind: NameKind, name: string): string => {
    const key = `${kind} ${name}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = `ffffffff-ffff-4fff-bfff-${ids.size.toString(16).padStart(12, '0')}`;
    ids.set(key, id);
    names.set(id, name);
    return id;
  };
  return {
    resolve(kind, name) {
      const real = resolve?.(kind, name) ?? [];
      return real.length > 0 ? real : [symbolOf(kind, name)];
    },
    nameOf: (kind, id) => names.get(id) ?? nameOf?.(kind, id),
  };
}
