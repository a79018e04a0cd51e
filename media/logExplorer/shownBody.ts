/** The longest text of a body in the list, in characters; the details have all of it. */
const longestLine = 1000;
const longestBody = 4000;

/** What the list shows of a body: on one line, it says where its lines end. */
export function shownBody(body: string, wrap: boolean): string {
  const longest = wrap ? longestBody : longestLine;
  const cut = body.length > longest ? `${body.slice(0, longest)}…` : body;
  return wrap ? cut : cut.replaceAll(/\s*\n\s*/g, ' ↵ ');
}
