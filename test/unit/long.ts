/**
 * Whether the properties run in full, as `npm run test:all` does: by `TEST_LONG=1`. Without it each
 * runs a short seed, which still takes every branch.
 */
export const isLong = process.env['TEST_LONG'] === '1';

/** How much of something a test does: so much each time, or so much in full. */
export function shortOrLong<T>(short: T, long: T): T {
  return isLong ? long : short;
}
