import type { LogQueryFilters, LogTailFilters } from '../../src/api/types';
import { Failure } from './failure';
import { accessOf, type Key } from './keys';
import { printOf } from './random';

/** The position of a cursor: before the record `at` for `older`, at it for the others. */
export interface Position {
  readonly kind: 'older' | 'newer' | 'follow';
  readonly at: number;
  /** The snapshot that a search reads: the number after its last record, and its time. */
  readonly end: number;
  readonly time: number;
}

type Filters = LogQueryFilters | LogTailFilters;

export interface Cursors {
  issue(key: Key, filters: Filters, position: Position): string;
  /**
   * The position of a cursor of this key with exactly these filters, from either of the two
   * endpoints.
   *
   * - 422 `cursor_invalid`: not a cursor of this server, or not of an expected kind.
   * - 410 `cursor_expired`: the access has changed since, it was issued for another key, it is too
   *   old, or (thrown by the caller) its records were dropped.
   * - 409 `cursor_filter_mismatch`: issued for other filters.
   */
  read(cursor: string, key: Key, filters: Filters, kinds: readonly Position['kind'][]): Position;
  /** How a client misuses a cursor; undefined if it is valid or has only expired. */
  misuse(
    cursor: string,
    filters: Filters,
    kinds: readonly Position['kind'][],
  ): 'otherFilters' | 'brokenContract' | undefined;
  /** The number of the record of a cursor; undefined if this server did not issue it. */
  at(cursor: string): number | undefined;
  /** The error for a refused cursor, in the server's words. */
  refusal(status: number, message: string, code: string): Failure;
}

type Sealed = readonly [Position['kind'], number, number, number, string, string, number];

interface Options {
  /** Whether a refusal is a 400 that does not mention the cursor. */
  readonly isVague: () => boolean;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /** How old a cursor may be, in milliseconds. */
  readonly longestLife: () => number;
}

/**
 * Cursors are opaque and signed, so that an invented or altered one differs from an expired one.
 */
export function createCursors(secret: string, { isVague, now, longestLife }: Options): Cursors {
  const sign = (text: string): string => printOf(secret + text);
  /** A stream issues a cursor for each page, all for the same filters. */
  const digests = new WeakMap<Filters, string>();

  /** A digest of the filters that ignores order and empty filters. */
  function digest(filters: Filters): string {
    const known = digests.get(filters);
    if (known !== undefined) return known;
    const members = Object.entries(filters)
      .filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0))
      .map(([name, value]): [string, string] => [
        name,
        Array.isArray(value)
          ? value
              .map((item) => JSON.stringify(item))
              .sort()
              .join()
          : JSON.stringify(value),
      ])
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const made = printOf(JSON.stringify(members));
    digests.set(filters, made);
    return made;
  }

  function open(cursor: string): Sealed | undefined {
    const [body = '', signature = ''] = cursor.split('.');
    if (signature !== sign(body)) return undefined;
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as Sealed;
  }

  const refusal: Cursors['refusal'] = (status, message, code) =>
    isVague()
      ? new Failure(400, 'The request is not possible.')
      : new Failure(status, message, code);

  return {
    issue(key, filters, { kind, at, end, time }) {
      const sealed: Sealed = [kind, at, end, time, accessOf(key), digest(filters), now()];
      const body = Buffer.from(JSON.stringify(sealed)).toString('base64url');
      return `${body}.${sign(body)}`;
    },
    read(cursor, key, filters, kinds) {
      const sealed = open(cursor);
      if (!sealed) throw refusal(422, 'This server did not issue the cursor.', 'cursor_invalid');
      const [kind, at, end, time, access, issuedFor, issuedAt] = sealed;
      if (!kinds.includes(kind)) {
        throw refusal(422, `A cursor of kind ${kind} is not allowed here.`, 'cursor_invalid');
      }
      if (access !== accessOf(key)) {
        throw refusal(410, 'The access has changed since the cursor was issued.', 'cursor_expired');
      }
      if (issuedFor !== digest(filters)) {
        throw refusal(409, 'The cursor was issued for other filters.', 'cursor_filter_mismatch');
      }
      if (now() - issuedAt > longestLife()) {
        throw refusal(410, 'The cursor is too old.', 'cursor_expired');
      }
      return { kind, at, end, time };
    },
    misuse(cursor, filters, kinds) {
      const sealed = open(cursor);
      if (!sealed || !kinds.includes(sealed[0])) return 'brokenContract';
      return sealed[5] === digest(filters) ? undefined : 'otherFilters';
    },
    at: (cursor) => open(cursor)?.[1],
    refusal,
  };
}
