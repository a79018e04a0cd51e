import type { ApiError } from './errors';

/** Why no answer came, as far as it can be told: what a user is told to look at depends on it. */
export type NetworkProblem =
  /** Nobody listens there. */
  | 'refused'
  /** The name of the host is not known. */
  | 'dns'
  /** The connection broke. */
  | 'reset'
  /** Nobody whom this machine trusts vouches for the certificate. */
  | 'certificate'
  /** The certificate has expired, or is not valid yet. */
  | 'certificateExpired'
  /** The certificate is another host's. */
  | 'certificateHost'
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

const networkProblems: Readonly<Record<NetworkProblem, true>> = {
  refused: true,
  dns: true,
  reset: true,
  certificate: true,
  certificateExpired: true,
  certificateHost: true,
  proxy: true,
  offline: true,
  unreachable: true,
  cors: true,
  unknown: true,
};

/** From the most to the least telling: one text may bear several. */
const signs: readonly (readonly [NetworkProblem, RegExp])[] = [
  ['proxy', /\bproxy|\bproxies|ERR_PROXY|UND_ERR_PRX|ERR_TUNNEL|tunneling|\(407\)/i],
  ['certificateExpired', /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_CERT_DATE_INVALID/],
  ['certificateHost', /CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|ERR_CERT_COMMON_NAME_INVALID/],
  [
    'certificate',
    /\bCERT_|_CERT_|_CERT\b|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)|ERR_TLS_|ERR_SSL_|self[- ]signed certificate/,
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

/**
 * Tells from what `fetch` threw why there was no answer.
 *
 * @param asked the URL that was asked for, where it is known: whoever else does not answer is a proxy.
 */
export function networkProblemOf(thrown: unknown, asked?: string): NetworkProblem {
  const errors = errorsOf(thrown);
  // Codes first: a message names the host, which may be called anything, `proxy` for one.
  const texts = [...errors.map(({ code }) => code), ...errors.map(({ message }) => message)];
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    const found = signs.find(([, sign]) => sign.test(text))?.[0];
    if (found === undefined) continue;
    return isOfAddress.has(found) && isOfAnother(errors, asked) ? 'proxy' : found;
  }
  return isHiddenProxyLogin(errors) ? 'proxy' : 'unknown';
}

/** Problems of whoever was connected to; the errors say who that was. */
const isOfAddress: ReadonlySet<NetworkProblem> = new Set(['refused', 'dns', 'unreachable']);

/** Whether each error that names a port or a host names another one than we asked for. */
function isOfAnother(errors: readonly ErrorLike[], asked: string | undefined): boolean {
  if (asked === undefined) return false;
  const { protocol, hostname, port } = new URL(asked);
  const wanted = Number(port) || (protocol === 'https:' ? 443 : 80);
  const named = errors.flatMap((error) => [
    ...(typeof error.port === 'number' ? [error.port === wanted] : []),
    ...(typeof error.hostname === 'string' ? [error.hostname === hostname] : []),
  ]);
  return named.length > 0 && !named.includes(true);
}

/** Node's fetch keeps the status 407 to itself: all that is left of it is a cause that says nothing. */
function isHiddenProxyLogin([failed, cause, ...others]: readonly ErrorLike[]): boolean {
  return failed?.message === 'fetch failed' && cause?.message === '' && others.length === 0;
}

/** The same for an error of the client; undefined where the network is not to blame. */
export function networkProblem(error: ApiError): NetworkProblem | undefined {
  if (error.status === 407) return 'proxy';
  if (error.kind === 'timeout') return 'unreachable';
  if (error.kind !== 'network') return undefined;
  return isNetworkProblem(error.code) ? error.code : 'unknown';
}

function isNetworkProblem(code: string): code is NetworkProblem {
  return Object.hasOwn(networkProblems, code);
}

interface ErrorLike {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
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
