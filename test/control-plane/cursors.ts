import type { LogQueryFilters, LogTailFilters } from '../../src/api/types';
import type { Clock } from '../../src/base/clock';
import { getOrMake } from '../../src/base/maps';
import { Failure } from './failure';
import { accessOf, type Key } from './keys';
import { printOf } from './random';
import type { Unkindness } from './unkind';

/** The position of a cursor: before the record `at` for `older`, at it for the others. */
export interface Position {
  readonly kind: 'older' | 'newer' | 'follow';
  readonly at: number;
  /** The snapshot that a search reads: the number after its last record, and its time. */
  readonly end: number;
  readonly time: number;
}

type Filters = LogQueryFilters | LogTailFilters;
type Sealed = readonly [Position['kind'], number, number, number, string, string, number];

/**
 * Cursors are opaque and signed, so that an invented or altered one differs from an expired one.
 */
export class Cursors {
  /** A stream issues a cursor for each page, all for the same filters. */
  private readonly digests = new WeakMap<Filters, string>();

  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
    private readonly unkind: Unkindness,
  ) {}

  issue(key: Key, filters: Filters, { kind, at, end, time }: Position): string {
    const digest = this.digest(filters);
    const sealed: Sealed = [kind, at, end, time, accessOf(key), digest, this.clock.now()];
    const body = Buffer.from(JSON.stringify(sealed)).toString('base64url');
    return `${body}.${this.sign(body)}`;
  }

  /**
   * The position of a cursor of this key with exactly these filters, from either of the two
   * endpoints.
   *
   * - 422 `cursor_invalid`: not a cursor of this server, or not of an expected kind.
   * - 410 `cursor_expired`: the access has changed since, it was issued for another key, it is too
   *   old, or (thrown by the caller) its records were dropped.
   * - 409 `cursor_filter_mismatch`: issued for other filters.
   */
  read(cursor: string, key: Key, filters: Filters, kinds: readonly Position['kind'][]): Position {
    const sealed = this.open(cursor);
    if (!sealed) throw this.refusal(422, 'This server did not issue the cursor.', 'cursor_invalid');
    const [kind, at, end, time, access, issuedFor, issuedAt] = sealed;
    if (!kinds.includes(kind)) {
      throw this.refusal(422, `A cursor of kind ${kind} is not allowed here.`, 'cursor_invalid');
    }
    if (access !== accessOf(key))
      throw this.expired('The access has changed since the cursor was issued.');
    if (issuedFor !== this.digest(filters)) {
      const message = 'The cursor was issued for other filters.';
      throw this.refusal(409, message, 'cursor_filter_mismatch');
    }
    if (this.clock.now() - issuedAt > (this.unkind.cursorSeconds ?? Infinity) * 1000) {
      throw this.expired('The cursor is too old.');
    }
    return { kind, at, end, time };
  }

  /** How a client misuses a cursor; undefined if it is valid or has only expired. */
  misuse(
    cursor: string,
    filters: Filters,
    kinds: readonly Position['kind'][],
  ): 'otherFilters' | 'brokenContract' | undefined {
    const sealed = this.open(cursor);
    if (!sealed || !kinds.includes(sealed[0])) return 'brokenContract';
    return sealed[5] === this.digest(filters) ? undefined : 'otherFilters';
  }

  /** The number of the record of a cursor; undefined if this server did not issue it. */
  at(cursor: string): number | undefined {
    return this.open(cursor)?.[1];
  }

  expired(message: string): Failure {
    return this.refusal(410, message, 'cursor_expired');
  }

  /** The error for a refused cursor, in the server's words. */
  private refusal(status: number, message: string, code: string): Failure {
    return this.unkind.vagueCursors
      ? new Failure(400, 'The request is not possible.')
      : new Failure(status, message, code);
  }

  private open(cursor: string): Sealed | undefined {
    const [body = '', signature = ''] = cursor.split('.');
    if (signature !== this.sign(body)) return undefined;
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as Sealed;
  }

  private sign(text: string): string {
    return printOf(this.secret + text);
  }

  /** A digest of the filters that ignores order and empty filters. */
  private digest(filters: Filters): string {
    return getOrMake(this.digests, filters, () => {
      const members = Object.entries(filters)
        .filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0))
        .map(([name, value]) => {
          const items = (Array.isArray(value) ? value : [value]).map((one) => JSON.stringify(one));
          return `${name}: ${items.sort().join()}`;
        });
      return printOf(JSON.stringify(members.sort()));
    });
  }
}
