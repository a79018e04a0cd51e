/**
 * Generates derived files:
 *
 * - from the contract, `src/api/openapi.json`, and what a server may have beyond it, `src/api/described.json`: their types, with openapi-typescript, which also
 *   validates them; `validators.ts`, the schemas for strict validation (src/api/jsonSchema.ts),
 *   `shapes.ts`, those for lenient reading (src/api/readLenient.ts), `logPage.ts`, the code that
 *   validates log pages (src/api/readLogPage.ts), `operations.ts`, the table of operations
 *   (src/api/operation.ts), and `descriptionForms.ts`, how they are recognized in the description of a server
 *   (src/api/serverDescription.ts);
 * - from package.json: `toolInputs.ts`, the input of AI tools, `settings.ts`, the defaults and bounds of settings
 *   (src/vscode/settingRules.ts), and `contributed.ts`, the ids of commands, views and AI tools;
 * - from both: the tables of docs/reference.md;
 * - from the folder of the kinds of actions: their list, `actionKinds.ts`;
 * - from the bundles: ThirdPartyNotices.txt.
 *
 * `--check` writes nothing, and fails if a committed file is stale.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import manifest from '../package.json';
import beyond from '../src/api/described.json';
import document from '../src/api/openapi.json';
import { settings } from './settings';
import { thirdPartyNotices } from './thirdPartyNotices';
import { withTables } from './referenceTables';

type Schema = Readonly<Record<string, unknown>>;

const root = path.resolve(__dirname, '..');

/** The contract, and what a server may have beyond it. */
const contract = {
  ...document,
  'x-assumptions': { ...document['x-assumptions'], ...beyond['x-assumptions'] },
  paths: { ...document.paths, ...referring(beyond.paths) },
  components: {
    ...document.components,
    schemas: { ...document.components.schemas, ...referring(beyond.components.schemas) },
  },
};

/** With the references to the contract as within it. */
function referring<T>(of: T): T {
  return JSON.parse(JSON.stringify(of).replaceAll('"openapi.json#/', '"#/')) as T;
}

const schemas: Readonly<Record<string, Schema>> = contract.components.schemas;
/** The prefix of references to schemas. */
const prefix = '#/components/schemas/';

interface Assumption {
  readonly default: string;
  readonly setting?: string;
  /** Which part of the description of a server answers it. */
  readonly described?: string;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly 'x-assumption'?: string;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  readonly 'x-name': string;
  readonly 'x-permission': string;
  readonly 'x-retry': string;
  readonly 'x-limit': string;
  readonly 'x-assumption'?: string;
}
const endpoints = Object.entries<object>(contract.paths).flatMap(([path, methods]) =>
  Object.entries<Operation>({ ...methods }).map(([method, operation]) => ({
    path,
    method,
    operation,
    isBeyond: Object.hasOwn(beyond.paths, path),
  })),
);
const operations = endpoints.map(({ operation }) => operation);

/** Requests before they are sent, and errors when they arrive. */
const strict = [...operations.flatMap(({ requestBody }) => namesIn(requestBody)), 'ErrorResponse'];
/** Every answer. Log pages are read strictly where a tail needs it (src/api/readLogPage.ts). */
const lenient = [
  'Localization',
  'LogPage',
  'LogRecord',
  ...operations.flatMap(({ responses }) =>
    namesIn(responses['2XX']?.content?.['application/json']),
  ),
];

/** The schemas that a node refers to. */
function namesIn(node: unknown): string[] {
  const references = (JSON.stringify(node) as string | undefined)?.matchAll(/schemas\/(\w+)"/g);
  return [...(references ?? [])].map(([, name = '']) => name);
}

/** One object schema for the path, query and header parameters of each operation. */
function parameterSchemas(): Record<string, Schema> {
  const entries = operations.map(({ operationId, parameters = [] }) => {
    const schema = {
      type: 'object',
      additionalProperties: false,
      required: parameters.filter((one) => one.required).map((one) => one.name),
      properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema])),
    };
    return [`parameters_${operationId}`, schema] as const;
  });
  return Object.fromEntries(entries);
}

