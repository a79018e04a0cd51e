import { protocolError } from './failure';
import type { Validator } from './generated/validators';
import { fieldOfProblem, problemOf } from './problemWords';

/** A path may hold names that the server made up. */
const maxField = 200;

/**
 * Answers the value itself where it is what the contract says.
 *
 * @param json undefined where the text was no JSON.
 * @throws ApiError of the kind `protocol` that names the field.
 */
export function readStrict<T>(validator: Validator<T>, json: unknown): T {
  if (validator(json)) return json;
  if (json === undefined) throw protocolError('notJson', 'The answer is malformed JSON.');
  const field = fieldOfProblem(problemOf(validator)).slice(0, maxField);
  throw protocolError('wrongSchema', `${field} of the answer is not what the contract says.`);
}
