import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { connectAs, type ConnectArgument } from '../connectAs';
import { registerMemoryFiles } from './memoryFiles';

/** A request of a test to the window; see `Driver` in test/host/driver.ts. */
interface Request {
  readonly command?: string;
  readonly args?: readonly unknown[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly tool?: string;
  readonly input?: object;
  readonly open?: string;
  readonly channel?: string;
  readonly secret?: string;
  readonly folders?: true;
  readonly linger?: number;
  readonly connect?: ConnectArgument;
}

/** The pending answer for the end of this host, and the delay of that end. */
let atEnd: { readonly response: ServerResponse; readonly linger: number } | undefined;

async function answer(request: Request, secrets: vscode.SecretStorage) {
  const { command, args = [], settings, tool, input = {}, open, channel, secret } = request;
  if (request.connect) return connectAs(request.connect);
  if (request.folders) return vscode.workspace.workspaceFolders?.length ?? 0;
  if (secret !== undefined) {
    await secrets.store(secret, String(Date.now()));
    return undefined;
  }
  if (open !== undefined) {
    await vscode.window.showTextDocument(vscode.Uri.file(open));
    return undefined;
  }
  if (channel !== undefined) {
    const shown = vscode.workspace.textDocuments.filter(
      ({ uri }) => uri.scheme === 'output' && uri.path.endsWith(`-${channel}`),
    );
    // There are two for a moment while one is replaced.
    return shown.at(-1)?.getText() ?? '';
  }
  if (settings) {
    for (const [name, value] of Object.entries(settings)) {
      const { Global } = vscode.ConfigurationTarget;
      await vscode.workspace.getConfiguration().update(name, value ?? undefined, Global);
    }
  }
  if (tool !== undefined) {
    const { content } = await vscode.lm.invokeTool(tool, {
      toolInvocationToken: undefined,
      input,
    });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''));
  }
  return command === undefined ? undefined : vscode.commands.executeCommand(command, ...args);
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  secrets: vscode.SecretStorage,
): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  const asked = JSON.parse(body) as Request;
  if (asked.linger !== undefined) {
    atEnd = { response, linger: asked.linger };
    return;
  }
  try {
    const result: unknown = await answer(asked, secrets);
    response.end(JSON.stringify(result ?? null));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
}

/** Listens on loopback, and reports its address to the test that waits at `DCP_DRIVER_URL`. */
export async function activate({ subscriptions, secrets }: vscode.ExtensionContext): Promise<void> {
  subscriptions.push(registerMemoryFiles());
  const test = process.env['DCP_DRIVER_URL'];
  if (!test) return;
  const server = createServer((request, response) => void respond(request, response, secrets));
  subscriptions.push({
    dispose() {
      if (atEnd === undefined) server.closeAllConnections();
      server.close();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await fetch(test, { method: 'POST', body: `http://127.0.0.1:${port}` });
}

/** The other extensions of this host are also told to end; the host waits for each. */
export async function deactivate(): Promise<void> {
  if (atEnd === undefined) return;
  const { response, linger } = atEnd;
  const toldAt = Date.now();
  await new Promise((resolve) => setTimeout(resolve, linger));
  await new Promise<void>((resolve) => response.end(JSON.stringify({ toldAt }), resolve));
}
