import { readJson, type Answer } from './sendRequest';
import type { Lenient } from './generated/shapes';
import { readLenient } from './lenient';
import type { Operation, Read } from './types';

/** Reads answers of one schema, whatever they lack, and notes what was of another type. */
export function lenient<Name extends keyof Lenient>(name: Name) {
  return async (answer: Answer): Promise<Read<Lenient[Name]>> =>
    readNoting(name, await readJson(answer), answer);
}

/** The operation may come with its localization around it or bare. */
export async function readOperation(answer: Answer): Promise<Operation> {
  const json = await readJson(answer);
  if (Object.hasOwn(json, 'operation')) {
    return readNoting('OperationResponse', json, answer).operation ?? {};
  }
  return readNoting('Operation', json, answer);
}

function readNoting<Name extends keyof Lenient>(
  name: Name,
  json: object,
  answer: Answer,
): Read<Lenient[Name]> {
  const { value, leftOut } = readLenient(name, json);
  answer.leftOut = leftOut;
  return value;
}