/** The functions of src/api that make the content of a request of its input, by the schema of its body. */
const contents: Readonly<Record<string, string>> = {
  LogQueryRequest: 'logQueryContent',
  LogTailRequest: 'logTailContent',
  CleanupRequest: 'cleanUpContent',
};
/** The functions of src/api that read answers, by their schemas. All others are read leniently. */
const readers: Readonly<Record<string, string>> = {
  LogQueryResponse: 'readLogQueryPage',
  LogPage: 'readLogStream',
  OperationResponse: 'readOperation',
  ServerDescription: 'readDescription',
};

const assumptions: Readonly<Record<string, Assumption>> = contract['x-assumptions'];

/** What the contract leaves open of an operation or a parameter, and the setting for it below `controlPlane.api`. */
function openOf({ 'x-assumption': key = '' }: { readonly 'x-assumption'?: string }) {
  const { default: example = '', setting = '', described } = assumptions[key] ?? {};
  return { example, setting: setting.replace('controlPlane.api.', ''), described };
}

/** An object of the table of operations: `ApiOperation` of src/api/operation.ts. */
function operationObject({
  path,
  method,
  operation,
  isBeyond,
}: (typeof endpoints)[number]): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const isStream = success?.[1].content?.['text/event-stream'] !== undefined;
  const [answer = ''] = namesIn(success?.[1].content);
  const [body] = namesIn(requestBody);
  const content = `parametersContent(contract.parameters_${operationId})`;
  const { described, setting, example } = openOf(operation);
  const places = parameters.map((one) => {
    const { described: by, setting: of } = openOf(one);
    return [one.name, { in: one.in, ...(by === 'parameter' ? { setting: of } : {}) }] as const;
  });
  const members = [
    `method: ${literal(method)}`,
    `path: ${literal(path)}`,
    ...(described === 'segment' ? [`segment: ${literal({ example, setting })}`] : []),
    ...(described === 'path' || described === 'itself' ? [`pathSetting: ${literal(setting)}`] : []),
    ...(isBeyond && described !== 'itself' ? ['isOnlyIfDescribed: true'] : []),
    `parameters: ${literal(Object.fromEntries(places))}`,
    `contentOf: ${body === undefined ? content : contents[body]}`,
    `isStream: ${isStream}`,
    `read: ${readers[answer] ?? `lenient(${literal(answer)})`}`,
    `permission: ${literal(operation['x-permission'])}`,
    `retry: ${literal(operation['x-retry'])}`,
    `limit: ${literal(operation['x-limit'])}`,
  ];
  return `/** ${[`${summary}.`, description].join(' ').trim()} */
${operation['x-name']}: {\n${members.join(',\n')},\n}`;
}

function operationTable(): string {
  return `import { readLogStream } from '../logStream';
import type { ApiOperation } from '../operation';
import { lenient, readDescription, readLogQueryPage, readOperation } from '../readAnswers';
import { cleanUpContent, logQueryContent, logTailContent, parametersContent } from '../validateRequest';
import * as contract from './validators';

/** The operations of the API and those that a server may have beyond it, by what the client calls them. */
export const operations = {
${endpoints.map(operationObject).join(',\n')},
} as const satisfies Readonly<Record<string, ApiOperation>>;`;
}

/** A schema without the members for readers, with references by name. */
function held(schema: Schema): unknown {
  const forReaders = ['description', 'examples', 'default', 'x-assumption'];
  const text = JSON.stringify(schema, (key, value: unknown) =>
    forReaders.includes(key) ? undefined : value,
  );
  return JSON.parse(text.replaceAll(prefix, ''));
}

/** A table of what `make` returns for some schemas and for those they refer to, by name. */
function table(names: readonly string[], all: typeof schemas, make: (schema: Schema) => unknown) {
  const made = new Map<string, unknown>();
  const add = (name: string): void => {
    if (made.has(name)) return;
    const schema = all[name] ?? {};
    made.set(name, make(schema));
    namesIn(schema).forEach(add);
  };
  names.forEach(add);
  return JSON.stringify(Object.fromEntries(made));
}

/** Validators of some schemas, each with the type of a valid value. */
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
    ...Object.entries(parameters).map(([name, schema]) => [name, typeOf(schema)]),
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

