import type { ErrorKind } from './errorKind';

/** What the badge of a file says. */
export interface FileBadge {
  /** How many kinds of errors happen in the file, and how many errors that are. */
  readonly kinds: number;
  readonly count: number;
  /** When the newest one was. ISO UTC. */
  readonly lastSeen: string;
}

/**
 * The badges of files, by their URI as text: those in which errors happen, as the first file of the workspace in a
 * stack. The callers of such a file have none, or a badge would say nothing.
 */
export function fileBadges(kinds: readonly ErrorKind[]): ReadonlyMap<string, FileBadge> {
  const badges = new Map<string, FileBadge>();
  for (const { spots, count, last } of kinds) {
    const [first] = spots;
    if (first === undefined) continue;
    const before = badges.get(first.file);
    const isLater = before === undefined || before.lastSeen < last.timestamp;
    badges.set(first.file, {
      kinds: (before?.kinds ?? 0) + 1,
      count: (before?.count ?? 0) + count,
      lastSeen: isLater ? last.timestamp : before.lastSeen,
    });
  }
  return badges;
}

/** The files whose badge differs. */
export function changedBadges(
  before: ReadonlyMap<string, FileBadge>,
  after: ReadonlyMap<string, FileBadge>,
): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((file) => {
    const [one, other] = [before.get(file), after.get(file)];
    return (
      one?.kinds !== other?.kinds ||
      one?.count !== other?.count ||
      one?.lastSeen !== other?.lastSeen
    );
  });
}
