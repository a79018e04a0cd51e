/** Longer ones stay as they are. In UTF-16 units. */
const maxLength = 262_144;
/** What lies deeper stays on its line: indentation would be all that there is to see. */
const maxDepth = 50;

/** So much of it is shown, in UTF-16 units: short values on lines of their own take many times their length. */
const longestResult = 400_000;

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs;

/**
 * A body that is a JSON object or array, with a line for each member; undefined where it is none. Only
 * space changes: numbers keep their digits, strings their escapes, and members that come twice stay. What
 * would be longer than anybody reads ends in `…`.
 */
export function prettyJson(body: string): string | undefined {
  if (body.length > maxLength || !/^\s*[[{]/.test(body) || !isJson(body)) return undefined;
  let result = '';
  let depth = 0;
  let before = '';
  const line = (): string => (depth <= maxDepth ? `\n${'  '.repeat(depth)}` : '');
  for (const [text] of body.matchAll(token)) {
    if (result.length > longestResult) return `${result}\n…`;
    const isEmpty = (before === '{' || before === '[') && (text === '}' || text === ']');
    if (text === '}' || text === ']') {
      // The line of the last member belongs to the depth that ends.
      const isDeep = depth > maxDepth;
      depth--;
      result += isEmpty || isDeep ? text : line() + text;
    } else {
      if (before === '{' || before === '[' || before === ',') result += line();
      result += text === ':' ? ': ' : text;
      if (text === '{' || text === '[') depth++;
    }
    before = text;
  }
  return result;
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    // Also where it is too deep to be read.
    return false;
  }
}
