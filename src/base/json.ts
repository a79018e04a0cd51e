/** An untrusted JSON object: check each member before you use it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object, not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, otherwise an empty object. */
export function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Whether something is true of each member; quicker than a list of values. */
export function everyMember(object: JsonObject, is: (member: unknown) => boolean): boolean {
  for (const name in object) {
    if (!is(object[name])) return false;
  }
  return true;
}

/** Deeper values have no meaning to anyone; written with an indent for each level, they would be huge. */
const deepest = 16;

/**
 * A value of any type, in which what is too deep is text: its JSON. The value itself if nothing is.
 */
export function shallow(value: unknown, levels = deepest): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return jsonOf(value);
  const before = Object.entries(value) as [string, unknown][];
  const members = before.map(([name, one]): [string, unknown] => [name, shallow(one, levels - 1)]);
  if (members.every(([, one], index) => one === before[index]?.[1])) return value;
  return Array.isArray(value) ? members.map(([, one]) => one) : Object.fromEntries(members);
}

/** The JSON of a value that came as JSON. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // The value is nested too deeply.
    return '…';
  }
}

/** Returns undefined for malformed JSON; no valid JSON is undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
