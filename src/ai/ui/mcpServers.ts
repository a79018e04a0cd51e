import * as vscode from 'vscode';
import { second } from '../../base/clock';
import { plainText } from '../../base/untrustedText';
import type { Session } from '../../connection/ui/session';
import { mcpProvider } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { UserError } from '../../vscode/errorMessages';
import { showFailure, signalOf } from '../../vscode/notifications';
import { apiSettings, mcpEnabled, mcpPath, onDidChangeSettings } from '../../vscode/settings';
import { systemClock } from '../../vscode/systemClock';
import { type McpAnswer, mcpHeaders, mcpUrl, tryMcpServer } from '../mcpServer';

const { t } = vscode.l10n;

/** Offers the control plane's own MCP server to the chat of VS Code while the setting allows it. */
export function registerMcpServer(session: Session, diagnostics: Diagnostics): vscode.Disposable {
  let registered: vscode.Disposable | undefined;
  const follow = (): void => {
    registered?.dispose();
    // Editors that are built on VS Code may not have it.
    const isThere = 'registerMcpServerDefinitionProvider' in vscode.lm;
    registered = isThere && mcpEnabled() ? register(session, diagnostics) : undefined;
  };
  follow();
  return vscode.Disposable.from(onDidChangeSettings('ai', follow), {
    dispose: () => void registered?.dispose(),
  });
}

function register(session: Session, diagnostics: Diagnostics): vscode.Disposable {
  const changes = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changes,
    session.onDidChange(() => changes.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(mcpProvider, {
      onDidChangeMcpServerDefinitions: changes.event,
      // VS Code keeps what this returns: without the key.
      async provideMcpServerDefinitions() {
        await session.ready;
        const { signedIn } = session;
        const url = signedIn && mcpUrl(signedIn.connection, mcpPath());
        if (signedIn === undefined || url === undefined) return [];
        const { name } = signedIn.connection;
        return [new vscode.McpHttpServerDefinition(name, vscode.Uri.parse(url))];
      },
      async resolveMcpServerDefinition(server, token) {
        try {
          return await withKey(session, server, token);
        } catch (error) {
          void showFailure(diagnostics, t('Could not start the MCP server.'), error);
          return undefined;
        }
      },
    }),
  );
}

/** The server with the key, if it is that of the connection and takes the key. @throws UserError */
async function withKey(
  session: Session,
  server: vscode.McpServerDefinition,
  token: vscode.CancellationToken,
): Promise<vscode.McpHttpServerDefinition | undefined> {
  await session.ready;
  const { signedIn } = session;
  const key = await signedIn?.readKey();
  const url = signedIn && mcpUrl(signedIn.connection, mcpPath());
  if (signedIn === undefined || key === undefined || url === undefined) return undefined;
  // VS Code may have kept the server of another connection.
  if (!('uri' in server) || server.uri.toString() !== vscode.Uri.parse(url).toString()) {
    return undefined;
  }
  const signal = AbortSignal.any([signalOf(token), signedIn.signal]);
  const timeoutMs = apiSettings().timeoutSeconds * second;
  const answer = await tryMcpServer(url, key, {
    fetch: (request) => fetch(request),
    clock: systemClock,
    timeoutMs,
    signal,
  });
  if (answer.kind !== 'ready') throw new UserError(problemText(answer, url));
  return new vscode.McpHttpServerDefinition(server.label, server.uri, mcpHeaders(key));
}

function problemText(answer: Exclude<McpAnswer, { kind: 'ready' }>, url: string): string {
  const shown = plainText(url);
  switch (answer.kind) {
    case 'none':
      return t(
        'There is no MCP server at {0}. If it has another path, set controlPlane.ai.mcpPath.',
        shown,
      );
    case 'signIn':
      return t(
        'The MCP server at {0} wants you to sign in with OAuth, not with an API key. Add it with MCP: Add Server….',
        shown,
      );
    case 'refused':
      return t('The MCP server at {0} does not accept the API key.', shown);
    case 'failed':
      return t('The MCP server at {0} answered with status {1}.', shown, answer.status);
  }
}
