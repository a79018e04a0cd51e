import { inTime } from '../api/sendRequest';
import type { Clock } from '../base/clock';
import type { Connection } from '../connection/connections';

/** What a control plane says at the path of its MCP server. */
export type McpAnswer =
  | { readonly kind: 'ready' }
  /** There is none, or it is somewhere else. */
  | { readonly kind: 'none' }
  /** It wants a sign-in of its own (OAuth), for which an API key is no use. */
  | { readonly kind: 'signIn' }
  /** It does not accept the key. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly status: number };

/** The URL of the MCP server of a connection; undefined if the path would lead to another origin. */
export function mcpUrl({ baseUrl, origin }: Connection, path: string): string | undefined {
  const text = `${baseUrl}${path}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.origin === origin ? url.href : undefined;
}

/** The headers with the key. */
export function mcpHeaders(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** The version of the protocol that a server is asked for; it answers with its own. */
const protocolVersion = '2025-06-18';

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'deployment-control-plane', version: '1' },
  },
});

interface McpOptions {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly clock: Clock;
  /** The longest wait for each answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks a server whether it speaks MCP and accepts the key, before VS Code gets the key. A redirect is not followed, so
 * the key stays with this origin. Ends the session that the question began, if the server lets it.
 *
 * @throws ApiError of the kind `timeout` or `network`, and the signal's reason.
 */
export async function tryMcpServer(
  url: string,
  key: string,
  { fetch, ...limits }: McpOptions,
): Promise<McpAnswer> {
  const send = (
    method: 'POST' | 'DELETE',
    more: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Response> =>
    inTime(limits, url, async (signal) => {
      const headers = { ...mcpHeaders(key), ...more };
      const content = body === undefined ? {} : { body };
      const answer = await fetch(
        new Request(url, { method, headers, ...content, redirect: 'manual', signal }),
      );
      await answer.body?.cancel();
      return answer;
    });
  const accepted = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const response = await send('POST', accepted, initialize);
  const session = response.headers.get('mcp-session-id');
  if (session !== null) {
    const ending = send('DELETE', { 'mcp-session-id': session });
    // A session that does not end by that ends by itself.
    await ending.catch(() => limits.signal.throwIfAborted());
  }
  return answerOf(response);
}

function answerOf({ ok, status, headers }: Response): McpAnswer {
  const type = headers.get('content-type') ?? '';
  // A server that answers every path with a page has no MCP server at this one.
  if (ok)
    return { kind: /^(?:application\/json|text\/event-stream)\b/i.test(type) ? 'ready' : 'none' };
  switch (status) {
    case 401:
      return { kind: wantsOAuth(headers) ? 'signIn' : 'refused' };
    case 403:
      return { kind: 'refused' };
    // A redirect that is not followed has no status in a browser.
    case 0:
    case 404:
    case 405:
    case 410:
    case 501:
      return { kind: 'none' };
    default:
      return status >= 300 && status < 400 ? { kind: 'none' } : { kind: 'failed', status };
  }
}

/** The MCP specification: a server that takes OAuth names where its authorization is described. */
function wantsOAuth(headers: Headers): boolean {
  return /\bresource_metadata\s*=/i.test(headers.get('www-authenticate') ?? '');
}
