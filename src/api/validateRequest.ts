import { InvalidRequestError, localizableMessage } from './errors';
import {
  CleanupRequest,
  LogQueryRequest,
  LogTailRequest,
  type Validator,
} from './generated/validators';
import { fieldOf, fieldOfProblem, inWords, problemOf } from './problemText';
import type * as types from './types';

/** @throws InvalidRequestError where the contract does not allow the request. */
export function validateLogQuery(request: unknown): asserts request is types.LogQueryRequest {
  validate(LogQueryRequest, request);
  validateRange(request.filters);
}

/** @throws InvalidRequestError where the contract does not allow the request. */
export function validateLogTail(request: types.LogTailRequest): void {
  validate(LogTailRequest, request);
  validateRange(request.filters);
}

/** @throws InvalidRequestError where the contract does not allow these items. */
export function validateCleanup(request: { items: readonly { name: string }[] }): void {
  validate(CleanupRequest, request);
}

/**
 * Holds the parameters of an operation (path, query and header in one object) against the contract.
 *
 * @throws InvalidRequestError
 */
export function validateParameters(
  validator: Validator<Record<string, unknown>>,
  parameters: Readonly<Record<string, unknown>>,
): void {
  validate(validator, parameters);
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value !== 'string') continue;
    const field = fieldOf(`/${name}`);
    // What the contract allows and a URL does not hold, or takes for a step up the path.
    if (/\p{Surrogate}/u.test(value)) {
      throw new InvalidRequestError(
        field,
        localizableMessage('is not valid text'),
        localizableMessage('complete characters only'),
      );
    }
    if (field === 'operationId' && /^\.\.?$/.test(value)) {
      throw new InvalidRequestError(
        field,
        localizableMessage('cannot be part of a path'),
        localizableMessage('not only dots'),
      );
    }
    if (field === 'idempotencyKey' && !isHeaderValue(value)) {
      throw new InvalidRequestError(
        field,
        localizableMessage('cannot be sent as a header'),
        localizableMessage('printable ASCII'),
      );
    }
  }
}

/** Whether a header carries this text unchanged. */
export function isHeaderValue(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

function validate<T>(validator: Validator<T>, value: unknown): asserts value is T {
  if (validator(value)) return;
  const problem = problemOf(validator);
  const field = fieldOfProblem(problem);
  const { problem: what, limit } = inWords(problem, field);
  throw new InvalidRequestError(field, what, limit);
}

function validateRange({ from, to }: { from: string; to: string }): void {
  if (comparable(from) <= comparable(to)) return;
  throw new InvalidRequestError(
    'filters.from',
    localizableMessage('is later than filters.to'),
    localizableMessage('from, then to'),
  );
}

/** A valid UTC date so that the order of texts is that of time: fractions may be of any length. */
function comparable(date: string): string {
  return date.replace(/(?:\.0+|(\.\d*?)0*)?Z$/, '$1');
}
