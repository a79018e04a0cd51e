/**
 * Validates values with the schemas of the contract. Supports the keywords of JSON Schema that these
 * use, and finds problems in the order of ajv; `test/unit/api/generated/validators.test.ts` compares
 * both. ajv itself needs `eval`, which the web worker host forbids, or generates code that is four times
 * the size of the schemas.
 */
import { isObject, type JsonObject } from '../base/json';

/** What is wrong with a value: the keyword of its schema that it breaks, and what that allows. */
type Fault =
  | { readonly keyword: 'required' | 'additionalProperties' | 'pattern' }
  | { readonly keyword: 'type'; readonly type: string }
  | { readonly keyword: 'enum'; readonly values: readonly string[] }
  | { readonly keyword: Bound; readonly limit: number };

/** A fault with the members and indexes that lead to it; the last may be missing or unknown. */
export type Problem = Fault & { readonly path: readonly string[] };

/** Tells whether a value is valid. */
export interface Validator<T> {
  (value: unknown): value is T;
  /** The first problem of a value; undefined if it is valid. */
  problemOf(value: unknown): Problem | undefined;
}

/**
 * A schema of the contract, without descriptions. A schema with a keyword that is not supported does
 * not type-check.
 */
export type Schema = { readonly $ref: string } | OwnSchema;

interface OwnSchema {
  readonly type: keyof typeof types;
  readonly enum?: readonly string[];
  readonly maximum?: number;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly properties?: Readonly<Record<string, Schema>>;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** Returns a validator of a schema. It is created when it is first called. */
export function validatorOf<T>(schemas: Schemas, name: string): Validator<T> {
  let check: Check | undefined;
  const problemOf: Check = (value) => (check ??= checkOf({ $ref: name }, schemas))(value);
  const accepts = (value: unknown): value is T => problemOf(value) === undefined;
  return Object.assign(accepts, { problemOf });
}

/** Returns the first problem of a value, or undefined. */
type Check<T = unknown> = (value: T) => Problem | undefined;

function checkOf(schema: Schema, schemas: Schemas): Check {
  if ('$ref' in schema) {
    const referred = schemas[schema.$ref];
    if (!referred) throw new Error(`There is no schema ${schema.$ref}.`);
    return checkOf(referred, schemas);
  }
  const { type, enum: values, pattern } = schema;
  const isType: (value: unknown) => boolean = types[type];
  const ofType = here({ keyword: 'type', type });
  const checks = [...boundsOf(schema)];
  const add = <T>(check: Check<T>): unknown => checks.push(check as Check);
  if (pattern !== undefined) {
    const form = new RegExp(pattern, 'u');
    const ofForm = here({ keyword: 'pattern' });
    add((text: string) => (form.test(text) ? undefined : ofForm));
  }
  if (values) {
    const ofValue = here({ keyword: 'enum', values });
    add((text: string) => (values.includes(text) ? undefined : ofValue));
  }
  if (schema.items) add(itemsCheck(checkOf(schema.items, schemas)));
  if (type === 'object') add(membersCheck(schema, schemas));
  return (value) => {
    if (!isType(value)) return ofType;
    for (const check of checks) {
      const found = check(value);
      if (found) return found;
    }
    return undefined;
  };
}

const types = {
  string: (value: unknown) => typeof value === 'string',
  integer: Number.isInteger,
  array: Array.isArray,
  object: isObject,
};

/** For each keyword: 1 for a maximum or -1 for a minimum, and what it limits. */
const bounds = [
  ['maximum', 1, (value: number) => value],
  ['minimum', -1, (value: number) => value],
  ['maxLength', 1, lengthOf],
  ['minLength', -1, lengthOf],
  ['maxItems', 1, (list: readonly unknown[]) => list.length],
  ['minItems', -1, (list: readonly unknown[]) => list.length],
] as const;

type Bound = (typeof bounds)[number][0];

function boundsOf(schema: OwnSchema): Check[] {
  return bounds.flatMap(([keyword, sign, measure]) => {
    const limit = schema[keyword];
    if (limit === undefined) return [];
    const beyond = here({ keyword, limit });
    return [(value) => (sign * (measure(value as never) - limit) > 0 ? beyond : undefined)];
  });
}

/** The length in characters, not in UTF-16 units. */
function lengthOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

function itemsCheck(check: Check): Check<readonly unknown[]> {
  return (list) => {
    for (const [index, item] of list.entries()) {
      const found = check(item);
      if (found) return below(index, found);
    }
    return undefined;
  };
}

/** Reports missing members first, then unknown ones, then invalid ones. */
function membersCheck(
  { required = [], properties = {}, additionalProperties }: OwnSchema,
  schemas: Schemas,
): Check<JsonObject> {
  const members = Object.entries(properties).map(
    ([name, schema]) => [name, checkOf(schema, schemas)] as const,
  );
  return (value) => {
    const missing = required.find((name) => value[name] === undefined);
    if (missing !== undefined) return below(missing, here({ keyword: 'required' }));
    if (additionalProperties === false) {
      const unknown = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
      if (unknown !== undefined) return below(unknown, here({ keyword: 'additionalProperties' }));
    }
    for (const [name, check] of members) {
      const found = value[name] === undefined ? undefined : check(value[name]);
      if (found) return below(name, found);
    }
    return undefined;
  };
}

function here(fault: Fault): Problem {
  return { ...fault, path: [] };
}

function below(key: string | number, problem: Problem): Problem {
  return { ...problem, path: [String(key), ...problem.path] };
}
