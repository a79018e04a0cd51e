import { shapes, type Lenient, type Shape } from './generated/shapes';
import type { Read } from './types';

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
 * contract's are left out, and so are such items of lists; what the contract does not know stays.
 * Never throws.
 */
export function readLenient<Name extends keyof Lenient>(
  name: Name,
  json: object,
): LenientReading<Read<Lenient[Name]>> {
  const leftOut: string[] = [];
  const value = read(json, `#${name}`, '', leftOut) ?? {};
  // The shapes are generated from the schemas that the types are generated from.
  return { value: value as Read<Lenient[Name]>, leftOut };
}

/** Follows the shape, which is finite, and not the value, which may be of any depth. */
function read(value: unknown, shape: Shape, path: string, leftOut: string[]): unknown {
  if (value === null || value === undefined) return undefined;
  const result = readSome(value, shape, path, leftOut);
  if (result === undefined && leftOut.length < maxLeftOut) leftOut.push(path);
  return result;
}

function readSome(value: unknown, shape: Shape, path: string, leftOut: string[]): unknown {
  if (isArrayShape(shape)) {
    if (!Array.isArray(value)) return undefined;
    return value
      .map((item: unknown, index) => read(item, shape[0], `${path}[${index}]`, leftOut))
      .filter((item) => item !== undefined);
  }
  if (typeof shape === 'object') {
    if (!isObject(value)) return undefined;
    // Through entries, since an assignment to a member `__proto__` would set the prototype.
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, member]): [string, unknown] => {
          const expected = Object.hasOwn(shape, name) ? shape[name] : undefined;
          if (expected === undefined) return [name, member];
          return [name, read(member, expected, path === '' ? name : `${path}.${name}`, leftOut)];
        })
        .filter(([, member]) => member !== undefined),
    );
  }
  switch (shape) {
    case 's':
      return typeof value === 'string' ? value : undefined;
    case 'n':
      // JSON has no infinity, but a number may be too large for ours.
      return Number.isFinite(value) ? value : undefined;
    case 'b':
      return typeof value === 'boolean' ? value : undefined;
    case 'o':
      return isObject(value) ? value : undefined;
    default:
      return readSome(value, shapes[shape.slice(1)] ?? 'o', path, leftOut);
  }
}

function isArrayShape(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

/** Whether it is a JSON object: neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
