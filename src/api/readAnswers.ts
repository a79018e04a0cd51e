import { type LogQuery, type LogQueryPage, queryPageOf, queryRequestOf } from './cursors';
import type { Lenient } from './generated/shapes';
import { descriptionLimits, listingLimits, logPageLimits } from './jsonReader';
import { readLenient } from './readLenient';
import { readLogAnswer } from './readLogPage';
import { type HttpAnswer, readJson } from './sendRequest';
import { readServerDescription, type ServerFacts } from './serverDescription';
import type { Operation, Read } from './types';
import { protocolError } from './errors';

/** Reads responses of one schema leniently, and remembers the members that have another type. */
export function lenient<Name extends keyof Lenient>(name: Name) {
  return async (answer: HttpAnswer): Promise<Read<Lenient[Name]>> =>
    readLenientAnswer(name, await readJson(answer, listingLimits), answer);
}

/** The response is an operation, or an object with the operation and its localization. */
export async function readOperation(answer: HttpAnswer): Promise<Operation> {
  const json = await readJson(answer, listingLimits);
  if (Object.hasOwn(json, 'operation')) {
    return readLenientAnswer('OperationResponse', json, answer).operation ?? {};
  }
  return readLenientAnswer('Operation', json, answer);
}

/** @throws ApiError if the response describes no server that has anything of the contract. */
export async function readDescription(answer: HttpAnswer): Promise<ServerFacts> {
  const facts = readServerDescription(await readJson(answer, descriptionLimits));
  if (facts !== undefined) return facts;
  const { status } = answer.response;
  throw protocolError('wrongSchema', 'The response does not describe this API.', status);
}

/** @param query what the response is to. Its cursors have the filters that they were issued for. */
export async function readLogQueryPage(answer: HttpAnswer, query: LogQuery): Promise<LogQueryPage> {
  const page = readLogAnswer(await readJson(answer, logPageLimits));
  return queryPageOf(queryRequestOf(query), page, 'cursor' in query ? query.cursor : undefined);
}

function readLenientAnswer<Name extends keyof Lenient>(
  name: Name,
  json: object,
  answer: HttpAnswer,
): Read<Lenient[Name]> {
  const { value, leftOut } = readLenient(name, json);
  answer.leftOut = leftOut;
  return value;
}
