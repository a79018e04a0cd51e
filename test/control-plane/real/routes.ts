import type { Call } from '../parts';
import { Failure } from '../failure';
import type { Members, Schema } from './schemas';

/** An endpoint: all that its routing, its validation and its description are made of. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below `/v1/api`; each parameter, which is a UUID, in braces. */
  readonly path: string;
  /** Undefined: any key will do. */
  readonly permission: string | undefined;
  readonly summary: string;
  /** The operation of the contract that it is. */
  readonly contractId?: string;
  /** Query parameters that are required, and others. */
  readonly query?: { readonly required?: Members; readonly optional?: Members };
  /** The body; undefined: it takes none, and what is sent as one is not read. */
  readonly body?: Schema;
  /** Whether it needs an idempotency key. */
  readonly isIdempotent?: boolean;
  /** The status of success (200). */
  readonly status?: 202 | ((answer: object) => number);
  /** The members of its answer besides `localization`. */
  readonly answer?: Members;
  /** The whole answer, if it is of the contract. */
  readonly answerSchema?: Schema;
  /** Called before the permission is looked at: who may not read secrets still is told that the owner is unknown. */
  readonly checkFirst?: (parameters: Call['parameters']) => void;
  readonly handle: (call: Call) => object | Promise<object>;
}

/** The id of an operation, as the server makes it of method and path. */
export function operationIdOf({ method, path }: Route): string {
  const words = path
    .slice(1)
    .replace(/\{\w*[iI]d\}/g, 'by_id')
    .replace(/[/-]/g, '_');
  return `${method.toLowerCase()}_${words}`;
}

/** The item with the id of a parameter (UUIDs ignore case). @throws 404 */
export function found<Item extends { readonly id: string }>(
  items: Iterable<Item>,
  id: unknown,
  what: string,
): Item {
  for (const one of items) if (one.id === String(id).toLowerCase()) return one;
  throw new Failure(404, `${what} not found.`);
}
