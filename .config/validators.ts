/** Makes validators of schemas: code of ajv that needs neither ajv nor `eval` at run time. */
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import standaloneCode from 'ajv/dist/standalone';
import { build, transform } from 'esbuild';
import { prefix, strict, type Schema } from './contractSchemas';
import { slimValidators } from './slimValidators';
import { toolInputs, typeOf } from './toolInputs';

/** Drops what is only for readers, and writes references the way ajv resolves them by `$id`. */
function forAjv(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(forAjv);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !['description', 'examples', 'x-assumption'].includes(key))
      .map(([key, value]: [string, unknown]) => [
        key,
        key === '$ref' ? String(value).slice(prefix.length) : forAjv(value),
      ]),
  );
}

/** The code of validators for some of the schemas, which may refer to the others. */
export async function validators(
  all: Readonly<Record<string, Schema>>,
  names: readonly string[],
): Promise<string> {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    messages: false,
    unevaluated: false,
    inlineRefs: false,
    code: { source: true, esm: true, lines: true, optimize: 2 },
  });
  for (const [name, schema] of Object.entries(all)) {
    ajv.addSchema({ ...(forAjv(schema) as Schema), $id: name });
  }
  const code = standaloneCode(ajv, Object.fromEntries(names.map((name) => [name, name])));
  // ajv leaves `require` calls of its run-time helpers even in ESM: bundling makes one clean module.
  const result = await build({
    stdin: { contents: code, resolveDir: path.resolve(__dirname, '..') },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    charset: 'utf8',
  });
  const slim = slimValidators(result.outputFiles[0]?.text ?? '');
  // Takes out the branches that are never taken now.
  const tidied = await transform(slim, { minifySyntax: true, target: 'es2022', charset: 'utf8' });
  return tidied.code;
}

export function validatorTypes(parameters: string[]): string {
  const declare = (name: string, type: string): string =>
    `export const ${name}: Validator<${type}>;`;
  return [
    `import type { components } from './schema';\n`,
    `/** One problem that a validator found; \`params\` depends on the keyword. */`,
    `export interface Problem {\n  keyword: string;\n  instancePath: string;\n  params: Record<string, unknown>;\n}\n`,
    `/** True where the value has the shape; else \`errors\` says what is wrong, until the next call. */`,
    `export interface Validator<T> {\n  (value: unknown): value is T;\n  errors?: Problem[] | null;\n}\n`,
    ...strict.map((name) => declare(name, `components['schemas']['${name}']`)),
    ...parameters.map((name) => declare(name, 'Record<string, unknown>')),
    '',
  ].join('\n');
}

export function toolInputTypes(): string {
  return [
    `import type { Validator } from './validators';\n`,
    ...Object.entries(toolInputs).map(
      ([name, schema]) => `export const ${name}: Validator<${typeOf(schema)}>;`,
    ),
    '',
  ].join('\n');
}
