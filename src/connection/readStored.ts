import * as v from 'valibot';

/**
 * Reads what was stored, which may be anything: an earlier version may have written it, or a person.
 * Returns undefined if it is not valid.
 */
export function readStored<const S extends v.GenericSchema>(
  schema: S,
  stored: unknown,
): v.InferOutput<S> | undefined {
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
