import { InvalidRequestError } from './errors';
import {
  CleanupRequest,
  LogQueryRequest,
  LogTailRequest,
  type Problem,
  type Validator,
} from './generated/validators';
import { phrase, type Phrase } from './phrase';
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
        phrase('is not well-formed text'),
        phrase('no half characters'),
      );
    }
    if (field === 'operationId' && /^\.\.?$/.test(value)) {
      throw new InvalidRequestError(
        field,
        phrase('cannot be part of a path'),
        phrase('more than dots'),
      );
    }
    if (field === 'idempotencyKey' && !isHeaderValue(value)) {
      throw new InvalidRequestError(
        field,
        phrase('cannot be sent as a header'),
        phrase('printable ASCII'),
      );
    }
  }
}

/** Whether a header carries this text unchanged. */
export function isHeaderValue(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

/** What a validator found in the value that it just refused. */
export function problemOf({ errors }: Validator<unknown>): Problem {
  return errors?.[0] ?? { keyword: 'type', instancePath: '', params: {} };
}

/** The field of a problem as a user would write it, such as `filters.workloadIds[2]`. */
export function fieldOfProblem({ keyword, instancePath, params }: Problem): string {
  const member =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : undefined;
  return fieldOf(typeof member === 'string' ? `${instancePath}/${escape(member)}` : instancePath);
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
    phrase('is later than filters.to'),
    phrase('from, then to'),
  );
}

/** A valid UTC date so that the order of texts is that of time: fractions may be of any length. */
function comparable(date: string): string {
  return date.replace(/(?:\.0+|(\.\d*?)0*)?Z$/, '$1');
}

function escape(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** What the contract calls otherwise than the functions of the client. */
const renamed: Readonly<Record<string, string>> = {
  ownerId: 'sourceId',
  'Idempotency-Key': 'idempotencyKey',
};

/** @param path a JSON pointer. */
function fieldOf(path: string): string {
  const members = path
    .split('/')
    .slice(1)
    .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (members.length === 0) return 'request';
  return members
    .map((member, index) => {
      if (/^\d+$/.test(member)) return `[${member}]`;
      return (index === 0 ? '' : '.') + (renamed[member] ?? member);
    })
    .join('');
}

interface Words {
  readonly problem: Phrase;
  readonly limit: Phrase;
}

function inWords({ keyword, params }: Problem, field: string): Words {
  const bound = typeof params['limit'] === 'number' ? params['limit'] : 0;
  switch (keyword) {
    case 'required':
      return { problem: phrase('is missing'), limit: phrase('required') };
    case 'additionalProperties':
      return { problem: phrase('is not known'), limit: phrase('no further members') };
    case 'type':
      return {
        problem: phrase('is of the wrong type'),
        limit: phrase('{0}', String(params['type'])),
      };
    case 'enum': {
      const values = params['allowedValues'];
      const list = Array.isArray(values) ? values.join(', ') : '';
      return { problem: phrase('is none of the known values'), limit: phrase('{0}', list) };
    }
    case 'minimum':
      return { problem: phrase('is too small'), limit: phrase('at least {0}', bound) };
    case 'maximum':
      return { problem: phrase('is too large'), limit: phrase('at most {0}', bound) };
    case 'minLength':
      return { problem: phrase('is empty'), limit: leastCharacters };
    case 'maxLength':
      return { problem: phrase('is too long'), limit: phrase('at most {0} characters', bound) };
    case 'minItems':
      return { problem: phrase('is empty'), limit: leastItems };
    case 'maxItems':
      return { problem: phrase('has too many items'), limit: phrase('at most {0} items', bound) };
    default:
      return formOf(field);
  }
}

/** The contract has no other bound than this on what may be empty. */
const leastCharacters = phrase('at least 1 character');
const leastItems = phrase('at least 1 item');

const uuid: Words = {
  problem: phrase('is not a UUID'),
  limit: phrase('version 1 to 8 and variant 8, 9, a or b, or all zeros, or all f'),
};
const date: Words = {
  problem: phrase('is not a real date and time in UTC'),
  limit: phrase('such as 2026-11-20T12:00:00Z'),
};

/** The forms that the contract has as patterns, which nobody wants to read, by field. */
const forms: readonly (readonly [RegExp, Words])[] = [
  [/^filters\.(?:from|to)$/, date],
  [
    /containerIds\[\d+\]$/,
    { problem: phrase('is not a container id'), limit: phrase('64 of 0-9 and a-f') },
  ],
  [/traceId$/, { problem: phrase('is not a trace id'), limit: phrase('32 of 0-9 and a-f') }],
  [
    /\.field$/,
    {
      problem: phrase('is no field that a condition can name'),
      limit: phrase(
        'serverId, workloadId, deploymentId, previewId, containerId, service, stream, traceId, spanId, or attribute: and 1 to 128 characters',
      ),
    },
  ],
  [
    /^environment$/,
    {
      problem: phrase('is not the name of an environment'),
      limit: phrase(
        'a lowercase letter, then up to 62 lowercase letters, digits or hyphens; preview: may stand before it',
      ),
    },
  ],
];

function formOf(field: string): Words {
  return forms.find(([pattern]) => pattern.test(field))?.[1] ?? uuid;
}
