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

/** Whether a value is an object with texts only. Without a list of its members, which would take longer. */
export function hasOnlyTexts(value: unknown): value is Readonly<Record<string, string>> {
  if (!isObject(value)) return false;
  for (const name in value) {
    if (typeof value[name] !== 'string') return false;
  }
  return true;
}

/** Deeper values have no meaning to anyone; written with an indent for each level, they would be huge. */
const deepest = 16;

/**
 * A value of any type, in which what is too deep is text: its JSON. The value itself if nothing is.
 */
export function shallow(value: unknown, levels = deepest): unknown {
  if (isShallow(value, levels)) return value;
  if (levels === 0) return jsonOf(value);
  if (Array.isArray(value)) return value.map((one) => shallow(one, levels - 1));
  return Object.fromEntries(
    Object.entries(membersOf(value)).map(([name, one]) => [name, shallow(one, levels - 1)]),
  );
}

/** Without lists of members, since nearly every value is. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((one) => isShallow(one, levels - 1));
  const members = membersOf(value);
  for (const name in members) if (!isShallow(members[name], levels - 1)) return false;
  return true;
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

/** Deeper than anything in the contract. Deeper values count as changed. */
const maxDepth = 64;

/**
 * A value equal to `after` that reuses the objects of `before` that are equal, so that `===` tells whether
 * something changed. List items with an id are matched by id, whatever their position.
 */
export function keepEqual<T>(before: unknown, after: T): T;
export function keepEqual(before: unknown, after: unknown): unknown {
  return keep(before, after, 0);
}

function keep(before: unknown, after: unknown, depth: number): unknown {
  if (Object.is(before, after) || depth > maxDepth) return after;
  if (Array.isArray(before) && Array.isArray(after)) return keepItems(before, after, depth);
  if (isObject(before) && isObject(after)) return keepMembers(before, after, depth);
  return after;
}

function keepItems(
  before: readonly unknown[],
  after: readonly unknown[],
  depth: number,
): readonly unknown[] {
  let byId: Map<string, unknown> | undefined;
  const kept = after.map((item, index) => {
    const id = idOf(item);
    const there = before[index];
    if (id === undefined || idOf(there) === id) return keep(there, item, depth + 1);
    byId ??= new Map(
      before.flatMap((one): [string, unknown][] => {
        const key = idOf(one);
        return key === undefined ? [] : [[key, one]];
      }),
    );
    return keep(byId.get(id), item, depth + 1);
  });
  const isSame = kept.length === before.length && kept.every((item, at) => item === before[at]);
  return isSame ? before : kept;
}

function keepMembers(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  depth: number,
): object {
  const names = Object.keys(after);
  let isSame = names.length === Object.keys(before).length;
  const kept = names.map((name): [string, unknown] => {
    const there = Object.hasOwn(before, name) ? before[name] : undefined;
    const value = keep(there, after[name], depth + 1);
    if (value !== there) isSame = false;
    return [name, value];
  });
  // From entries, because assigning to a member `__proto__` would set the prototype.
  return isSame ? before : Object.fromEntries(kept);
}

function idOf(item: unknown): string | undefined {
  return isObject(item) && typeof item['id'] === 'string' ? item['id'] : undefined;
}
