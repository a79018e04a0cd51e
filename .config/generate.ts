/**
 * Makes what is derived:
 *
 * - of the contract, `src/api/openapi.json`: its types, by openapi-typescript, which also finds what is
 *   wrong with it; `validators.ts`, the schemas that are held strictly (src/api/jsonSchema.ts), and
 *   `shapes.ts`, those that are read leniently (src/api/lenient.ts);
 * - of package.json: `toolInputs.ts`, what AI tools take;
 * - of both: the tables of README.md;
 * - of what is bundled: ThirdPartyNotices.txt.
 *
 * `--check` writes nothing, and fails where a committed file is stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import manifest from '../package.json';
import contract from '../src/api/openapi.json';
import { thirdPartyNotices } from './notices';
import { withTables } from './readmeTables';

type Schema = Readonly<Record<string, unknown>>;

const root = path.resolve(__dirname, '..');
const source = path.join(root, 'src/api/openapi.json');

const schemas: Readonly<Record<string, Schema>> = contract.components.schemas;
/** What references to schemas begin with. */
const prefix = '#/components/schemas/';

/** Requests before they leave, and errors when they arrive. Pages of records: src/api/readLogPage.ts. */
const strict = ['LogQueryRequest', 'LogTailRequest', 'CleanupRequest', 'ErrorResponse'];
/** Every other response. */
const lenient = [
  'Localization',
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

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; required: boolean; schema: Schema }[];
}

/** One object schema for the path, query and header parameters of each operation. */
function parameterSchemas(): Record<string, Schema> {
  const operations = Object.values<object>(contract.paths).flatMap(
    (one) => Object.values(one) as Operation[],
  );
  const entries = operations.flatMap(({ operationId, parameters = [] }) => {
    if (parameters.length === 0) return [];
    const schema = {
      type: 'object',
      additionalProperties: false,
      required: parameters.filter((one) => one.required).map((one) => one.name),
      properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema])),
    };
    return [[`parameters_${operationId}`, schema] as const];
  });
  return Object.fromEntries(entries);
}

/** A schema without what is only for readers; it names others as they are called. */
function held(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(held);
  if (typeof node !== 'object' || node === null) return node;
  const forReaders = ['description', 'examples', 'default', 'x-assumption'];
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !forReaders.includes(key))
      .map(([key, value]: [string, unknown]) => [
        key,
        key === '$ref' ? String(value).slice(prefix.length) : held(value),
      ]),
  );
}

/** What `make` makes of some schemas and of those that they refer to, by their names. */
function table(names: readonly string[], all: typeof schemas, make: (schema: Schema) => unknown) {
  const made = new Map<string, unknown>();
  const add = (name: string): void => {
    if (made.has(name)) return;
    const schema = all[name] ?? {};
    made.set(name, make(schema));
    for (const [, other = ''] of JSON.stringify(schema).matchAll(/schemas\/(\w+)"/g)) add(other);
  };
  names.forEach(add);
  return JSON.stringify(Object.fromEntries(made));
}

/** Validators of some schemas, each with the type of what it takes. */
function validators(types: Readonly<Record<string, string>>, all: typeof schemas): string {
  const names = Object.keys(types);
  return [
    `import { type Schemas, validatorOf } from '../jsonSchema';`,
    `const schemas: Schemas = ${table(names, all, held)};`,
    ...names.map((name) => {
      return `export const ${name} = validatorOf<${types[name]}>(schemas, '${name}');`;
    }),
  ].join('\n\n');
}

function contractValidators(): string {
  const parameters = parameterSchemas();
  const types = Object.fromEntries([
    ...strict.map((name) => [name, `components['schemas']['${name}']`]),
    ...Object.keys(parameters).map((name) => [name, 'Record<string, unknown>']),
  ]) as Record<string, string>;
  return `import type { components } from './schema';
export type { Problem, Validator } from '../jsonSchema';
${validators(types, { ...schemas, ...parameters })}`;
}

function toolInputs(): string {
  const tools = manifest.contributes.languageModelTools.map(
    ({ name, inputSchema }): [string, Schema] => [name.replace('controlPlane_', ''), inputSchema],
  );
  const types = tools.map(([name, schema]) => [name, typeOf(schema)] as const);
  return validators(Object.fromEntries(types), Object.fromEntries(tools));
}

/** The type of a value, as TypeScript writes it. */
function typeOf(schema: Schema): string {
  const { type, items, properties, required } = schema;
  if (type === 'string') return 'string';
  if (type === 'integer') return 'number';
  if (type === 'array') return `readonly ${typeOf(items as Schema)}[]`;
  const members = Object.entries(properties as Record<string, Schema>).map(
    ([name, one]) => `${name}${(required as string[]).includes(name) ? '' : '?'}: ${typeOf(one)}`,
  );
  return `{ ${members.join('; ')} }`;
}

/** The shape of a schema: see `Shape` below. */
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
    case 'object': {
      if (properties === undefined) return 'o';
      const members = Object.entries(properties as Record<string, Schema>);
      return Object.fromEntries(members.map(([name, one]) => [name, shapeOf(one)]));
    }
    default:
      throw new Error(`No shape for ${JSON.stringify(schema)}`);
  }
}

function shapes(): string {
  return `import type { components } from './schema';

/**
 * What a value should be: 's' text, 't' time as text, 'n' number, 'b' boolean, 'o' any object, '#Name' another
 * shape, one shape in brackets an array of it, an object its members.
 */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape };

/** The schemas that are read leniently. */
export interface Lenient {
${lenient.map((name) => `  ${name}: components['schemas']['${name}'];`).join('\n')}
}

export const shapes: Readonly<Record<string, Shape>> = ${table(lenient, schemas, shapeOf)};`;
}

async function formatted(text: string, parser: string): Promise<string> {
  const config = path.join(root, '.config/prettier.json');
  return format(text, { ...(await resolveConfig(source, { config })), parser });
}

/** The files that are derived, by their path below the root. */
async function derived(): Promise<Record<string, string>> {
  const code = {
    'schema.d.ts': astToString(
      await openapiTS(pathToFileURL(source), { defaultNonNullable: false }),
    ),
    'validators.ts': await formatted(contractValidators(), 'typescript'),
    'toolInputs.ts': await formatted(toolInputs(), 'typescript'),
    'shapes.ts': await formatted(shapes(), 'typescript'),
  };
  const header = '// Generated by `npm run generate`. Do not edit.\n';
  const readme = withTables(await readFile(path.join(root, 'README.md'), 'utf8'));
  return {
    ...Object.fromEntries(
      Object.entries(code).map(([name, text]) => [`src/api/generated/${name}`, header + text]),
    ),
    'README.md': await formatted(readme, 'markdown'),
  };
}

async function main(): Promise<void> {
  const isCheck = process.argv.includes('--check');
  // The notices need a build, which needs what is generated before.
  const notices = async () => ({ 'ThirdPartyNotices.txt': await thirdPartyNotices() });
  for (const derive of [derived, notices]) {
    for (const [name, text] of Object.entries(await derive())) {
      const file = path.join(root, name);
      if (!isCheck) await writeFile(file, text);
      else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
        console.log(`${name} is stale: run \`npm run generate\`.`);
        process.exitCode = 1;
      }
    }
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
