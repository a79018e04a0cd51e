import type { LogQueryFilters, LogTailFilters } from '../../src/api/types';
import { Failure } from './failure';
import { accessOf, type Key } from './keys';
import { printOf } from './random';

/** Where a cursor stands: before the record `at` for `older`, at it for the others. */
export interface Position {
  readonly kind: 'older' | 'newer' | 'follow';
  readonly at: number;
  /** The snapshot that a search goes through: the number behind its last record, and its time. */
  readonly end: number;
  readonly time: number;
}

type Filters = LogQueryFilters | LogTailFilters;

export interface Cursors {
  issue(key: Key, filters: Filters, position: Position): string;
  /**
   * What a cursor of this key and these very filters stands for, whichever of the two endpoints has
   * issued it.
   *
   * - 422 `cursor_invalid`: not a cursor of this server, or not one of the kinds that fit here.
   * - 410 `cursor_expired`: what the key may see has changed since, it was issued for another key,
   *   or (by the caller) its records have been dropped.
   * - 409 `cursor_filter_mismatch`: issued for other filters.
   */
  read(cursor: string, key: Key, filters: Filters, kinds: readonly Position['kind'][]): Position;
  /** What a client has done wrong with a cursor; undefined where it is good or only too old. */
  misuse(
    cursor: string,
    filters: Filters,
    kinds: readonly Position['kind'][],
  ): 'otherFilters' | 'brokenContract' | undefined;
  /** The number of the record that a cursor stands at; undefined where it is none of ours. */
  at(cursor: string): number | undefined;
  /** The refusal of a cursor, as the server words it. */
  refusal(status: number, message: string, code: string): Failure;
}

type Sealed = readonly [Position['kind'], number, number, number, string, string];

interface Options {
  /** Whether a cursor is bound to `from` and `to` as to every other filter. */
  readonly exactRange: boolean;
  /** Whether a refusal is a 400 that does not say what it is about. */
  readonly isVague: () => boolean;
}

/** Opaque outside: signed, so that a made-up or altered one is told apart from an old one. */
export function createCursors(secret: string, { exactRange, isVague }: Options): Cursors {
  const sign = (text: string): string => printOf(secret + text);
  /** A stream issues a cursor a page, all for the same filters. */
  const digests = new WeakMap<Filters, string>();

  /** The filters without regard to order and to empty ones. */
  function digest(filters: Filters): string {
    const known = digests.get(filters);
    if (known !== undefined) return known;
    const members = Object.entries(filters)
      .filter(([name]) => exactRange || !['from', 'to'].includes(name))
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
    isVague() ? new Failure(400, 'That is not possible.') : new Failure(status, message, code);

  return {
    issue(key, filters, { kind, at, end, time }) {
      const sealed: Sealed = [kind, at, end, time, accessOf(key), digest(filters)];
      const body = Buffer.from(JSON.stringify(sealed)).toString('base64url');
      return `${body}.${sign(body)}`;
    },
    read(cursor, key, filters, kinds) {
      const sealed = open(cursor);
      if (!sealed) throw refusal(422, 'The cursor is not one of ours.', 'cursor_invalid');
      const [kind, at, end, time, access, issuedFor] = sealed;
      if (!kinds.includes(kind)) {
        throw refusal(422, `A cursor of kind ${kind} does not fit here.`, 'cursor_invalid');
      }
      if (access !== accessOf(key)) {
        throw refusal(410, 'The access has changed since the cursor.', 'cursor_expired');
      }
      if (issuedFor !== digest(filters)) {
        throw refusal(409, 'The cursor was issued for other filters.', 'cursor_filter_mismatch');
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
