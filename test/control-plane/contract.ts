import contract from '../../src/api/openapi.json';
import * as validators from '../../src/api/generated/validators';
import { Failure } from './failure';

const bodies: Record<string, validators.Validator<unknown>> = {
  post_logs_query: validators.LogQueryRequest,
  post_logs_tail: validators.LogTailRequest,
  post_servers_cleanup_orphans: validators.CleanupRequest,
};

/** Of each operation: the generated one with its name. */
const parameters = new Map<string, validators.Validator<unknown>>(Object.entries(validators));

const base = '/v1/api';

/** An operation of the contract. Method, path and permission come from the contract alone. */
export interface Operation {
  readonly id: string;
  readonly permission: string;
  readonly method: string;
  readonly path: RegExp;
  /** The names of the parameters in the path. */
  readonly names: readonly string[];
}

interface Described {
  readonly operationId: string;
  readonly 'x-permission': string;
}

const operations = Object.entries(contract.paths as Record<string, Record<string, Described>>)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, described })),
  )
  .map(({ path, method, described }): Operation => ({
    id: described.operationId,
    permission: described['x-permission'],
    method: method.toUpperCase(),
    path: new RegExp(`^${base}${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
    names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  }));

/** A parsed request: an operation of the contract with its parameters, not yet validated. */
export interface Asked {
  readonly operation: Operation;
  readonly inPath: readonly string[];
  readonly query: string;
}

/** @throws 404 if the contract has no such operation. */
export function findOperation(method: string, url: string): Asked {
  const [path = '', query = ''] = url.split('?', 2);
  for (const operation of operations) {
    if (operation.method !== method) continue;
    const found = operation.path.exec(path);
    if (found) return { operation, inPath: found.slice(1), query };
  }
  throw new Failure(404, 'There is no such endpoint.');
}

/**
 * Returns the value, typed by the validator. @throws 400 with the field and what is wrong with it.
 */
function checked(validator: validators.Validator<unknown>, value: unknown): unknown {
  const problem = validator.problemOf(value);
  if (problem === undefined) return value;
  const { path, keyword, ...allowed } = problem;
  const field = path.join('.') || 'The request';
  throw new Failure(400, `${field} breaks ${keyword} ${JSON.stringify(allowed)}`);
}

/**
 * All parameters of a request. @throws 400 for one that is not in the contract or breaks its
 * limits.
 */
export function checkedParameters(
  { operation, inPath, query }: Asked,
  idempotencyKey: string | undefined,
): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  operation.names.forEach((name, index) => (given[name] = inPath[index]));
  for (const [name, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(given, name)) throw new Failure(400, `The parameter ${name} is given twice.`);
    // Numbers in a query are text.
    given[name] = name === 'page' && /^-?\d+$/.test(value) ? Number(value) : value;
  }
  if (operation.id === 'post_servers_cleanup_orphans' && idempotencyKey !== undefined) {
    given['Idempotency-Key'] = idempotencyKey;
  }
  const validator = parameters.get(`parameters_${operation.id}`);
  if (validator === undefined) throw new Error(`There is no validator for ${operation.id}.`);
  return checked(validator, given) as Record<string, unknown>;
}

/** The body of a request. @throws 400 if it breaks the contract, or if the operation takes none. */
export function checkedBody(
  { operation }: Asked,
  body: string | undefined,
  contentType: string | undefined,
): unknown {
  const validator = bodies[operation.id];
  if (!validator) {
    if (body !== undefined && body !== '') throw new Failure(400, 'This request takes no body.');
    return undefined;
  }
  if (!/^application\/json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw new Failure(400, `The body must be application/json, not ${contentType ?? 'unknown'}.`);
  }
  return checked(validator, parsed(body ?? ''));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure(400, `The body is not valid JSON: ${String(error)}`);
  }
}
