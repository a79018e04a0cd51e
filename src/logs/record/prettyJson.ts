/** Longer bodies are not formatted. In UTF-16 units. */
const longestFormatted = 262_144;
/** Deeper levels stay on one line: there would be nothing to see but indentation. */
const deepestFormatted = 50;

/** The limit of the result in UTF-16 units: short values on their own lines multiply the length. */
const longestResult = 400_000;

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs;

/**
 * Formats a body that is a JSON object or array with one line for each member. Only white space changes:
 * numbers keep their digits, strings their escapes, and duplicate members stay. A result that is too long
 * ends in `…`.
 *
 * @returns undefined for other bodies.
 */
export function prettyJson(body: string): string | undefined {
  if (body.length > longestFormatted || !/^\s*[[{]/.test(body) || !isJson(body)) return undefined;
  let result = '';
  let depth = 0;
  let before = '';
  const line = (): string => (depth <= deepestFormatted ? `\n${'  '.repeat(depth)}` : '');
  for (const [text] of body.matchAll(token)) {
    if (result.length > longestResult) return `${result}\n…`;
    const isEmpty = (before === '{' || before === '[') && (text === '}' || text === ']');
    if (text === '}' || text === ']') {
      // The closing bracket belongs to the outer level.
      const isDeep = depth > deepestFormatted;
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
    // Invalid, or nested too deeply.
    return false;
  }
}
