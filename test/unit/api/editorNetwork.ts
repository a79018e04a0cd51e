import {
  createFetchPatch,
  createProxyResolver,
  LogLevel,
  type ProxyAgentParams,
} from '@vscode/proxy-agent';
import { systemAuthority } from './certificates';

export interface EditorNetwork {
  /** As extensions use it, for requests that handle redirects themselves. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The setting `http.proxy`. */
  proxy: string | undefined;
}

/**
 * `fetch` of VS Code's extension host, made by the same code, with the default settings
 * `http.proxySupport` and `http.systemCertificates`, and without password prompts.
 *
 * @param env the environment, where `HTTP_PROXY` may name a proxy.
 */
export function editorNetwork(env: Readonly<Record<string, string>> = {}): EditorNetwork {
  const log = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
  const params: ProxyAgentParams = {
    resolveProxy: () => Promise.resolve(undefined),
    getProxyURL: () => self.proxy,
    getProxySupport: () => 'override',
    isAdditionalFetchSupportEnabled: () => true,
    isWebSocketPatchEnabled: () => true,
    addCertificatesV1: () => true,
    addCertificatesV2: () => false,
    loadSystemCertificatesFromNode: () => false,
    loadAdditionalCertificates: async () => [(await systemAuthority()).cert],
    lookupProxyAuthorization: () => Promise.resolve(undefined),
    log,
    getLogLevel: () => LogLevel.Off,
    proxyResolveTelemetry: ignore,
    isUseHostProxyEnabled: () => true,
    env,
  };
  const { resolveProxyURL } = createProxyResolver(params);
  const self: EditorNetwork = {
    fetch: createFetchPatch(params, globalThis.fetch, resolveProxyURL),
    proxy: undefined,
  };
  return self;
}

function ignore(): void {
  // Ignores messages for the log of the editor.
}
