import type { ApiError } from '../../api/errors';

/** What an error means for a tail. */
export type Meaning =
  /** It may be gone at the next try. */
  | 'passing'
  | 'rateLimited'
  /** The server does not accept the key. */
  | 'unknownKey'
  /** The server does not go on from the cursor, if there was one; else it refuses the request. */
  | 'lostCursor'
  /** There is no key. */
  | 'signedOut'
  | 'missingPermission'
  | 'notFound'
  /** The server would say the same again. */
  | 'refused';

export function meaningOf(error: ApiError): Meaning {
  switch (error.kind) {
    case 'network':
    case 'timeout':
    case 'protocol':
      return 'passing';
    case 'redirect':
      return 'refused';
    case 'signedOut':
      return 'signedOut';
    case 'http':
      return meaningOfStatus(error.status ?? guessStatus(error.code), error);
  }
}

function meaningOfStatus(status: number, { code, message }: ApiError): Meaning {
  switch (status) {
    case 400:
      return /cursor/i.test(`${code} ${message}`) ? 'lostCursor' : 'refused';
    case 401:
      return 'unknownKey';
    case 403:
      return 'missingPermission';
    case 404:
      return 'notFound';
    case 408:
    case 425:
      return 'passing';
    case 409:
    case 410:
    case 422:
      return 'lostCursor';
    case 429:
      return 'rateLimited';
    default:
      return status < 500 ? 'refused' : 'passing';
  }
}

/** An error that came as an event of the stream has no status: its code says what it means. */
function guessStatus(code: string): number {
  const words = wordsOf(code);
  const statuses: readonly (readonly [RegExp, number])[] = [
    [/cursor/, 410],
    [/\bunauth|\bcredential|\bapi ?key/, 401],
    [/\bforbidden|\bpermission|\bdenied/, 403],
    [/\bnot ?found/, 404],
    [/\brate ?(?:limit|exceeded)|\btoo ?many\b|\bthrottl/, 429],
  ];
  return statuses.find(([pattern]) => pattern.test(words))?.[1] ?? 500;
}

/** The words of a code however it joins them, so that `migrate_failed` has nothing of `rate`. */
function wordsOf(code: string): string {
  return code
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .replace(/[^A-Za-z]+/g, ' ')
    .toLowerCase();
}
