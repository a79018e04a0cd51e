import type { ApiError } from './errors';

/** Why there was no response, as far as it is known. The advice to the user depends on it. */
export type NetworkProblem =
  /** No process listens on the port. */
  | 'refused'
  /** The host name is unknown. */
  | 'dns'
  /** The connection broke, perhaps after the request was sent. TLS can fail then, too. */
  | 'reset'
  /** This machine does not trust the certificate. */
  | 'certificate'
  /** The certificate has expired or is not valid yet. */
  | 'certificateExpired'
  /** The certificate belongs to another host. */
  | 'certificateHost'
  /** The proxy refused the request, requires a login (407) or cannot be reached. */
  | 'proxy'
  /** There is no network. */
  | 'offline'
  /** The host does not respond. */
  | 'unreachable'
  /** A browser hides the reason: the server does not allow this origin (CORS), or one of the above. */
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

/** The most specific first, because a text can match several. */
const patterns: readonly (readonly [NetworkProblem, RegExp])[] = [
  ['proxy', /\bproxy|\bproxies|ERR_PROXY|UND_ERR_PRX|ERR_TUNNEL|tunneling|\(407\)/i],
  ['certificateExpired', /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_CERT_DATE_INVALID/],
  ['certificateHost', /CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|ERR_CERT_COMMON_NAME_INVALID/],
  [
    'certificate',
    /\bCERT_|_CERT_|_CERT\b|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)|ERR_TLS_|self[- ]signed certificate/,
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
    /ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT|ERR_CONNECTION_(?:RESET|CLOSED|ABORTED)|ERR_EMPTY_RESPONSE|ERR_SSL_|socket hang up|\bterminated\b|Premature close/,
  ],
  ['cors', /^(?:Failed to fetch|Load failed|NetworkError when attempting)/],
];

/** How many nested errors are examined. */
const maxErrors = 20;

/**
 * Determines from what `fetch` threw why there was no response.
 *
 * @param requestUrl if an error names another host or port, that is a proxy.
 */
export function networkProblemOf(thrown: unknown, requestUrl?: string): NetworkProblem {
  const errors = errorsOf(thrown);
  // Codes first: a message contains the host name, which could be `proxy`.
  const texts = [...errors.map(({ code }) => code), ...errors.map(({ message }) => message)];
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    const found = patterns.find(([, pattern]) => pattern.test(text))?.[0];
    if (found === undefined) continue;
    return hasAddress.has(found) && isForAnotherAddress(errors, requestUrl) ? 'proxy' : found;
  }
  return isHiddenProxyLogin(errors) ? 'proxy' : 'unknown';
}

/** Problems for which the errors name the host or port of the connection. */
const hasAddress: ReadonlySet<NetworkProblem> = new Set(['refused', 'dns', 'unreachable']);

/** Whether all errors that name a port or a host name another one than that of the request. */
function isForAnotherAddress(
  errors: readonly ErrorLike[],
  requestUrl: string | undefined,
): boolean {
  if (requestUrl === undefined) return false;
  const { protocol, hostname, port } = new URL(requestUrl);
  const wanted = Number(port) || (protocol === 'https:' ? 443 : 80);
  const named = errors.flatMap((error) => [
    ...(typeof error.port === 'number' ? [error.port === wanted] : []),
    ...(typeof error.hostname === 'string' ? [error.hostname === hostname] : []),
  ]);
  return named.length > 0 && !named.includes(true);
}

/** Whether the cause was 407: the fetch of Node.js hides that and throws an error with an empty cause. */
function isHiddenProxyLogin([failed, cause, ...others]: readonly ErrorLike[]): boolean {
  return failed?.message === 'fetch failed' && cause?.message === '' && others.length === 0;
}

/** The network problem of an error of the client. Undefined if it is not a network problem. */
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

/** An error with its causes and the errors of an AggregateError. */
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
