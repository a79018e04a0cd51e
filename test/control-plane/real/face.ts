import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { keyOf, reported, single } from '../admission';
import type { Face, FaceKind } from '../face';
import { errorObject, Failure } from '../failure';
import type { Key } from '../keys';
import type { ApiRequest, Parts } from '../parts';
import { components, describe, queryOf } from './description';
import { localized } from './localization';
import { operationIdOf, type Route } from './routes';
import { uuid, type Schema } from './schemas';
import { serverRoutes } from './serverRoutes';
import { sourceRoutes } from './sourceRoutes';
import { createState, type State } from './state';
import { RequestWindows } from './windows';
import { workloadRoutes } from './workloadRoutes';
import { logRoutes, workspaceRoutes } from './workspaceRoutes';

/** What a member may do: everything that needs no administrator. */
const ofMembers = [
  ...['identity.read', 'repository.read', 'deployment.read', 'workload.read', 'resource.read'],
  ...['server.read', 'watch.read', 'alert.read', 'logs.read', 'secret.list', 'secret.update'],
  ...['sharedSecret.list', 'sharedSecret.update', 'sharedSecret.reference', 'watch.configure'],
  ...['alert.configure', 'githubInstallation.read', 'repository.connect', 'repository.update'],
  ...['repository.sync', 'repository.disconnect'],
];
const ofAdministrators = [
  ...['deployment.create', 'deployment.cancel', 'workload.operate', 'resource.backup'],
  ...['resource.restore', 'server.prepare', 'server.update', 'server.credentials'],
  ...['server.remove', 'integration.manage', 'notification.manage', 'system.read'],
  'system.manage',
];
const permissions = [...ofMembers, ...ofAdministrators];

const base = '/v1/api';
const maxBody = 1_048_576;
/** How many requests an address, and a key, may send in a minute. */
const perMinute = 60;

/** What this server calls what the document has other names for, or none. */
const codes: Readonly<Record<string, string>> = {
  unavailable: 'SERVICE_UNAVAILABLE',
  internal_error: 'INTERNAL_ERROR',
};

/** An error from before the endpoint is called, which has no localization. */
class EarlyFailure extends Failure {}

/**
 * A control plane with its own names where the API document leaves them open, with endpoints that the document does
 * not have, a description of itself, and rules as strict as its limits. Its log endpoints are those of the document.
 *
 * Besides the usual keys there are `demo-member`, of a member of the team, and `demo-team`, of no person.
 */
export const realFace: FaceKind = {
  permissions,

  create(parts, { random, stepSeconds }): Face {
    const { clock, keys, world } = parts;
    keys.add('demo-member', ofMembers);
    keys.add('demo-team', permissions, { actor: 'team-key' });
    const ids = random.fork('requests');
    let made: State | undefined;
    const state = (): State =>
      (made ??= createState(world, random, { now: () => clock.now(), stepSeconds }));
    let endpoints: Endpoints | undefined;
    const known = (): Endpoints => (endpoints ??= new Endpoints(routesOf(parts, state())));
    const limits = new Limits(parts);

    return {
      answersPages: true,
      requestIdOf: ({ headers }) => {
        const given = single(headers['x-request-id']) ?? '';
        return /^[\w.:-]{1,100}$/.test(given) ? given : ids.uuid();
      },
      headersOf: ({ address }) => limits.headersOf(address),

      failed(failure, requestId, { key }) {
        const code = codes[failure.code] ?? failure.code.toUpperCase();
        const body = errorObject(requestId, code, failure.message);
        if (failure instanceof EarlyFailure || key === undefined) return body;
        return localized(body, keys.named(key));
      },

      admit(request, received) {
        const { method, url, headers, body: text, signal, address } = request;
        const key = keyOf(parts, request, received);
        if (key !== undefined) parts.journal.arrives(received);
        limits.countAddress(address);
        if (headers['origin'] !== undefined) {
          throw new EarlyFailure(403, 'The origin of the request is not allowed.');
        }
        if (key === undefined) {
          const challenge = { 'www-authenticate': 'Bearer realm="control-plane"' };
          throw new EarlyFailure(401, 'A valid API key is required.', undefined, challenge);
        }
        limits.countKey(key);
        if (key.access === 'read' && method !== 'GET' && method !== 'HEAD') {
          throw new EarlyFailure(403, 'This API key may only read.');
        }
        const asked = known().find(method, url);
        const { route, id, inPath } = asked;
        if (id !== 'post_logs_tail') parts.journal.begins(key, received, signal);
        route.checkFirst?.(inPath);
        if (route.permission !== undefined && !key.permissions.has(route.permission)) {
          throw new Failure(403, `The permission ${route.permission} is required.`);
        }
        if ((text?.length ?? 0) > maxBody) throw new Failure(413, 'The body is too large.');
        return reported(parts, received, () => ({
          key,
          operation: { id },
          ...known().checked(asked, request),
        }));
      },

      async answer(call) {
        const route = known().byId(call.operation.id);
        const answer = await route.handle(call);
        const { status = 200 } = route;
        return {
          status: typeof status === 'number' ? status : status(answer),
          answer: isDescription(route) ? answer : localized(answer, call.key),
        };
      },

      changesOf: (id) => state().changesOf(id),
      deploy: (id, given, steps) => state().deployments.deploy(id, given, steps),
      running: (id) => made?.deployments.running(id),
      operations: () => state().cleanUps.all(),
    };
  },
};

function isDescription({ path }: Route): boolean {
  return path === '/openapi.json';
}

