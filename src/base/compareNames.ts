const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * The order of names in every list, for `sort`: as people count, so that `rule 2` is before `rule 10`, and
 * ignoring case and the language of the machine.
 */
export function compareNames(one: string, other: string): number {
  const order = collator.compare(one, other);
  if (order !== 0 || one === other) return order;
  return one < other ? -1 : 1;
}
