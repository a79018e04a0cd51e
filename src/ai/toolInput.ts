import { InvalidRequestError, localizableMessage } from '../api/errors';
import type { Validator } from '../api/generated/validators';
import { isObject } from '../base/json';
import { validateParameters } from '../api/validateRequest';

/**
 * Validates the input of a model against the schema in package.json, which VS Code does not do.
 *
 * @throws InvalidRequestError with the field and its limit.
 */
export function readInput<T extends Record<string, unknown>>(
  validator: Validator<T>,
  given: unknown,
): T {
  const input = given ?? {};
  if (isObject(input)) {
    validateParameters(validator, input);
    if (validator(input)) return input;
  }
  throw new InvalidRequestError(
    'input',
    localizableMessage('is of the wrong type'),
    localizableMessage('{0}', 'object'),
  );
}

export type Validated<V> = V extends Validator<infer T> ? T : never;
