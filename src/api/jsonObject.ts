/** A JSON object that came from anywhere: each member is looked at before it is used. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether it is a JSON object: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object; none where it is anything else. */
export function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
