/** How many lines and marks the measured file has. */
export const lineCount = 10_000;
export const markCount = 200;

/** A file of code, of which some lines are equal. */
export function codeLines(): string[] {
  return Array.from({ length: lineCount }, (_, index) => {
    if (index % 5 === 0) return '}';
    if (index % 7 === 0) return '';
    return `  const value${index} = compute(input[${index}], 'a text as wide as code often is');`;
  });
}

/** The lines after this many changes all over the file: changed, removed and added lines. */
export function edited(lines: readonly string[], changes: number): string[] {
  const now = [...lines];
  for (let change = 0; change < changes; change++) {
    const at = Math.floor((change + 0.5) * (now.length / changes));
    if (change % 3 === 0) now.splice(at, 1);
    else if (change % 3 === 1) now.splice(at, 0, `  added(${change});`, '}', '');
    else now[at] = `${now[at] ?? ''} // changed`;
  }
  return now;
}

/** The lines, from 1, that errors point at. */
export function markedLines(): number[] {
  return Array.from({ length: markCount }, (_, index) => index * (lineCount / markCount) + 2);
}
