/** Makes the table of shapes by which answers are read leniently: see src/api/lenient.ts. */
import { lenient, prefix, schemas, type Schema } from './contractSchemas';

/** The shape of a schema: see `Shape` in the declarations below. */
function shapeOf(schema: Schema): unknown {
  const { $ref, anyOf, type, items, properties, format } = schema;
  if (typeof $ref === 'string') return `#${$ref.slice(prefix.length)}`;
  if (Array.isArray(anyOf)) return shapeOf(anyOf[0] as Schema);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return format === 'date-time' ? 't' : 's';
    case 'integer':
    case 'number':
      return 'n';
    case 'boolean':
      return 'b';
    case 'array':
      return [shapeOf(items as Schema)];
    case 'object':
      if (properties === undefined) return 'o';
      return Object.fromEntries(
        Object.entries(properties as Record<string, Schema>).map(([name, value]) => [
          name,
          shapeOf(value),
        ]),
      );
    default:
      throw new Error(`No shape for ${JSON.stringify(schema)}`);
  }
}

export function shapes(): string {
  const table: Record<string, unknown> = {};
  const add = (name: string): void => {
    if (name in table) return;
    table[name] = shapeOf(schemas[name] ?? {});
    for (const [, other] of JSON.stringify(table[name]).matchAll(/"#(\w+)"/g)) add(String(other));
  };
  lenient.forEach(add);
  return `export const shapes = ${JSON.stringify(table, null, 2)};\n`;
}

export const shapeTypes = `import type { components } from './schema';

/**
 * What a value should be: 's' text, 't' time as text, 'n' number, 'b' boolean, 'o' any object, '#Name' another
 * shape, one shape in brackets an array of it, an object its members.
 */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape };

/** The schemas that are read leniently. */
export interface Lenient {
${lenient.map((name) => `  ${name}: components['schemas']['${name}'];`).join('\n')}
}

export const shapes: Readonly<Record<string, Shape>>;
`;
