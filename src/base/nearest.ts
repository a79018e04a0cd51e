/** Longer texts are no words. In UTF-16 units; the time that a comparison takes grows with its square. */
const longestWord = 100;

/**
 * The candidate that a word was probably meant to be: the one with the fewest typing errors, if these are
 * few for its length. Ignores the case.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined;
  const typed = word.toLowerCase();
  const most = Math.min(2, Math.floor(typed.length / 3));
  let best: { readonly candidate: string; readonly errors: number } | undefined;
  for (const candidate of candidates) {
    // More letters too many or too few than errors are allowed.
    if (Math.abs(candidate.length - typed.length) > most) continue;
    const errors = typingErrors(typed, candidate.toLowerCase());
    if (errors <= most && errors < (best?.errors ?? Infinity)) best = { candidate, errors };
  }
  return best?.candidate;
}

/** How many letters are missing, too many, wrong, or in the wrong order. */
function typingErrors(word: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= word.length; row++) {
    const now = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = word[row - 1] === other[column - 1];
      const isSwapped = word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1];
      now[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before?.[column - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    [before, last] = [last, now];
  }
  return last?.[other.length] ?? 0;
}