/** The TypeScript type of a value. */
function typeOf(schema: Schema): string {
  const { $ref, type, items, properties, required } = schema;
  if (typeof $ref === 'string') return typeOf(schemas[$ref.slice(prefix.length)] ?? {});
  if (type === 'string') return 'string';
  if (type === 'integer') return 'number';
  if (type === 'array') return `readonly ${typeOf(items as Schema)}[]`;
  const members = Object.entries(properties as Record<string, Schema>).map(
    ([name, one]) =>
      `${literal(name)}${(required as string[]).includes(name) ? '' : '?'}: ${typeOf(one)}`,
  );
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`;
}

/** The shape of a schema: see `Shape` below. */
function shapeOf(schema: Schema): unknown {
  const { $ref, anyOf, type, items, properties, format } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice(prefix.length);
    const referred = schemas[name] ?? {};
    return referred['type'] === 'object' ? `#${name}` : shapeOf(referred);
  }
  if (Array.isArray(anyOf)) return shapeOf(anyOf[0] as Schema);
  const kind: unknown = Array.isArray(type) ? type[0] : type;
  if (kind === 'string') return format === 'date-time' ? 't' : 's';
  if (kind === 'integer' || kind === 'number') return 'n';
  if (kind === 'boolean') return 'b';
  if (kind === 'array') return [shapeOf(items as Schema)];
  if (kind !== 'object') throw new Error(`No shape for ${JSON.stringify(schema)}`);
  if (properties === undefined) return 'o';
  const members = Object.entries(properties as Record<string, Schema>);
  return Object.fromEntries(members.map(([name, one]) => [name, shapeOf(one)]));
}

function shapes(): string {
  return `import type { components } from './schema';

/**
 * What a value should be: 's' text, 't' time as text, 'n' number, 'b' boolean, 'o' any object, '#Name' another
 * shape, one shape in brackets an array of it, an object its members.
 */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape };

/** The schemas that are read leniently. */
export type Lenient = Pick<components['schemas'], ${lenient.map((name) => `'${name}'`).join(' | ')}>;

export const shapes: Readonly<Record<string, Shape>> = ${table(lenient, schemas, (schema) => (schema['type'] === 'object' ? shapeOf(schema) : undefined))};`;
}

/** The code that tells whether an expression fits a schema. */
function fits(value: string, schema: Schema): string {
  const { $ref, type, enum: values, items, properties, additionalProperties } = schema;
  if (typeof $ref === 'string') return `is${$ref.slice(prefix.length)}(${value})`;
  if (Array.isArray(values)) return values.map((one) => `${value} === '${one}'`).join(' || ');
  if (Array.isArray(type)) {
    return `(${type.map((one: unknown) => fits(value, { ...schema, type: one })).join(' || ')})`;
  }
  if (type === 'null') return `${value} === null`;
  if (type === 'array') {
    return `Array.isArray(${value}) && ${value}.every((one) => ${fits('one', items as Schema)})`;
  }
  if (type !== 'object') return `typeof ${value} === '${String(type)}'`;
  if (additionalProperties !== undefined) return `hasOnlyTexts(${value})`;
  const members = Object.entries((properties ?? {}) as Record<string, Schema>);
  return [
    `isObject(${value})`,
    ...members.map(([name, one]) => fits(`${value}['${name}']`, one)),
  ].join(' && ');
}

function emptyOf(schema: Schema): unknown {
  const { $ref, type, enum: values, properties } = schema;
  if (typeof $ref === 'string') return emptyOf(schemas[$ref.slice(prefix.length)] ?? {});
  if (Array.isArray(values)) return 'unknown';
  if (Array.isArray(type)) return null;
  if (type === 'string') return '';
  if (type === 'boolean') return false;
  if (type === 'array') return [];
  const members = Object.entries((properties ?? {}) as Record<string, Schema>);
  return Object.fromEntries(members.map(([name, one]) => [name, emptyOf(one)]));
}

/** The names of the members of a schema and of the first of alternatives, without those of every answer. */
function memberNames(schema: Schema = {}): string[] {
  const { $ref, allOf, anyOf, properties } = schema;
  if (typeof $ref === 'string') return memberNames(schemas[$ref.slice(prefix.length)]);
  if (Array.isArray(allOf)) return (allOf as Schema[]).flatMap(memberNames);
  if (Array.isArray(anyOf)) return memberNames(anyOf[0] as Schema);
  return Object.keys(properties ?? {}).filter((name) => name !== 'localization');
}

/** What a value of a query parameter is: a `ValueKind`. */
function valueKind({ $ref, type }: Schema): string {
  return $ref === `${prefix}Uuid` ? 'id' : type === 'integer' ? 'integer' : 'text';
}

