import type { ApiError } from './errors';

/** Why no answer came, as far as it can be told: what a user is told to look at depends on it. */
export type NetworkProblem =
  /** Nobody listens there. */
  | 'refused'
  /** The name of the host is not known. */
  | 'dns'
  /** The connection broke. */
  | 'reset'
  /** The certificate is unknown, expired or another host's. */
  | 'certificate'
  /** The proxy refused, wants a login (407) or cannot be reached. */
  | 'proxy'
  /** There is no network. */
  | 'offline'
  /** The host does not answer. */
  | 'unreachable'
  /**
   * A browser hides the reason: the server does not allow this origin (CORS), or any of the above.
   */
  | 'cors'
  | 'unknown';

/** From the most to the least telling: one text may bear several. */
const signs: readonly (readonly [NetworkProblem, RegExp])[] = [
  ['proxy', /\bproxy|\bproxies|ERR_PROXY|UND_ERR_PRX|ERR_TUNNEL|tunneling|\(407\)/i],
  [
    'certificate',
    /\bCERT_|_CERT_|_CERT\b|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|self[- ]signed certificate/,
  ],
  ['refused', /ECONNREFUSED|ERR_CONNECTION_REFUSED/],
  ['dns', /ENOTFOUND|EAI_[A-Z]+|ERR_NAME_NOT_RESOLVED/],
  ['offline', /ENETUNREACH|ENETDOWN|ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/],
  [
    'unreachable',
    /ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT|ERR_(?:CONNECTION_)?TIMED_OUT|ERR_ADDRESS_UNREACHABLE/,
  ],
  [
    'reset',
    /ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT|ERR_CONNECTION_(?:RESET|CLOSED|ABORTED)|ERR_EMPTY_RESPONSE|socket hang up|\bterminated\b|Premature close/,
  ],
  ['cors', /^(?:Failed to fetch|Load failed|NetworkError when attempting)/],
];

/** Errors within errors, and errors beside each other; nobody nests deeper. */
const maxErrors = 20;

/** Tells from what `fetch` threw why there was no answer. */
export function networkProblemOf(thrown: unknown): NetworkProblem {
  const errors = errorsOf(thrown);
  // Codes first: a message names the host, which may be called anything, `proxy` for one.
  const texts = [...errors.map(({ code }) => code), ...errors.map(({ message }) => message)];
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    const found = signs.find(([, sign]) => sign.test(text));
    if (found !== undefined) return found[0];
  }
  return isHiddenProxyLogin(errors) ? 'proxy' : 'unknown';
}

/** Node's fetch keeps the status 407 to itself: all that is left of it is a cause that says nothing. */
function isHiddenProxyLogin([failed, cause, ...others]: readonly ErrorLike[]): boolean {
  return failed?.message === 'fetch failed' && cause?.message === '' && others.length === 0;
}

/** The same for an error of the client; undefined where the network is not to blame. */
export function networkProblem(error: ApiError): NetworkProblem | undefined {
  if (error.status === 407) return 'proxy';
  if (error.kind === 'timeout') return 'unreachable';
  return error.kind === 'network' ? networkProblemOf(error.cause) : undefined;
}

interface ErrorLike {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** An error, its causes and the errors that it is made of. */
function errorsOf(thrown: unknown): ErrorLike[] {
  const queue: unknown[] = [thrown];
  const errors: ErrorLike[] = [];
  while (queue.length > 0 && errors.length < maxErrors) {
    const error = queue.shift();
    if (!isErrorLike(error)) continue;
    errors.push(error);
    queue.push(error.cause);
    if (Array.isArray(error.errors)) queue.push(...(error.errors as unknown[]));
  }
  return errors;
}

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null;
}
