import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { LogQueryFilters, LogTailFilters } from '../../src/api/types';
import { Failure } from './failure';
import type { Key } from './keys';

/** Where a cursor stands: before the record `at` for `older`, at it for the others. */
export interface Position {
  readonly kind: 'older' | 'newer' | 'follow';
  readonly at: number;
  /** The snapshot that a search goes through: the number behind its last record, and its time. */
  readonly end: number;
  readonly time: number;
}

export interface Cursors {
  issue(key: Key, filters: LogQueryFilters, position: Position): string;
  /**
   * What a cursor of this key and these filters stands for.
   *
   * - 422 `cursor_invalid`: not a cursor of this server, or not one of the kinds that fit here.
   * - 410 `cursor_expired`: what the key may see has changed since, it was issued for another key,
   *   or (by the caller) its records have been dropped.
   * - 409 `cursor_filter_mismatch`: issued for other filters.
   */
  read(
    cursor: string,
    key: Key,
    filters: LogQueryFilters,
    kinds: readonly Position['kind'][],
  ): Position;
}

type Sealed = readonly [Position['kind'], number, number, number, string, string];

/** Opaque outside: signed, so that a made-up or altered one is told apart from an old one. */
export function createCursors(secret: string, options: { exactRange: boolean }): Cursors {
  const sign = (text: string): Buffer =>
    createHmac('sha256', secret).update(text).digest().subarray(0, 12);

  /** The filters without regard to order and to empty ones. */
  function digest(filters: LogQueryFilters | LogTailFilters, kind: Position['kind']): string {
    const members = Object.entries(filters)
      // The stream does not take these two, so a cursor that it goes on from cannot depend on them.
      .filter(([name]) => kind !== 'follow' || !['stream', 'conditionGroup'].includes(name))
      .filter(([name]) => options.exactRange || !['from', 'to'].includes(name))
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
    return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 16);
  }

  function open(cursor: string): Sealed | undefined {
    const [body = '', signature = ''] = cursor.split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = sign(body);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as Sealed;
  }

  return {
    issue(key, filters, { kind, at, end, time }) {
      const sealed: Sealed = [kind, at, end, time, accessOf(key), digest(filters, kind)];
      const body = Buffer.from(JSON.stringify(sealed)).toString('base64url');
      return `${body}.${sign(body).toString('base64url')}`;
    },
    read(cursor, key, filters, kinds) {
      const sealed = open(cursor);
      if (!sealed) throw new Failure(422, 'The cursor is not one of ours.', 'cursor_invalid');
      const [kind, at, end, time, access, filterDigest] = sealed;
      if (!kinds.includes(kind)) {
        throw new Failure(422, `A cursor of kind ${kind} does not fit here.`, 'cursor_invalid');
      }
      if (access !== accessOf(key)) {
        throw new Failure(410, 'The access has changed since the cursor.', 'cursor_expired');
      }
      if (filterDigest !== digest(filters, kind)) {
        throw new Failure(
          409,
          'The cursor was issued for other filters.',
          'cursor_filter_mismatch',
        );
      }
      return { kind, at, end, time };
    },
  };
}

/** The access revision: changes with the key and with what the key may see. */
export function accessOf(key: Key): string {
  return `${createHash('sha256').update(key.value).digest('hex').slice(0, 8)}-${key.revision}`;
}
