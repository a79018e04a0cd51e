/** A copy of a text for a cache: a part of a long text would keep all of it in memory. */
export function copyText(part: string): string {
  return part.split('').join('');
}
