import { type Clock, minute, second } from '../base/clock';

/** What a server says of how many requests it still takes. */
interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** When it takes all of them again, in milliseconds from now. */
  readonly resetIn: number;
}

const longestHeader = 500;
/** How the headers of the drafts of the IETF write the numbers: `limit=60, remaining=9, reset=5`, then `"a";r=9;t=5`. */
const parameters = {
  limit: /\b(?:limit|q)=(\d{1,12})\b/i,
  remaining: /\b(?:remaining|r)=(\d{1,12})\b/i,
  reset: /\b(?:reset|t)=(\d{1,12})\b/i,
};

/** More seconds than these are counted from 1970. */
const sinceEpoch = 1e9;

/**
 * The limit of a server, by the headers of its answers (`X-RateLimit-…`, and `RateLimit…` of the IETF). Others behind the
 * same address may use it up, too: each answer says anew how much is left.
 */
export class ServerLimit {
  private quota: Quota | undefined;
  /** Until when it counts, on the monotonic clock. */
  private until = 0;

  constructor(private readonly clock: Clock) {}

  /** @param now in milliseconds since 1970, by the server's clock. */
  update(headers: Headers, now: number): void {
    const quota = readQuota(headers, now);
    if (quota === undefined) return;
    this.quota = quota;
    // A long window says little about the next minute, in which another answer may.
    this.until = this.clock.monotonic() + Math.min(quota.resetIn, minute);
  }

  /**
   * Milliseconds until a request may be sent that leaves a part of the limit for others.
   *
   * @param kept the part, from 0 to below 1.
   * @param unanswered requests that the server has perhaps not counted yet.
   */
  freeIn(kept: number, unanswered: number): number {
    if (this.quota === undefined) return 0;
    const { limit, remaining } = this.quota;
    if (remaining - unanswered > limit * kept) return 0;
    return Math.max(0, this.until - this.clock.monotonic());
  }
}

/**
 * Undefined if the headers are missing or make no sense.
 *
 * @param now as `update`.
 */
export function readQuota(headers: Headers, now: number): Quota | undefined {
  const [limit, remaining, reset] = (['limit', 'remaining', 'reset'] as const).map((name) => {
    const own = [`x-ratelimit-${name}`, `ratelimit-${name}`].map((one) => headers.get(one));
    const common = [headers.get('ratelimit'), headers.get('ratelimit-policy')].map(
      (text) => parameters[name].exec(text?.slice(0, longestHeader) ?? '')?.[1],
    );
    const found = [...own, ...common].find((text) => /^\d{1,12}\s*(?:[,;]|$)/.test(text ?? ''));
    return parseInt(found ?? '', 10);
  });
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  if (!(limit > 0) || !(remaining >= 0) || !(reset >= 0)) return undefined;
  const resetIn = reset > sinceEpoch ? reset * second - now : reset * second;
  return { limit, remaining: Math.min(limit, remaining), resetIn: Math.max(0, resetIn) };
}
