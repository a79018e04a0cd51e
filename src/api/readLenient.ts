import { isObject, shallow } from '../base/json';
import { isBlank } from '../base/textFormat';
import { type Lenient, type Shape, shapes } from './generated/shapes';
import type { Read } from './types';
import { isTimeSet } from './utcTime';

interface LenientReading<T> {
  readonly value: T;
  /** The paths of values that were left out because of their type, such as `rules[2].enabled`. */
  readonly leftOut: readonly string[];
}

/** The diagnostics need no more paths than this. */
const maxLeftOut = 20;

/**
 * Reads a response that may differ from the contract. Leaves out members and items that are null or
 * have another type, texts that are blank, and times that are not set. Keeps members that the contract does
 * not have. Never throws.
 *
 * Many servers write `""` for what is missing, so no reader sees a blank text. In none of these schemas does
 * it mean anything else: names, ids, states and words have a sign, rules have numbers for limits, and an empty
 * argument of a command is only shown. Where it does mean something, it is read elsewhere: the body of a
 * record (`readLogPage`), and attributes, which are any object here.
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

/** The current path, which becomes text only if it is needed, and the paths that were left out. */
interface Place {
  readonly path: (string | number)[];
  readonly leftOut: string[];
}

/** Recurses over the shape, which is finite, not over the value, which can have any depth. */
function read(value: unknown, shape: Shape, place: Place): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string' && !(shape === 't' ? isTimeSet(value) : !isBlank(value))) {
    return undefined;
  }
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

/** Returns the list itself if all items are as expected, because copying large responses is slow. */
function readItems(list: readonly unknown[], shape: Shape, place: Place): readonly unknown[] {
  const items = list.map((item, index) => readBelow(index, item, shape, place));
  return items.every((item, index) => item === list[index])
    ? list
    : items.filter((item) => item !== undefined);
}

/** Returns the object itself if all members are as expected, like `readItems`. */
function readMembers(
  value: Readonly<Record<string, unknown>>,
  shape: Readonly<Record<string, Shape>>,
  place: Place,
): object {
  let others: Map<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const expected = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const member =
      expected === undefined ? shallow(value[name]) : readBelow(name, value[name], expected, place);
    if (member !== value[name]) others = (others ?? new Map()).set(name, member);
  }
  if (others === undefined) return value;
  // Uses entries because an assignment to a member `__proto__` would set the prototype.
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
      // A number in JSON may be too large for JavaScript, which makes it Infinity.
      return Number.isFinite(value) ? value : undefined;
    case 'b':
      return typeof value === 'boolean' ? value : undefined;
    case 'o':
      return isObject(value) ? shallow(value) : undefined;
    default:
      return readSome(value, shapes[shape.slice(1)] ?? 'o', place);
  }
}

function isArrayShape(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
