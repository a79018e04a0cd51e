/**
 * Validates values with the schemas of the contract. Supports the keywords of JSON Schema that these
 * use, and reports problems in the order and form of ajv; `test/unit/api/generated/validators.test.ts`
 * compares both. ajv itself needs `eval`, which the web worker host forbids, or generates code that is
 * four times the size of the schemas.
 */
import { isObject, type JsonObject } from './readLenient';

/** A problem that a validator found. `params` depends on the keyword. */
export interface Problem {
  readonly keyword: string;
  /** A JSON pointer. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Returns whether the value is valid. If not, `errors` has the first problem until the next call. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: readonly Problem[] | undefined;
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
  const validator: Validator<T> = (value): value is T => {
    check ??= checkOf({ $ref: name }, schemas);
    const problem = check(value);
    validator.errors = problem && [problem];
    return problem === undefined;
  };
  return validator;
}

/** Returns the first problem of a value, or undefined. */
type Check<T = unknown> = (value: T) => Problem | undefined;

function checkOf(schema: Schema, schemas: Schemas): Check {
  if ('$ref' in schema) {
    const referred = schemas[schema.$ref];
    if (!referred) throw new Error(`There is no schema ${schema.$ref}.`);
    return checkOf(referred, schemas);
  }
  const { type, enum: allowedValues, pattern } = schema;
  const isType: (value: unknown) => boolean = types[type];
  const ofType = problem('type', { type });
  const checks = [...boundsOf(schema)];
  const add = <T>(check: Check<T>): unknown => checks.push(check as Check);
  if (pattern !== undefined) {
    const form = new RegExp(pattern, 'u');
    // problemText.ts describes the pattern, by field.
    const ofForm = problem('pattern', {});
    add((text: string) => (form.test(text) ? undefined : ofForm));
  }
  if (allowedValues) {
    const ofValue = problem('enum', { allowedValues });
    add((text: string) => (allowedValues.includes(text) ? undefined : ofValue));
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
  ['maximum', 1, (value: number) => value, { comparison: '<=' }],
  ['minimum', -1, (value: number) => value, { comparison: '>=' }],
  ['maxLength', 1, lengthOf, {}],
  ['minLength', -1, lengthOf, {}],
  ['maxItems', 1, (list: readonly unknown[]) => list.length, {}],
  ['minItems', -1, (list: readonly unknown[]) => list.length, {}],
] as const;

function boundsOf(schema: OwnSchema): Check[] {
  return bounds.flatMap(([keyword, sign, measure, params]) => {
    const limit = schema[keyword];
    if (limit === undefined) return [];
    const beyond = problem(keyword, { ...params, limit });
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
    if (missing !== undefined) return problem('required', { missingProperty: missing });
    if (additionalProperties === false) {
      const unknown = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
      if (unknown !== undefined)
        return problem('additionalProperties', { additionalProperty: unknown });
    }
    for (const [name, check] of members) {
      const found = value[name] === undefined ? undefined : check(value[name]);
      if (found) return below(name, found);
    }
    return undefined;
  };
}

function problem(keyword: string, params: Problem['params']): Problem {
  return { keyword, instancePath: '', params };
}

/** Prepends a key to the path of a problem. */
function below(key: string | number, { keyword, instancePath, params }: Problem): Problem {
  const name = String(key).replaceAll('~', '~0').replaceAll('/', '~1');
  return { keyword, instancePath: `/${name}${instancePath}`, params };
}
