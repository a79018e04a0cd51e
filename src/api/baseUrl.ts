/** Why a text is not a valid base URL. */
export type BaseUrlProblem =
  | 'empty'
  /** Not a URL, one that is too long, or one that is parsed differently from how it looks. */
  | 'notUrl'
  /** Neither `https` nor `http`. */
  | 'scheme'
  /** `http` to another machine, or by way of one: the key could be read on the way. */
  | 'httpNotLoopback'
  /** A user name or password before the host. */
  | 'userInfo'
  /** A dot after the host: the same host with another origin. */
  | 'trailingDot'
  /** A port that belongs to another protocol. */
  | 'blockedPort'
  | 'query'
  | 'fragment';

type ParsedBaseUrl =
  | {
      readonly ok: true;
      /** In canonical form, without a trailing slash and without `/v1/api`. */
      readonly baseUrl: string;
      /** Scheme, host and port. An API key is stored for one origin. */
      readonly origin: string;
    }
  | { readonly ok: false; readonly reason: BaseUrlProblem };

const apiPath = '/v1/api';
/** The longest base URL, in UTF-16 units. */
const longestUrl = 2000;

/** Parses the base URL of a control plane as the user typed or pasted it. Never throws. */
export function parseBaseUrl(text: string): ParsedBaseUrl {
  const trimmed = text.trim();
  const reason = problemOf(trimmed);
  if (reason !== undefined) return { ok: false, reason };
  const { origin, pathname } = new URL(trimmed);
  return { ok: true, baseUrl: origin + withoutApiPath(pathname), origin };
}

/**
 * A base URL as it was typed, with the scheme that is meant if it has none: `https`, on this machine `http`. Any other
 * text is returned as it is.
 */
export function withScheme(text: string): string {
  const trimmed = text.trim();
  const typed = `https://${trimmed}`;
  if (trimmed.includes('://') || trimmed.startsWith('/') || !parseBaseUrl(typed).ok) return text;
  return isLoopback(new URL(typed).hostname) ? `http://${trimmed}` : typed;
}

/** Without slashes and `/v1/api` at the end. No pattern finds these in linear time. */
function withoutApiPath(path: string): string {
  let end = path.length;
  for (;;) {
    if (path.endsWith('/', end)) end--;
    else if (path.endsWith(apiPath, end)) end -= apiPath.length;
    else return path.slice(0, end);
  }
}

function problemOf(text: string): BaseUrlProblem | undefined {
  if (text === '') return 'empty';
  if (text.length > longestUrl) return 'notUrl';
  // The URL standard removes tabs and line breaks and reads a backslash as a slash, so the text would
  // show another host than the one that gets the requests.
  // eslint-disable-next-line no-control-regex -- control characters are what this rejects
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'notUrl';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [, scheme, authority] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]+)/i.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) return 'notUrl';
  if (!/^https?$/i.test(scheme)) return 'scheme';
  if (authority.includes('@')) return 'userInfo';
  if (url === undefined) return 'notUrl';
  if (url.hostname.endsWith('.')) return 'trailingDot';
  if (blockedPorts.has(url.port)) return 'blockedPort';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'httpNotLoopback';
  // The parsed URL does not show an empty query or fragment.
  if (text.includes('#')) return 'fragment';
  if (text.includes('?')) return 'query';
  return undefined;
}

/** What `fetch` refuses, without saying so in a web page: https://fetch.spec.whatwg.org/#port-blocking */
const blockedPorts: ReadonlySet<string> = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 ' +
    '135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 ' +
    '995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
);

/**
 * Exactly the hosts that the network of VS Code reaches without a proxy, whatever its settings and the
 * environment say. It sends a request to any other, such as `127.0.0.2`, to the proxy: with the key, and
 * unprotected.
 *
 * @param hostname as the URL standard writes it: `127.1` is `127.0.0.1`.
 */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
