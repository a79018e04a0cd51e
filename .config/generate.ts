/**
 * Makes everything that is derived from the contract, `src/api/openapi.json`:
 *
 * - `schema.d.ts`: the types, by openapi-typescript;
 * - `validators.js`, `.d.ts`: what is held strictly, by ajv as standalone code, since neither the
 *   web worker host nor a careful reader accepts `eval` at run time;
 * - `shapes.js`, `.d.ts`: what is read leniently, as a table. ajv's code for these would be 90 KB of
 *   the bundle, and a refusal is not what is wanted there (see src/api/lenient.ts);
 * - `toolInputs.js`, `.d.ts`, and the inputs of the AI tools in package.json (see toolInputs.ts);
 * - the tables of README.md, from the contract and package.json;
 * - ThirdPartyNotices.txt, from what is bundled.
 *
 * `--check` writes nothing, lints the contract and fails where a committed file is stale.
 */
import { readFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { lint, createConfig } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020';
import standaloneCode from 'ajv/dist/standalone';
import { build, transform } from 'esbuild';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import contract from '../src/api/openapi.json';
import { thirdPartyNotices } from './notices';
import { withTables } from './readmeTables';
import { slimValidators } from './slimValidators';
import { toolInputs, typeOf, withToolInputs } from './toolInputs';

const root = path.resolve(__dirname, '..');
const source = path.join(root, 'src/api/openapi.json');
const header = '// Generated from src/api/openapi.json by `npm run generate`. Do not edit.\n';

type Schema = Record<string, unknown>;
interface Operation {
  operationId: string;
  parameters?: Parameter[];
}
interface Parameter {
  name: string;
  required: boolean;
  schema: Schema;
}

const schemas: Record<string, Schema> = contract.components.schemas;
const prefix = '#/components/schemas/';

/** Requests before they leave; log pages and errors when they arrive. */
const strict = [
  'LogPage',
  'LogQueryResponse',
  'LogQueryRequest',
  'LogTailRequest',
  'CleanupRequest',
  'ErrorResponse',
];
/** Every other response. */
const lenient = [
  'CleanupResponse',
  'OperationResponse',
  'Operation',
  'AlertListing',
  'ResourceListing',
  'SecretListing',
  'DeploymentListing',
  'RepositoryListing',
  'IntegrationListing',
  'SyncResponse',
  'PreviewReportingResponse',
];

/** One object schema for the path, query and header parameters of each operation. */
function parameterSchemas(): Record<string, Schema> {
  const result: Record<string, Schema> = {};
  const paths: Record<string, Record<string, Operation>> = contract.paths;
  for (const methods of Object.values(paths)) {
    for (const operation of Object.values(methods)) {
      const parameters = operation.parameters ?? [];
      if (parameters.length === 0) continue;
      result[`parameters_${operation.operationId}`] = {
        type: 'object',
        additionalProperties: false,
        required: parameters.filter((one) => one.required).map((one) => one.name),
        properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema])),
      };
    }
  }
  return result;
}

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
async function validators(
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
    stdin: { contents: code, resolveDir: root },
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

function validatorTypes(parameters: string[]): string {
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

function toolInputTypes(): string {
  return [
    `import type { Validator } from './validators';\n`,
    ...Object.entries(toolInputs).map(
      ([name, schema]) => `export const ${name}: Validator<${typeOf(schema)}>;`,
    ),
    '',
  ].join('\n');
}

/** The shape of a schema: see `Shape` in the declarations below. */
function shapeOf(schema: Schema): unknown {
  const { $ref, anyOf, type, items, properties } = schema;
  if (typeof $ref === 'string') return `#${$ref.slice(prefix.length)}`;
  if (Array.isArray(anyOf)) return shapeOf(anyOf[0] as Schema);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return 's';
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

function shapes(): string {
  const table: Record<string, unknown> = {};
  const add = (name: string): void => {
    if (name in table) return;
    table[name] = shapeOf(schemas[name] ?? {});
    for (const [, other] of JSON.stringify(table[name]).matchAll(/"#(\w+)"/g)) add(String(other));
  };
  lenient.forEach(add);
  return `export const shapes = ${JSON.stringify(table, null, 2)};\n`;
}

const shapeTypes = `import type { components } from './schema';

/**
 * What a value should be: 's' text, 'n' number, 'b' boolean, 'o' any object, '#Name' another shape,
 * one shape in brackets an array of it, an object its members.
 */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape };

/** The schemas that are read leniently. */
export interface Lenient {
${lenient.map((name) => `  ${name}: components['schemas']['${name}'];`).join('\n')}
}

export const shapes: Readonly<Record<string, Shape>>;
`;

/** The files that are derived, by their path below the root. */
async function generate(): Promise<Record<string, string>> {
  const parameters = parameterSchemas();
  const types = await openapiTS(pathToFileURL(source), { defaultNonNullable: false });
  const code = {
    'schema.d.ts': astToString(types),
    'validators.js': await validators({ ...schemas, ...parameters }, [
      ...strict,
      ...Object.keys(parameters),
    ]),
    'validators.d.ts': validatorTypes(Object.keys(parameters)),
    'toolInputs.js': await validators(toolInputs, Object.keys(toolInputs)),
    'toolInputs.d.ts': toolInputTypes(),
    'shapes.js': shapes(),
    'shapes.d.ts': shapeTypes,
  };
  const readme = withTables(await readFile(path.join(root, 'README.md'), 'utf8'));
  const manifest = withToolInputs(await readFile(path.join(root, 'package.json'), 'utf8'));
  const style = await resolveConfig(source, { config: path.join(root, '.config/prettier.json') });
  return {
    ...Object.fromEntries(
      Object.entries(code).map(([name, body]) => [`src/api/generated/${name}`, header + body]),
    ),
    'package.json': await format(manifest, { ...style, parser: 'json-stringify' }),
    'README.md': await format(readme, { ...style, parser: 'markdown' }),
  };
}

async function lintContract(): Promise<number> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: source, config });
  for (const { severity, ruleId, message, location } of problems) {
    console.log(`${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
  }
  return problems.filter(({ severity }) => severity === 'error').length;
}

/** Of the notices: they need a build, which may need what is generated. */
async function notices(): Promise<Record<string, string>> {
  try {
    return { 'ThirdPartyNotices.txt': await thirdPartyNotices() };
  } catch (error) {
    console.error(`ThirdPartyNotices.txt cannot be made: ${String(error)}`);
    process.exitCode = 1;
    return {};
  }
}

async function main(): Promise<void> {
  const check = process.argv.includes('--check');
  let failures = await lintContract();
  await mkdir(path.join(root, 'src/api/generated'), { recursive: true });
  for (const derive of [generate, notices]) {
    for (const [name, text] of Object.entries(await derive())) {
      const file = path.join(root, name);
      if (!check) await writeFile(file, text);
      else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
        console.log(`${name} is stale: run \`npm run generate\`.`);
        failures++;
      }
    }
  }
  if (failures > 0) process.exitCode = 1;
}

void main();
