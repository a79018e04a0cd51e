import { localizableMessage, type LocalizableMessage } from './errors';
import type { Problem, Validator } from './generated/validators';

/** The problem that a validator found in the value that it just rejected. */
export function problemOf({ errors }: Validator<unknown>): Problem {
  return errors?.[0] ?? { keyword: 'type', instancePath: '', params: {} };
}

/** The path of the field with a problem, such as `filters.workloadIds[2]`. */
export function fieldOfProblem({ keyword, instancePath, params }: Problem): string {
  const member =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : undefined;
  return fieldOf(typeof member === 'string' ? `${instancePath}/${escape(member)}` : instancePath);
}

function escape(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Names of the contract that differ from those of the client. */
const renamed: Readonly<Record<string, string>> = {
  ownerId: 'sourceId',
  'Idempotency-Key': 'idempotencyKey',
};

/** @param path a JSON pointer within a request. */
export function fieldOf(path: string): string {
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

/** What is wrong with a field, and what is allowed. */
interface ProblemText {
  readonly problem: LocalizableMessage;
  readonly limit: LocalizableMessage;
}

/** @param field as `fieldOfProblem` returns it. */
export function textOfProblem({ keyword, params }: Problem, field: string): ProblemText {
  const bound = typeof params['limit'] === 'number' ? params['limit'] : 0;
  switch (keyword) {
    case 'required':
      return { problem: localizableMessage('is missing'), limit: localizableMessage('required') };
    case 'additionalProperties':
      return {
        problem: localizableMessage('is not known'),
        limit: localizableMessage('no other members'),
      };
    case 'type':
      return {
        problem: localizableMessage('is of the wrong type'),
        limit: localizableMessage('{0}', String(params['type'])),
      };
    case 'enum': {
      const values = params['allowedValues'];
      const list = Array.isArray(values) ? values.join(', ') : '';
      return {
        problem: localizableMessage('is not an allowed value'),
        limit: localizableMessage('{0}', list),
      };
    }
    case 'minimum':
      return {
        problem: localizableMessage('is too small'),
        limit: localizableMessage('at least {0}', bound),
      };
    case 'maximum':
      return {
        problem: localizableMessage('is too large'),
        limit: localizableMessage('at most {0}', bound),
      };
    case 'minLength':
      return { problem: localizableMessage('is empty'), limit: leastCharacters };
    case 'maxLength':
      return {
        problem: localizableMessage('is too long'),
        limit: localizableMessage('at most {0} characters', bound),
      };
    case 'minItems':
      return { problem: localizableMessage('is empty'), limit: leastItems };
    case 'maxItems':
      return {
        problem: localizableMessage('has too many items'),
        limit: localizableMessage('at most {0} items', bound),
      };
    default:
      return patternText(field);
  }
}

/** The only minimum in the contract is 1. */
const leastCharacters = localizableMessage('at least 1 character');
const leastItems = localizableMessage('at least 1 item');

const uuid: ProblemText = {
  problem: localizableMessage('is not a UUID'),
  limit: localizableMessage('version 1 to 8 and variant 8, 9, a or b, or all zeros, or all f'),
};
const date: ProblemText = {
  problem: localizableMessage('is not a real date and time in UTC'),
  limit: localizableMessage('such as 2026-11-20T12:00:00Z'),
};

/** Descriptions of the patterns in the contract, by field. */
const patternTexts: readonly (readonly [RegExp, ProblemText])[] = [
  [/^filters\.(?:from|to)$/, date],
  [
    /containerIds\[\d+\]$/,
    {
      problem: localizableMessage('is not a container ID'),
      limit: localizableMessage('64 of 0-9 and a-f'),
    },
  ],
  [
    /traceId$/,
    {
      problem: localizableMessage('is not a trace ID'),
      limit: localizableMessage('32 of 0-9 and a-f'),
    },
  ],
  [
    /\.field$/,
    {
      problem: localizableMessage('is not a field for conditions'),
      limit: localizableMessage(
        'serverId, workloadId, deploymentId, previewId, containerId, service, stream, traceId, spanId, or attribute: and 1 to 128 characters',
      ),
    },
  ],
  [
    /^environment$/,
    {
      problem: localizableMessage('is not the name of an environment'),
      limit: localizableMessage(
        'a lowercase letter, then up to 62 lowercase letters, digits or hyphens; optionally preview: first',
      ),
    },
  ],
];

function patternText(field: string): ProblemText {
  return patternTexts.find(([pattern]) => pattern.test(field))?.[1] ?? uuid;
}