/** How operations are recognized in the description of a server, and what that says of what the contract leaves open. */
function descriptionForms(): string {
  const forms: [string, object][] = [];
  const open: [string, object][] = [];
  for (const { path, method, operation: one, isBeyond } of endpoints) {
    const { 'x-name': operation, parameters = [], requestBody, responses } = one;
    const { described, example } = openOf(one);
    const success = responses['200'] ?? responses['2XX'];
    const schemaIn = (content?: Readonly<Record<string, { schema?: Schema }>>): Schema =>
      content?.['application/json']?.schema ?? {};
    const query = parameters.filter((parameter) => parameter.in === 'query');
    const isOpen = { segment: path.split('/').indexOf(example), path: 'path' }[described ?? ''];
    if (described === 'itself') {
      open.push([openOf(one).setting, { default: path }]);
      continue;
    }
    forms.push([
      operation,
      {
        method,
        path,
        ...(isBeyond ? { isBeyond } : {}),
        ...(isOpen === undefined ? {} : { open: isOpen }),
        query: Object.fromEntries(query.map(({ name, schema }) => [name, valueKind(schema)])),
        body: memberNames(schemaIn(requestBody?.content)),
        answer: memberNames(schemaIn(success?.content)),
      },
    ]);
    if (described !== undefined && !isBeyond) {
      const value = described === 'path' ? path : example;
      open.push([openOf(one).setting, { default: value, operation }]);
    }
    for (const parameter of query) {
      const { described: by, setting, example: value } = openOf(parameter);
      if (by === 'parameter')
        open.push([setting, { default: value, operation, parameter: parameter.name }]);
    }
  }
  return `/** What a value of a query parameter is: the id of something, any other text, or a number. */
export type ValueKind = 'id' | 'text' | 'integer';

/** What an operation is recognized by. */
export interface Form {
  readonly method: 'get' | 'post';
  /** \`{…}\` is a parameter. */
  readonly path: string;
  /** Whether the contract does not have it. */
  readonly isBeyond?: true;
  /** What of the path is only an example: a segment, by its index from 1, or all of it. */
  readonly open?: number | 'path';
  /** What its query parameters are. Their names are only examples. */
  readonly query: Readonly<Record<string, ValueKind>>;
  /** The members of its body. */
  readonly body: readonly string[];
  /** The members of its answer. */
  readonly answer: readonly string[];
}

/** What a server may have, by what the client calls it. */
export const forms = ${literal(Object.fromEntries(forms))} as const satisfies Readonly<Record<string, Form>>;

/**
 * What the contract leaves open, by the setting for it below \`controlPlane.api\`: what is assumed, and where the
 * description of a server says it.
 */
export const openSettings = ${literal(Object.fromEntries(open))} as const;`;
}

/** Straight code, because it runs for each record of a stream: a table of members is a lot slower. */
function logPages(): string {
  const all = ['LogPage', 'LogRecord', 'Severity'].map((name): [string, Schema] => [
    name,
    schemas[name] ?? {},
  ]);
  return `import { hasOnlyTexts, isObject } from '../../base/json';
import type { components } from './schema';

type Schemas = components['schemas'];

${all
  .map(([name, schema]) => {
    const type = `Schemas['${name}']`;
    const is = `export function is${name}(value: unknown): value is ${type} {
  return ${fits('value', schema)};
}`;
    if (schema['properties'] === undefined) return is;
    return `${is}

/** What stands for members that are missing or have another type. */
export const empty${name}: ${type} = ${JSON.stringify(emptyOf(schema))};`;
  })
  .join('\n\n')}`;
}

