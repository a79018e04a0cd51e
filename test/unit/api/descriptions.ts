import fc from 'fast-check';

/** A schema, as JSON. */
type Schema = Readonly<Record<string, unknown>>;

/** A server, and how it describes itself. */
export interface Server {
  readonly segments: Readonly<Record<'alerts' | 'repositories' | 'reporting', string>>;
  readonly names: Readonly<
    Record<'deployable' | 'environment' | 'search' | 'page' | 'id' | 'kind', string>
  >;
  readonly operationPath: string;
  /** The ids of the operations that it does not have. */
  readonly absent: readonly string[];
  /** Which of them are described twice, in paths whose parameters have other names. */
  readonly doubled: readonly string[];
  /** Whether a parameter is required. */
  readonly isRequired: boolean;
  readonly version: string;
  readonly style: {
    readonly openapi: string;
    /** Where `/v1/api` is: in the URL of a server, in the paths, or nowhere. */
    readonly base: readonly [servers: string | undefined, prefix: string];
    readonly hasAnswers: boolean;
    /** Whether schemas are references, references to those, or where they are used. */
    readonly references: 0 | 1 | 2;
    readonly composition: 'plain' | 'allOf' | 'anyOf';
    readonly parametersOfPath: boolean;
    readonly words: string;
  };
}

const name = fc.stringMatching(/^[a-z][a-z0-9_.~-]{0,20}$/);
const names = (count: number) => fc.uniqueArray(name, { minLength: count, maxLength: count });

/** The operations of the API document and some of those beyond it, with what of the server their paths are made of. */
export const described = {
  queryLogs: 'post /logs/query',
  openLogStream: 'post /logs/tail',
  cleanUpOrphans: 'post /servers/{}/actions/cleanup-orphans',
  listAlertRules: 'get /servers/{}/ALERTS',
  listResources: 'get /sources/{}/resources',
  listSecrets: 'get /sources/{}/secrets',
  listRepositories: 'get /REPOSITORIES/repositories',
  listDeployments: 'get /resources/{}/deployments',
  syncEnvironment: 'post /sources/{}/environments/{}/syncs',
  retryPreviewReporting: 'post /REPORTING/actions/retry-preview-reporting',
  listIntegrations: 'get /integrations',
  getOperation: 'get OPERATION',
  getIdentity: 'get /identity',
  listSources: 'get /sources',
  listApps: 'get /sources/{}/apps',
  listEnvironments: 'get /sources/{}/environments',
  listAppDeployments: 'get /apps/{}/deployments',
  listOrphans: 'get /servers/{}/orphans',
  getSync: 'get /sources/{}/syncs/{}',
} as const;

export type Described = keyof typeof described;
export const describedIds = Object.keys(described) as Described[];

const hostileWords = fc.constantFrom(
  'Needs a permission.',
  'The permission is <img src=x onerror=alert(1)>.',
  '](command:workbench.action.quit) \u202e \u0000 permission ../../etc/passwd',
  'permission '.repeat(500),
);

export const server: fc.Arbitrary<Server> = fc.record({
  segments: names(3).map(([alerts = '', repositories = '', reporting = '']) => ({
    ...{ alerts: `${alerts}-a`, repositories: `${repositories}-r`, reporting: `${reporting}-p` },
  })),
  names: names(6).map(
    ([deployable = '', environment = '', search = '', page = '', id = '', kind = '']) => ({
      ...{ deployable, environment, search, page, id, kind: kind.replace(/\W/g, '-') },
    }),
  ),
  operationPath: fc.constantFrom(
    '/operations/{operationId}',
    '/jobs/{operationId}/state',
    '/v2/operations/{operationId}',
  ),
  absent: fc.subarray([...describedIds].slice(1)),
  doubled: fc.subarray(describedIds, { maxLength: 3 }),
  isRequired: fc.boolean(),
  version: fc.constantFrom('2.0.46', '1.5.2-rc.1', '3'),
  style: fc.record({
    openapi: fc.constantFrom('3.0.0', '3.0.3', '3.1.0', '3.1.1'),
    base: fc.constantFrom<readonly [string | undefined, string]>(
      [undefined, '/v1/api'],
      [undefined, ''],
      ['/', '/v1/api'],
      ['/v1/api', ''],
      ['https://other.example/prefix/v1/api/', ''],
      ['https://other.example/prefix', '/v1/api'],
      ['{root}/v1/api', ''],
    ),
    hasAnswers: fc.boolean(),
    references: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
    composition: fc.constantFrom('plain', 'allOf', 'anyOf'),
    parametersOfPath: fc.boolean(),
    words: hostileWords,
  }),
});

const object = (...members: readonly string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(['localization', ...members].map((one) => [one, {}])),
});

const answers: Readonly<Record<Described, Schema>> = {
  queryLogs: object('records', 'hasMore', 'nextCursor', 'followCursor', 'partial'),
  openLogStream: { type: 'string' },
  cleanUpOrphans: object('operation', 'replayed'),
  listAlertRules: object('rules', 'workloads', 'destinations', 'providers', 'canManage'),
  listResources: object('resources'),
  listSecrets: object('environments', 'bindings', 'canManageSecrets'),
  listRepositories: object('repositories', 'nextPage'),
  listDeployments: object('deployments'),
  syncEnvironment: object('sync'),
  retryPreviewReporting: object('attempted', 'failed', 'succeeded'),
  listIntegrations: object('integrations'),
  getOperation: object('operation'),
  getIdentity: object('actor', 'capabilities'),
  listSources: object('sources', 'counts'),
  listApps: object('apps'),
  listEnvironments: object('environments'),
  listAppDeployments: object('deployments'),
  listOrphans: object('orphans'),
  getSync: object('sync'),
};

