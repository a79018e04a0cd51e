import { InvalidRequestError, localizableMessage } from './errors';
import {
  CleanupRequest,
  LogQueryRequest,
  LogTailRequest,
  type Validator,
} from './generated/validators';
import type * as types from './types';
import { fieldOf, fieldOfProblem, problemOf, textOfProblem } from './validationMessage';

/** @throws InvalidRequestError if the contract does not allow the request. */
export function validateLogQuery(request: unknown): asserts request is types.LogQueryRequest {
  validate(LogQueryRequest, request);
  validateRange(request.filters);
}

/** @throws InvalidRequestError if the contract does not allow the request. */
export function validateLogTail(request: types.LogTailRequest): void {
  validate(LogTailRequest, request);
  validateRange(request.filters);
}

/** @throws InvalidRequestError if the contract does not allow these items. */
export function validateCleanup(request: { items: readonly { name: string }[] }): void {
  validate(CleanupRequest, request);
}

/**
 * Validates the parameters of an operation: path, query and header in one object.
 *
 * @throws InvalidRequestError if the contract does not allow them.
 */
export function validateParameters(
  validator: Validator<Record<string, unknown>>,
  parameters: Readonly<Record<string, unknown>>,
): void {
  validate(validator, parameters);
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value !== 'string') continue;
    const field = fieldOf(`/${name}`);
    // The contract allows these values, but a URL or a header cannot contain them.
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

/** Whether a header can contain this text unchanged. */
export function isHeaderValue(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

function validate<T>(validator: Validator<T>, value: unknown): asserts value is T {
  if (validator(value)) return;
  const problem = problemOf(validator);
  const field = fieldOfProblem(problem);
  const { problem: what, limit } = textOfProblem(problem, field);
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

/** Normalizes a valid UTC date of any precision, so that dates can be compared as text. */
function comparable(date: string): string {
  return date.replace(/(?:\.0+|(\.\d*?)0*)?Z$/, '$1');
}