/** Everything that the server has. */
function routesOf(parts: Parts, state: State): readonly Route[] {
  const routes: Route[] = [
    ...logRoutes(parts),
    ...sourceRoutes(state),
    ...serverRoutes(state),
    ...workloadRoutes(state),
    ...workspaceRoutes(state),
    {
      method: 'GET',
      path: '/openapi.json',
      permission: undefined,
      summary: 'Get this description',
      answerSchema: { type: 'object' },
      handle: () => (description ??= describe(routes)),
    },
  ];
  let description: object | undefined;
  return routes;
}

/** Counts requests of addresses, and of keys. */
class Limits {
  private readonly addresses: RequestWindows;
  private readonly keys: RequestWindows;

  constructor(private readonly parts: Pick<Parts, 'clock' | 'unkind'>) {
    this.addresses = new RequestWindows(parts.clock);
    this.keys = new RequestWindows(parts.clock);
  }

  countAddress(address: string): void {
    if (this.addresses.count(address) <= this.most) return;
    const { ms } = this.addresses.leftOf(address, this.most);
    throw limited(Math.max(1, Math.ceil(ms / 1000)));
  }

  countKey({ name }: Key): void {
    const { key: most = perMinute } = this.parts.unkind.perMinute ?? {};
    // However much of its window is left.
    if (this.keys.count(name) > most) throw limited(60);
  }

  /** What the headers say is about the address. */
  headersOf(address: string): Readonly<Record<string, string>> {
    const { requests, ms } = this.addresses.leftOf(address, this.most);
    return {
      'cache-control': 'no-store',
      'x-ratelimit-limit': String(this.most),
      'x-ratelimit-remaining': String(requests),
      'x-ratelimit-reset': String(Math.ceil((this.parts.clock.now() + ms) / 1000)),
    };
  }

  private get most(): number {
    return this.parts.unkind.perMinute?.workspace ?? perMinute;
  }
}

function limited(seconds: number): Failure {
  const message = 'Too many requests. Try again later.';
  return new EarlyFailure(429, message, undefined, { 'retry-after': String(seconds) });
}

interface Asked {
  readonly route: Route;
  /** That of the contract, or its own. */
  readonly id: string;
  readonly inPath: Readonly<Record<string, string>>;
  readonly query: string;
}

interface Endpoint {
  readonly route: Route;
  readonly id: string;
  readonly form: RegExp;
  readonly names: readonly string[];
}

/** Finds the endpoint of a request, and checks the request. */
class Endpoints {
  private readonly all: readonly Endpoint[];
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  /** For queries, whose numbers are text. */
  private readonly lenientAjv = new Ajv2020({
    ...{ strict: false, validateFormats: false, coerceTypes: true },
  });
  private readonly validators = new Map<Schema, ValidateFunction>();

  constructor(routes: readonly Route[]) {
    this.all = routes.map((route) => ({
      route,
      id: route.contractId ?? operationIdOf(route),
      form: new RegExp(`^${base}${route.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
      names: [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    }));
  }

  byId(id: string): Route {
    return this.all.find((one) => one.id === id)!.route;
  }

  /** @throws 404 */
  find(method: string, url: string): Asked {
    const [path = '', query = ''] = url.split('?', 2);
    for (const { route, id, form, names } of this.all) {
      const match = route.method === method ? form.exec(path) : null;
      if (match === null) continue;
      const values = names.map((name, index) => [name, match[index + 1] ?? ''] as const);
      return { route, id, inPath: Object.fromEntries(values), query };
    }
    throw new Failure(404, 'Route not found.');
  }

  /** The parameters and the body of a request. @throws 400 for one that is not described, or beyond its limits. */
  checked({ route, inPath, query }: Asked, { headers, body: text }: ApiRequest) {
    for (const id of Object.values(inPath)) this.check(uuid, id);
    const given: Record<string, unknown> = {};
    for (const [name, value] of new URLSearchParams(query)) {
      if (Object.hasOwn(given, name)) throw new Failure(400, 'Invalid input: expected one value.');
      given[name] = value;
    }
    this.check(queryOfRoute(route), given, this.lenientAjv);
    const body = route.body && this.parsed(text, single(headers['content-type']));
    if (route.body) this.check(route.body, body);
    return { parameters: { ...inPath, ...given, ...this.idempotencyKey(route, headers) }, body };
  }

  private idempotencyKey({ isIdempotent }: Route, headers: ApiRequest['headers']) {
    if (!isIdempotent) return {};
    const key = (single(headers['idempotency-key']) ?? '').trim();
    if (key !== '' && key.length <= 255) return { 'Idempotency-Key': key };
    const message = 'An idempotency key of 1 to 255 characters is required.';
    throw new Failure(400, message, 'IDEMPOTENCY_KEY_REQUIRED');
  }

  private parsed(text = '', contentType = ''): unknown {
    if (!/^application\/json\s*(?:;|$)/i.test(contentType)) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      throw new Failure(400, 'The body is not valid JSON.', 'MALFORMED_JSON');
    }
  }

  /** @throws 400 with what is wrong first, but not where. */
  private check(schema: Schema, value: unknown, ajv = this.ajv): void {
    let validate = this.validators.get(schema);
    if (validate === undefined) {
      validate = ajv.compile({ ...schema, components });
      this.validators.set(schema, validate);
    }
    if (validate(value)) return;
    throw new Failure(400, `Invalid input: ${validate.errors?.[0]?.message ?? ''}`);
  }
}

const queries = new WeakMap<Route, Schema>();

/** The same object each time, so that it is compiled once. */
function queryOfRoute(route: Route): Schema {
  const known = queries.get(route) ?? queryOf(route);
  queries.set(route, known);
  return known;
}
