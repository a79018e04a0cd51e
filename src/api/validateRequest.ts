import { type LogQuery, type LogTail, queryRequestOf, tailRequestOf } from './cursors';
import { InvalidRequestError, type LocalizableMessage, localizableMessage } from './errors';
import {
  CleanupRequest,
  LogQueryRequest,
  LogTailRequest,
  parameters_post_servers_cleanup_orphans,
  type Problem,
  type Validator,
} from './generated/validators';
import type { RequestContent } from './operation';
import type * as types from './types';
import { compareTimestamps } from './utcTime';

/*
 * Each of the functions `…Content` takes the input of a call and returns what its request carries. They throw an
 * InvalidRequestError if the contract does not allow that.
 */

export function logQueryContent(query: LogQuery): RequestContent {
  const body = queryRequestOf(query);
  validateLogQuery(body);
  return { parameters: {}, body: JSON.stringify(body) };
}

export function logTailContent(tail: LogTail): RequestContent {
  const body = tailRequestOf(tail);
  validateLogTail(body);
  return { parameters: {}, body: JSON.stringify(body) };
}

type Parameters = Readonly<Record<string, unknown>>;

/** Of an operation without a body. */
export function parametersContent<P extends Parameters>(
  validator: Validator<P>,
): (parameters: P) => RequestContent {
  return (parameters) => {
    validateParameters(validator, parameters);
    return { parameters };
  };
}

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
  validator: Validator<unknown>,
  parameters: Readonly<Record<string, unknown>>,
): void {
  validate(validator, parameters);
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value !== 'string') continue;
    const field = fieldOf([name]);
    // The contract allows these values, but a URL or a header cannot contain them.
    if (!value.isWellFormed()) {
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
  const problem = validator.problemOf(value);
  if (problem === undefined) return;
  const field = fieldOf(problem.path);
  throw new InvalidRequestError(field, ...textOf(problem, field));
}

/** Names of the contract that differ from those of the client. */
const renamed: Readonly<Record<string, string>> = {
  ownerId: 'sourceId',
  'Idempotency-Key': 'idempotencyKey',
};

/** A field as people read it, such as `filters.workloadIds[2]`. */
function fieldOf(path: readonly string[]): string {
  const names = path.map((name) =>
    /^\d+$/.test(name) ? `[${name}]` : `.${renamed[name] ?? name}`,
  );
  return names.join('').slice(1) || 'request';
}

function validateRange({ from, to }: { from: string; to: string }): void {
  if (compareTimestamps(from, to) <= 0) return;
  throw new InvalidRequestError(
    'filters.from',
    localizableMessage('is later than filters.to'),
    localizableMessage('from, then to'),
  );
}

/** What is wrong with a field, and what is allowed. */
type ProblemText = readonly [problem: LocalizableMessage, limit: LocalizableMessage];

function textOf(problem: Problem, field: string): ProblemText {
  switch (problem.keyword) {
    case 'required':
      return [localizableMessage('is missing'), localizableMessage('required')];
    case 'additionalProperties':
      return [localizableMessage('is not known'), localizableMessage('no other members')];
    case 'type':
      return [localizableMessage('is of the wrong type'), localizableMessage('{0}', problem.type)];
    case 'enum':
      return [
        localizableMessage('is not an allowed value'),
        localizableMessage('{0}', problem.values.join(', ')),
      ];
    case 'minimum':
      return [
        localizableMessage('is too small'),
        localizableMessage('at least {0}', problem.limit),
      ];
    case 'maximum':
      return [localizableMessage('is too large'), localizableMessage('at most {0}', problem.limit)];
    // The only other minimum in the contract is 1.
    case 'minLength':
      return [localizableMessage('is empty'), localizableMessage('at least 1 character')];
    case 'minItems':
      return [localizableMessage('is empty'), localizableMessage('at least 1 item')];
    case 'maxLength':
      return [
        localizableMessage('is too long'),
        localizableMessage('at most {0} characters', problem.limit),
      ];
    case 'maxItems':
      return [
        localizableMessage('has too many items'),
        localizableMessage('at most {0} items', problem.limit),
      ];
    case 'pattern':
      return patternTexts.find(([pattern]) => pattern.test(field))?.[1] ?? uuid;
  }
}

const uuid: ProblemText = [
  localizableMessage('is not a UUID'),
  localizableMessage('version 1 to 8 and variant 8, 9, a or b, or all zeros, or all f'),
];

/** Descriptions of the patterns in the contract, by field. */
const patternTexts: readonly (readonly [RegExp, ProblemText])[] = [
  [
    /^filters\.(?:from|to)$/,
    [
      localizableMessage('is not a real date and time in UTC'),
      localizableMessage('such as 2026-11-20T12:00:00Z'),
    ],
  ],
  [
    /containerIds\[\d+\]$/,
    [localizableMessage('is not a container ID'), localizableMessage('64 of 0-9 and a-f')],
  ],
  [/traceId$/, [localizableMessage('is not a trace ID'), localizableMessage('32 of 0-9 and a-f')]],
  [
    /\.field$/,
    [
      localizableMessage('is not a field for conditions'),
      localizableMessage(
        'serverId, workloadId, deploymentId, previewId, containerId, service, stream, traceId, spanId, or attribute: and 1 to 128 characters',
      ),
    ],
  ],
  [
    /^environment$/,
    [
      localizableMessage('is not the name of an environment'),
      localizableMessage(
        'a lowercase letter, then up to 62 lowercase letters, digits or hyphens; optionally preview: first',
      ),
    ],
  ],
];

/** An item of a clean-up. Only a server that lists its orphans says of what kind they are. */
export interface CleanupItem {
  readonly name: string;
  readonly kind?: string | undefined;
}

/** As a server may list it. */
export const orphanKindForm = /^[a-z][a-z-]{0,31}$/;

/** Of a clean-up. The contract has no kinds: they are sent only as a server has listed them. */
export function cleanUpContent({
  parameters,
  body,
}: {
  readonly parameters: { readonly serverId: string; readonly 'Idempotency-Key': string };
  readonly body: { readonly items: readonly CleanupItem[] };
}): RequestContent {
  validateParameters(parameters_post_servers_cleanup_orphans, parameters);
  validateCleanup({ items: body.items.map(({ name }) => ({ name })) });
  if (body.items.some(({ kind }) => kind !== undefined && !orphanKindForm.test(kind))) {
    throw new InvalidRequestError(
      'items',
      localizableMessage('is not an allowed value'),
      localizableMessage('letters, digits, - . _ ~'),
    );
  }
  return { parameters, body: JSON.stringify(body) };
}

/**
 * The request body of a clean-up of these items.
 *
 * @param listed the same as a server lists them, if it does.
 */
export function cleanupBody(
  items: readonly string[],
  listed?: readonly CleanupItem[],
): { items: CleanupItem[] } {
  return {
    items: listed?.map(({ kind, name }) => ({ kind, name })) ?? items.map((name) => ({ name })),
  };
}

/**
 * The request body as text. A retry must send exactly this text, because the idempotency key belongs
 * to it.
 */
export function cleanupText(items: readonly string[], listed?: readonly CleanupItem[]): string {
  return JSON.stringify(cleanupBody(items, listed));
}
