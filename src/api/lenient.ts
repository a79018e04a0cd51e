import { type Lenient, type Shape, shapes } from './generated/shapes';
import type { Read } from './types';
import { isTimeSet } from './utcTime';

/** What a lenient reading found. */
export interface LenientReading<T> {
  readonly value: T;
  /** Where something of another type than expected was left out, such as `rules[2].enabled`. */
  readonly leftOut: readonly string[];
}

/** More paths than this tell a reader of the diagnostics nothing new. */
const maxLeftOut = 20;

/**
 * Reads an answer of which nothing is certain: members that are null or of another type than the
 * contract's are left out, and so are such items of lists, and times that are not set; what the
 * contract does not know stays.
 * Never throws.
 */
export function readLenient<Name extends keyof Lenient>(
  name: Name,
  json: object,
): LenientReading<Read<Lenient[Name]>> {
  const place: Place = { path: [], leftOut: [] };
  const value = read(json, `#${name}`, place) ?? {};
  // The shapes are generated from the schemas that the types are generated from.
  return { value: value as Read<Lenient[Name]>, leftOut: place.leftOut };
}

/** Where the reading is: names and positions, which become a text only where one is needed. */
interface Place {
  readonly path: (string | number)[];
  readonly leftOut: string[];
}

/** Follows the shape, which is finite, and not the value, which may be of any depth. */
function read(value: unknown, shape: Shape, place: Place): unknown {
  if (value === null || value === undefined) return undefined;
  if (shape === 't' && typeof value === 'string' && !isTimeSet(value)) return undefined;
  const result = readSome(value, shape, place);
  if (result === undefined && place.leftOut.length < maxLeftOut) {
    place.leftOut.push(textOf(place.path));
  }
  return result;
}

function textOf(path: readonly (string | number)[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return text.startsWith('.') ? text.slice(1) : text;
}

function readBelow(part: string | number, value: unknown, shape: Shape, place: Place): unknown {
  place.path.push(part);
  const result = read(value, shape, place);
  place.path.pop();
  return result;
}

/** The list itself where all of it is as expected, which most are: a copy of a large answer is slow. */
function readItems(list: readonly unknown[], shape: Shape, place: Place): readonly unknown[] {
  const items = list.map((item, index) => readBelow(index, item, shape, place));
  return items.every((item, index) => item === list[index])
    ? list
    : items.filter((item) => item !== undefined);
}

/** As `readItems`. */
function readMembers(
  value: Readonly<Record<string, unknown>>,
  shape: Readonly<Record<string, Shape>>,
  place: Place,
): object {
  let others: Map<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const expected = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (expected === undefined) continue;
    const member = readBelow(name, value[name], expected, place);
    if (member !== value[name]) others = (others ?? new Map()).set(name, member);
  }
  if (others === undefined) return value;
  // Through entries, since an assignment to a member `__proto__` would set the prototype.
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, unknown] => [
        name,
        others.has(name) ? others.get(name) : member,
      ])
      .filter(([, member]) => member !== undefined),
  );
}

function readSome(value: unknown, shape: Shape, place: Place): unknown {
  if (isArrayShape(shape)) {
    return Array.isArray(value) ? readItems(value, shape[0], place) : undefined;
  }
  if (typeof shape === 'object') {
    return isObject(value) ? readMembers(value, shape, place) : undefined;
  }
  switch (shape) {
    case 's':
    case 't':
      return typeof value === 'string' ? value : undefined;
    case 'n':
      // JSON has no infinity, but a number may be too large for ours.
      return Number.isFinite(value) ? value : undefined;
    case 'b':
      return typeof value === 'boolean' ? value : undefined;
    case 'o':
      return isObject(value) ? value : undefined;
    default:
      return readSome(value, shapes[shape.slice(1)] ?? 'o', place);
  }
}

function isArrayShape(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

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
