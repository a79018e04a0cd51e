/** A request that this extension host has begun; a busy server may read it much later. */
interface BegunRequest {
  readonly url: string;
  readonly at: number;
  /** When an answer asked to wait, and until when (milliseconds since 1970). */
  askedToWait?: { readonly at: number; readonly until: number };
}

const begun: BegunRequest[] = [];
const { fetch } = globalThis;

globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  const request: BegunRequest = { url, at: Date.now() };
  begun.push(request);
  const response = await fetch(input, init);
  const at = Date.now();
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  if (response.status === 429) request.askedToWait = { at, until: at + seconds * 1000 };
  return response;
};

/** Returns a function that lists the URLs of all API requests that begin from now on. */
export function apiRequestsFromNow(): () => string[] {
  const { length } = begun;
  return () => begun.slice(length).flatMap(({ url }) => (url.includes('/v1/api/') ? [url] : []));
}

/**
 * Whether the client knew that it has to wait when it began the request that a server has read at this
 * time.
 */
export function knewToWait(path: string, readAt: number): boolean {
  const its = begun.filter(({ url, at }) => url.endsWith(path) && at <= readAt).at(-1);
  return begun.some(
    ({ askedToWait: wait }) =>
      its !== undefined && wait !== undefined && wait.at <= its.at && its.at < wait.until,
  );
}
