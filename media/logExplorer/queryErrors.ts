import type { QueryModel } from '../../src/logs/explorer/panel/messages';

type QueryError = QueryModel['errors'][number];

/** A piece of a query as it stands in the bar. */
export interface Piece {
  readonly text: string;
  readonly isWrong: boolean;
}

/** Cuts a query where its errors begin and end; errors may overlap or lie at its end. */
export function piecesOf(text: string, errors: readonly QueryError[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of [...errors].sort((a, b) => a.start - b.start)) {
    const from = Math.min(Math.max(start, at), text.length);
    const to = Math.min(Math.max(end, from), text.length);
    if (from > at) pieces.push({ text: text.slice(at, from), isWrong: false });
    if (to > from) pieces.push({ text: text.slice(from, to), isWrong: true });
    at = Math.max(at, to);
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isWrong: false });
  return pieces;
}

/**
 * The errors to show while somebody types: what they are in the middle of cannot be right yet.
 *
 * @param caret where they type; undefined once they have stopped.
 */
export function errorsToShow(
  errors: readonly QueryError[],
  caret: number | undefined,
): readonly QueryError[] {
  return caret === undefined ? errors : errors.filter(({ end }) => end < caret);
}
