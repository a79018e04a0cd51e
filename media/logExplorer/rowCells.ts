import { element } from './dom';

/** The matches of the find bar in a text, as pairs of start and end. */
export type Matches = (text: string) => readonly (readonly [number, number])[];

/** A piece of a text, from and to, and the classes that it is shown with. */
export type CellSpan = readonly [start: number, end: number, style: string];

/**
 * Shows a text with its matches marked and its spans styled. Nodes that fit stay: new ones would cost
 * style and layout with each row that is scrolled into view.
 */
export function setMarkedText(
  place: Element | null | undefined,
  text: string,
  { matches }: { readonly matches: Matches },
  spans: readonly CellSpan[] = [],
): void {
  if (!place) return;
  const found = matches(text);
  const pieces =
    found.length + spans.length > 0
      ? piecesOf(text, found, spans)
      : [{ text, style: '', isFound: false }];
  for (const [index, piece] of pieces.entries()) {
    const there = place.childNodes[index] ?? null;
    const node = nodeOf(piece, there);
    if (node !== there) place.insertBefore(node, there);
  }
  while (place.childNodes.length > pieces.length) place.lastChild?.remove();
}

/** The node for a piece: `node` if it is of the same kind. */
function nodeOf({ text, style, isFound }: Piece, node: ChildNode | null): ChildNode {
  if (!isFound && style === '') {
    if (!(node instanceof Text)) return document.createTextNode(text);
    if (node.data !== text) node.data = text;
    return node;
  }
  const tag = isFound ? 'mark' : 'span';
  const inside = node?.firstChild;
  if (!(node instanceof HTMLElement && node.localName === tag && inside instanceof Text))
    return element(tag, { class: style, text });
  if (node.className !== style) node.className = style;
  if (inside.data !== text) inside.data = text;
  return node;
}

/** A piece of a text that looks the same all over. */
interface Piece {
  readonly text: string;
  readonly style: string;
  readonly isFound: boolean;
}

/**
 * Cuts a text wherever a match or a span begins or ends. Spans may overlap each other and the matches.
 *
 * @param found one after the other.
 */
export function piecesOf(
  text: string,
  found: readonly (readonly [number, number])[],
  spans: readonly CellSpan[],
): readonly Piece[] {
  const ends = [...found, ...spans].flatMap(([start, end]) => [start, end]);
  const cuts = [...new Set([0, text.length, ...ends])]
    .filter((cut) => cut <= text.length)
    .sort((a, b) => a - b);
  const coming = [...spans].sort(([a], [b]) => a - b);
  let covering: CellSpan[] = [];
  let next = 0;
  let match = 0;
  return cuts.slice(1).map((end, index) => {
    const start = cuts[index] ?? 0;
    for (let span = coming[next]; span && span[0] <= start; span = coming[++next]) {
      covering.push(span);
    }
    covering = covering.filter(([, to]) => to > start);
    while ((found[match]?.[1] ?? Infinity) <= start) match++;
    return {
      text: text.slice(start, end),
      style: covering.map(([, , style]) => style).join(' '),
      isFound: (found[match]?.[0] ?? Infinity) <= start,
    };
  });
}

/** The maximum length of a body in the list, in characters; the details show all of it. */
const longestLine = 1000;
const longestBody = 4000;

interface ShownBody {
  readonly text: string;
  /** Maps an offset in the body to the text. */
  readonly at: (offset: number) => number;
}

/** The text of a body in the list. On one line, a sign marks its line breaks. */
export function shownBody(body: string, wrap: boolean): ShownBody {
  const longest = wrap ? longestBody : longestLine;
  const cut = body.length > longest ? `${body.slice(0, longest)}…` : body;
  const clipped = (offset: number): number => Math.min(offset, cut.length);
  if (wrap || !cut.includes('\n')) return { text: cut, at: clipped };
  const breaks = [...cut.matchAll(/\s*\n\s*/g)];
  const sign = ' ↵ ';
  return {
    text: cut.replaceAll(/\s*\n\s*/g, sign),
    at: (offset) =>
      breaks
        .filter(({ index, 0: found }) => index + found.length <= offset)
        .reduce((place, { 0: found }) => place - found.length + sign.length, clipped(offset)),
  };
}

/** The units of relative times in milliseconds, and how many of each make the next one. */
const units = [
  ['second', 1000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, Infinity],
] as const;

/** Creates a function that says how long ago a time is, such as `5m ago`. Both are in milliseconds since 1970. */
export function createAgo(language: string): (at: number, now: number) => string {
  const format = new Intl.RelativeTimeFormat(language, { style: 'narrow' });
  return (at, now) => {
    const elapsed = now - at;
    for (const [unit, length, most] of units) {
      const count = Math.trunc(elapsed / length);
      // Zero would be in the future.
      if (Math.abs(count) < most) return format.format(-count || -0, unit);
    }
    return '';
  };
}

/** The clock of the control plane, which sets the times of records: the one here may be wrong. */
export function createServerClock(now: () => number): {
  readonly now: () => number;
  readonly set: (serverNow: number) => void;
} {
  let ahead = 0;
  return {
    now: () => now() + ahead,
    set: (serverNow) => void (ahead = serverNow - now()),
  };
}
