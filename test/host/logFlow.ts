/** A line of our own in the log channel: a gap, or the start of a tail. */
const ownLine = ' [control plane] ';

/**
 * Whether rows of the log channel show a record. Its first line may be above them, because records can have
 * many lines and lines can be wrapped.
 */
export function showRecord(rows: readonly string[]): boolean {
  return rows.some((row) => row.trim() !== '' && !row.includes(ownLine));
}
