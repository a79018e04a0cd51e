import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startControlPlane, type ControlPlane } from '../control-plane/server';

/** Starts control planes for tests inside the editor and passes on what they ask of them. */
export interface Relay {
  url: string;
  close(): Promise<void>;
}

/**
 * Listens on loopback: `POST /start` with the options of a control plane starts one, `POST
 * /<id>/<method>` with an array of arguments calls a method of its `admin` (or `close`). The web
 * worker host can start no server, and a page may not call a control plane's own admin routes.
 */
export async function startRelay(): Promise<Relay> {
  const running = new Map<string, ControlPlane>();

  const answer = async (path: string, body: unknown): Promise<unknown> => {
    if (path === '/start') {
      const controlPlane = await startControlPlane(body as object);
      const id = String(running.size + 1);
      running.set(id, controlPlane);
      const { url, keys, demoFolder, world } = controlPlane;
      return { id, url, keys, demoFolder, world };
    }
    const [, id = '', method = ''] = path.split('/');
    const controlPlane = running.get(id);
    if (!controlPlane) throw new Error(`There is no control plane ${id}.`);
    if (method === 'close') return controlPlane.close();
    const called: unknown = Reflect.get(controlPlane.admin, method);
    if (typeof called !== 'function') throw new Error(`A control plane has no ${method}.`);
    return Reflect.apply(called, controlPlane.admin, body as unknown[]) as unknown;
  };

  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'content-type');
    void respond(request, response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await Promise.all([...running.values()].map((controlPlane) => controlPlane.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (path: string, body: unknown) => Promise<unknown>,
): Promise<void> {
  if (request.method === 'OPTIONS') {
    response.end();
    return;
  }
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  try {
    const result = await answer(request.url ?? '', JSON.parse(text));
    response.end(JSON.stringify(result ?? null));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
}