/** The rules of the settings that are a number, a choice or a text, by their names. */
function settingRules(): string {
  const rules = {
    integers: new Map<string, string>(),
    choices: new Map<string, string>(),
    texts: new Map<string, string>(),
  };
  const typesOf = new Map<string, string>();
  for (const [id, { type, ...setting }] of Object.entries(settings)) {
    const name = id.replace('controlPlane.', '');
    const { default: fallback, scope, minimum, maximum, pattern } = setting;
    const values = setting.enum ?? (type === 'boolean' ? [true, false] : undefined);
    const rule = `default: ${literal(fallback)}, scope: ${literal(scope)}`;
    if (values !== undefined) {
      typesOf.set(name, setting.enum?.map(literal).join(' | ') ?? 'boolean');
      rules.choices.set(name, `{ ${rule}, values: [${values.map(literal).join(', ')}] }`);
    } else if (type === 'integer') {
      rules.integers.set(name, `{ ${rule}, minimum: ${minimum}, maximum: ${maximum} }`);
    } else if (type === 'string') {
      const matches =
        pattern === undefined ? '' : `, pattern: /${pattern.replaceAll('/', '\\/')}/u`;
      rules.texts.set(name, `{ ${rule}${matches} }`);
    }
  }
  const members = (all: ReadonlyMap<string, string>): string =>
    [...all].map(([name, text]) => `${literal(name)}: ${text},`).join('\n');
  return `import type { ChoiceRule, IntegerRule, TextRule } from '../settingRules';

export interface Choices {
${[...typesOf].map(([name, type]) => `readonly ${literal(name)}: ${type};`).join('\n')}
}

export const choices: { readonly [Name in keyof Choices]: ChoiceRule<Choices[Name]> } = {
${members(rules.choices)}
};

export const integers = {
${members(rules.integers)}
} as const satisfies Readonly<Record<string, IntegerRule>>;

export const texts = {
${members(rules.texts)}
} as const satisfies Readonly<Record<string, TextRule>>;`;
}

/** The ids of what package.json contributes, by their names. */
function contributedIds(): string {
  const { commands, views, languageModelTools } = manifest.contributes;
  const table = (ids: readonly string[]): string =>
    literal(Object.fromEntries(ids.map((id) => [id.replace(/^controlPlane[._]/, ''), id])));
  return `export const commands = ${table(commands.map(({ command }) => command))} as const;

export const views = ${table(views.controlPlane.map(({ id }) => id))} as const;

/** The tools for language models, which the user must enable. */
export const tools = ${table(languageModelTools.map(({ name }) => name))} as const;`;
}

/** A value as code. */
function literal(value: unknown): string {
  return JSON.stringify(value);
}

const kindsFolder = 'src/actions/kinds';

/** The list of the kinds of actions: the object that ends with `Kind` of each file. */
async function actionKinds(): Promise<string> {
  const files = (await readdir(path.join(root, kindsFolder))).sort();
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(root, kindsFolder, file), 'utf8');
      const [, name = ''] = /^export const (\w+Kind)\b/m.exec(text) ?? [];
      return { name, module: path.basename(file, '.ts') };
    }),
  );
  const imports = found.map(({ name, module }) => `import { ${name} } from '../kinds/${module}';`);
  return `${imports.join('\n')}

/** Everything that sends a request and is watched. */
export const actionKinds = [${found.map(({ name }) => name).join(', ')}] as const;`;
}

const reference = 'docs/reference.md';

/** The derived files, by their path below the root. */
async function derived(): Promise<Record<string, string>> {
  const style = await resolveConfig(path.join(root, reference), {
    config: path.join(root, '.config/prettier.json'),
  });
  const files = {
    'src/api/generated/schema.d.ts': astToString(
      await openapiTS(JSON.stringify(contract), { defaultNonNullable: false }),
    ),
    'src/api/generated/validators.ts': contractValidators(),
    'src/api/generated/toolInputs.ts': toolInputs(),
    'src/api/generated/shapes.ts': shapes(),
    'src/api/generated/logPage.ts': logPages(),
    'src/api/generated/operations.ts': operationTable(),
    'src/api/generated/descriptionForms.ts': descriptionForms(),
    'src/actions/generated/actionKinds.ts': await actionKinds(),
    'src/vscode/generated/settings.ts': settingRules(),
    'src/vscode/generated/contributed.ts': contributedIds(),
    [reference]: withTables(await readFile(path.join(root, reference), 'utf8')),
  };
  const entries = Object.entries(files).map(async ([file, text]) => {
    if (file === reference) return [file, await format(text, { ...style, parser: 'markdown' })];
    const code = `// Generated by \`npm run generate\`. Do not edit.\n${text}`;
    const isRead = !file.endsWith('.d.ts');
    return [file, isRead ? await format(code, { ...style, parser: 'typescript' }) : code];
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
}

async function main(): Promise<void> {
  const isCheck = process.argv.includes('--check');
  // The notices need a build, which needs the generated files first.
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

void main();
