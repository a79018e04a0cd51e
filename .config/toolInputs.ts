/**
 * What AI tools take, made of the contract: what package.json shows to language models, and what every
 * call is held against. The descriptions are for models.
 */
import contract from '../src/api/openapi.json';

type Schema = Record<string, unknown>;

export interface ToolInput extends Schema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Schema>>;
}

const { schemas } = contract.components;
const { paths } = contract;

/** What the contract says of a value, with a description for whoever has to find one. */
function of(schema: Schema, description: string): Schema {
  const { description: _description, examples: _examples, ...rest } = schema;
  return { ...rest, description };
}

/** @throws where the contract has no such parameter. */
function parameterOf(
  { parameters }: { readonly parameters: readonly { name: string; schema: Schema }[] },
  name: string,
  description: string,
): Schema {
  const found = parameters.find((one) => one.name === name);
  if (found === undefined) throw new Error(`The contract has no parameter ${name}.`);
  const isUuid = found.schema['$ref'] === '#/components/schemas/Uuid';
  return of(isUuid ? schemas.Uuid : found.schema, description);
}

function input(properties: Record<string, Schema>, required: readonly string[]): ToolInput {
  return { type: 'object', additionalProperties: false, required, properties };
}

const resources = paths['/sources/{sourceId}/resources'].get;
const secrets = paths['/sources/{ownerId}/secrets'].get;
const deployments = paths['/resources/{resourceId}/deployments'].get;
const rules = paths['/servers/{serverId}/monitor-alerts'].get;
const syncs = paths['/sources/{sourceId}/environments/{environmentId}/syncs'].post;
const cleanUps = paths['/servers/{serverId}/actions/cleanup-orphans'].post;

const fromResources = 'as controlPlane_listResources shows it';

/** Not of the contract: far more than a query takes that anybody has use for. */
const query = {
  type: 'string',
  maxLength: 4096,
  description:
    'One line. Fields: severity:error,fatal workload:name server:name deployment:commit env:production|preview ' +
    'service:name stream:stderr trace:<32 hex> attr.key=value attr.path~/part -service:name (spanId:* or trace:*). ' +
    'Words and "quoted text" are looked for in the message. Range: last:15m, or from: and to: in ISO 8601 with Z; ' +
    'the last hour without one. Empty: everything.',
};

/** By the name of the tool without its prefix. */
export const toolInputs = {
  searchLogs: input(
    {
      query,
      limit: {
        ...of(
          schemas.LogQueryRequest.properties.limit,
          'How many records at most, the newest that match; 50 where it is left out.',
        ),
        default: 50,
      },
    },
    ['query'],
  ),
  summariseLogs: input({ query }, ['query']),
  listResources: input(
    {
      sourceId: parameterOf(
        resources,
        'sourceId',
        'One source; all that are known here where it is left out.',
      ),
    },
    [],
  ),
  listDeployments: input(
    {
      resourceId: parameterOf(
        deployments,
        'resourceId',
        `The id of an app or a job, ${fromResources}.`,
      ),
    },
    ['resourceId'],
  ),
  listAlertRules: input(
    {
      serverId: parameterOf(
        rules,
        'serverId',
        'One server; all that are known here where it is left out.',
      ),
    },
    [],
  ),
  listSecretKeys: input(
    {
      sourceId: parameterOf(secrets, 'ownerId', `The source, ${fromResources}.`),
      environment: parameterOf(
        secrets,
        'environment',
        'The name of the environment, such as production; with preview: before it for that of previews.',
      ),
    },
    ['sourceId', 'environment'],
  ),
  syncEnvironment: input(
    {
      sourceId: parameterOf(syncs, 'sourceId', `The source, ${fromResources}.`),
      environmentId: parameterOf(
        syncs,
        'environmentId',
        `The id of the environment, ${fromResources}.`,
      ),
    },
    ['sourceId', 'environmentId'],
  ),
  cleanUpOrphans: input(
    {
      serverId: parameterOf(
        cleanUps,
        'serverId',
        'The server, as controlPlane_listAlertRules shows it.',
      ),
      items: {
        type: 'array',
        minItems: schemas.CleanupRequest.properties.items.minItems,
        maxItems: schemas.CleanupRequest.properties.items.maxItems,
        items: of(
          schemas.CleanupRequest.properties.items.items.properties.name,
          'The name of a container or workload that is no longer wanted.',
        ),
        description: 'Names that the person has named or agreed to; never guess any.',
      },
    },
    ['serverId', 'items'],
  ),
} as const satisfies Record<string, ToolInput>;

/** Package.json as text, with the inputs of its tools. @throws where a tool has none, or none has a tool. */
export function withToolInputs(manifest: string): string {
  const parsed = JSON.parse(manifest) as {
    contributes: { languageModelTools: { name: string; inputSchema?: unknown }[] };
  };
  const inputs: Readonly<Record<string, ToolInput>> = toolInputs;
  const tools = parsed.contributes.languageModelTools;
  for (const tool of tools) {
    const schema = inputs[tool.name.replace(/^controlPlane_/, '')];
    if (schema === undefined) throw new Error(`Nothing says what ${tool.name} takes.`);
    tool.inputSchema = schema;
  }
  if (tools.length !== Object.keys(inputs).length) throw new Error('An input has no tool.');
  return JSON.stringify(parsed, null, 2);
}

/** The type of a value, as TypeScript writes it. */
export function typeOf(schema: Schema): string {
  switch (schema['type']) {
    case 'string':
      return 'string';
    case 'integer':
      return 'number';
    case 'array':
      return `readonly ${typeOf(schema['items'] as Schema)}[]`;
    case 'object': {
      const { properties, required } = schema as ToolInput;
      const members = Object.entries(properties).map(
        ([name, value]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(value)}`,
      );
      return `{ ${members.join('; ')} }`;
    }
    default:
      throw new Error(`No type for ${JSON.stringify(schema)}`);
  }
}
