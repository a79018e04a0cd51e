/**
 * Whether the properties run in full, as in `npm run test:all`: set by `TEST_LONG=1`. Otherwise
 * each runs a short seed, which still covers every branch.
 */
export const isLong = process.env['TEST_LONG'] === '1';

/** The amount of work of a test: short by default, or long in a full run. */
export function shortOrLong<T>(short: T, long: T): T {
  return isLong ? long : short;
}