/** Operations that are similar to those of the contract, and are others. */
const others = [
  ['get /servers/{}/capacity', object('cpu', 'memory')],
  ['get /servers/{}/apps', object('apps', 'canManage')],
  ['get /github-like/repositories', object('repositories')],
  ['get /apps/{}/operations/{}', object('operation')],
  ['get /deployments/{}', object('deployment')],
  ['get /apps/{}', object('app', 'operation')],
  ['post /servers/{}/actions/check', object('operation')],
  ['post /logs/export', object('records')],
] as const;

/** The path of an operation below `/v1/api`, with the names of the contract for what is a parameter. */
export function pathOf(id: Described, { segments, operationPath }: Server): string {
  return (described[id].split(' ')[1] ?? '')
    .replace('ALERTS', segments.alerts)
    .replace('REPOSITORIES', segments.repositories)
    .replace('REPORTING', segments.reporting)
    .replace('OPERATION', operationPath);
}

/** The OpenAPI document of a server. */
export function descriptionOf(server: Server): Schema {
  const { style, names: own, isRequired } = server;
  const is31 = style.openapi.startsWith('3.1');
  const schemas: Record<string, Schema> = {};
  const nullable = (schema: Schema): Schema =>
    is31 ? { anyOf: [schema, { type: 'null' }] } : { ...schema, nullable: true };
  const text: Schema = is31 ? { type: ['string', 'null'] } : { type: 'string', nullable: true };

  function refer(id: string, schema: Schema): Schema {
    const { properties = {} } = schema;
    const composed = {
      plain: schema,
      allOf: { allOf: [object(), schema] },
      anyOf: { ...nullable({ ...schema, properties: { ...(properties as object) } }) },
    }[style.composition];
    if (style.references === 0) return composed;
    const at = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
    schemas[`${id}/~ ü`] = composed;
    schemas[`${id}2`] = at(`${id}~1~0%20%C3%BC`);
    return style.references === 1 ? at(`${id}~1~0 ü`) : at(`${id}2`);
  }

  const query = (name: string, schema: Schema, required = false): Schema => ({
    ...{ name, in: 'query', schema, ...(required ? { required } : {}) },
  });
  const uuid: Schema = {
    anyOf: [
      { const: 'server', type: 'string' },
      { type: 'string', format: 'uuid' },
    ],
  };
  const parameters: Partial<Record<Described, readonly Schema[]>> = {
    listAlertRules: [query(own.deployable, uuid)],
    listSecrets: [query(own.environment, nullable({ type: 'string', maxLength: 80 }))],
    listRepositories: [
      query(own.search, text, isRequired),
      query(own.page, { type: 'integer', minimum: 1 }),
    ],
  };
  const item: Schema = {
    type: 'object',
    required: ['name', ...(isRequired ? [own.kind] : [])],
    properties: { name: text, [own.kind]: { enum: ['container', 'image'] } },
  };
  const bodies: Partial<Record<Described, Schema>> = {
    queryLogs: object('filters', 'limit', 'cursor', 'direction'),
    openLogStream: object('filters', 'cursor'),
    cleanUpOrphans: {
      ...{ type: 'object', required: ['items'] },
      properties: { items: { type: 'array', items: refer('item', item) } },
    },
  };
  const content = (schema: Schema): Schema => ({
    content: { 'text/plain': {}, 'application/json; charset=utf-8': { schema } },
  });

  function operationOf(
    id: string,
    answer: Schema,
    body?: Schema,
    all: readonly Schema[] = [],
  ): Schema {
    return {
      operationId: 'get',
      description: style.words,
      ...(style.parametersOfPath ? {} : { parameters: all }),
      ...(body === undefined ? {} : { requestBody: content(refer(`${id}Body`, body)) }),
      responses: {
        '400': content(object('error')),
        ...(style.hasAnswers ? { '202': content(refer(id, answer)) } : { '200': {} }),
      },
    };
  }

  const [url, prefix] = style.base;
  const paths: Record<string, Record<string, unknown>> = {};
  function add(line: string, operation: Schema, all: readonly Schema[], parameter: string): void {
    const [method = '', path = ''] = line.split(' ');
    let count = 0;
    const template = path.replaceAll('{}', () => `{${parameter}${count++}}`);
    const parametersOfPath = style.parametersOfPath ? { parameters: all } : {};
    const before = paths[`${prefix}${template}`];
    paths[`${prefix}${template}`] = { ...before, ...parametersOfPath, [method]: operation };
  }

  for (const id of describedIds.filter((one) => !server.absent.includes(one))) {
    const [method = ''] = described[id].split(' ');
    const all = parameters[id] ?? [];
    const operation = operationOf(id, answers[id], bodies[id], all);
    for (const parameter of server.doubled.includes(id) ? [own.id, 'other'] : [own.id]) {
      add(`${method} ${pathOf(id, server)}`, operation, all, parameter);
    }
  }
  for (const [line, answer] of others) add(line, operationOf(line, answer), [], own.id);
  return {
    openapi: style.openapi,
    info: { title: style.words, version: server.version },
    ...(url === undefined ? {} : { servers: [{ url }, { url: '/elsewhere' }] }),
    paths,
    components: { schemas },
  };
}
