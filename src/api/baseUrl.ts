/** Why a text is no base URL. */
export type BaseUrlProblem =
  | 'empty'
  /** No URL, or one that is read differently from what it looks like. */
  | 'notUrl'
  /** Neither `https` nor `http`. */
  | 'scheme'
  /** `http` to another machine, where anybody on the way could read the key. */
  | 'httpNotLoopback'
  /** A name or password before the host. */
  | 'userInfo'
  /** A dot after the host: the same host under another origin. */
  | 'trailingDot'
  | 'query'
  | 'fragment';

export type ParsedBaseUrl =
  | {
      readonly ok: true;
      /** In its one canonical form, without a slash at the end and without `/v1/api`. */
      readonly baseUrl: string;
      /** Scheme, host and port: what a key is stored for. */
      readonly origin: string;
    }
  | { readonly ok: false; readonly reason: BaseUrlProblem };

/** Reads the base URL of a control plane as a person typed or pasted it. Never throws. */
export function parseBaseUrl(text: string): ParsedBaseUrl {
  const trimmed = text.trim();
  const reason = problemOf(trimmed);
  if (reason !== undefined) return { ok: false, reason };
  const { origin, pathname } = new URL(trimmed);
  return { ok: true, baseUrl: origin + pathname.replace(/(?:\/v1\/api|\/)*$/, ''), origin };
}

function problemOf(text: string): BaseUrlProblem | undefined {
  if (text === '') return 'empty';
  // The URL standard drops tabs and line breaks and reads a backslash as a slash: whoever looks at
  // such a text sees another host than the one that would be asked.
  // eslint-disable-next-line no-control-regex -- that is what must not be there
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'notUrl';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [, scheme, authority] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]+)/i.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) return 'notUrl';
  if (!/^https?$/i.test(scheme)) return 'scheme';
  if (authority.includes('@')) return 'userInfo';
  if (url === undefined) return 'notUrl';
  if (url.hostname.endsWith('.')) return 'trailingDot';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'httpNotLoopback';
  // An empty query or fragment has no trace in the parsed URL.
  if (text.includes('#')) return 'fragment';
  if (text.includes('?')) return 'query';
  return undefined;
}

/** @param hostname as the URL standard writes it, so that `127.1` has become `127.0.0.1`. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
