/** How much may still be looked at, whatever asks for it. */
export interface LookBudget {
  left: number;
}

/**
 * The first of some candidates that is there; undefined where none is, `'unknown'` where the budget did not
 * suffice to know.
 */
export async function firstFile<Place>(
  candidates: Iterable<Place>,
  isFile: (place: Place) => Promise<boolean>,
  budget: LookBudget,
): Promise<Place | 'unknown' | undefined> {
  for (const place of candidates) {
    if (budget.left <= 0) return 'unknown';
    budget.left--;
    if (await isFile(place)) return place;
  }
  return undefined;
}
