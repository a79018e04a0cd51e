import * as v from 'valibot';

/** The storage of a window or of all windows, which has a new value at once and writes it to disk later. */
export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** A storage that can say what it has. */
export interface ListedStorage extends Storage {
  keys(): readonly string[];
}

/** A value that stays after a reload: the only way to use a storage. */
export class StoredValue<T> {
  /** @param read reads what is stored, with `readStored`; undefined if it is not valid. */
  constructor(
    private readonly storage: Storage,
    private readonly key: string,
    private readonly read: (stored: unknown) => T | undefined,
  ) {}

  /** Undefined if nothing valid is stored. */
  get value(): T | undefined {
    return this.read(this.storage.get(this.key));
  }

  /** Resolves when it is on disk. Undefined removes the value. */
  set(value: T | undefined): PromiseLike<void> {
    return this.storage.update(this.key, value);
  }
}

/**
 * Reads what was stored, which may be anything: an earlier version may have written it, or a person.
 * Returns undefined if it is not valid.
 */
export function readStored<const S extends v.GenericSchema>(
  schema: S,
  stored: unknown,
): v.InferOutput<S> | undefined {
  // At most starts nothing is stored, and a schema takes long to find that out.
  if (stored === undefined) return undefined;
  const result = v.safeParse(schema, stored);
  return result.success ? result.output : undefined;
}

/** The valid items among the first `most` of a list; none of what is not a list. */
export function listOf<const S extends v.GenericSchema>(item: S, most = Infinity) {
  return v.pipe(
    v.fallback(v.array(v.unknown()), []),
    v.transform((items): readonly v.InferOutput<S>[] =>
      items.slice(0, most).flatMap((one) => {
        const result = v.safeParse(item, one);
        return result.success ? [result.output] : [];
      }),
    ),
  );
}

/** A member that counts as missing if it is not valid. */
export function maybe<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}
