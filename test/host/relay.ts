import { writeFile } from 'node:fs/promises';
import { startControlPlane, type ControlPlane } from '../control-plane/server';
import { failureFile, type Failure } from './failureFiles';
import { serveJson, type JsonServer } from './jsonServer';

/**
 * Starts control planes for tests inside the editor and relays their requests: `POST /start` with
 * the options of a control plane starts one, `POST /<id>/<method>` with an array of arguments calls
 * a method of its `admin` (or `close`). The web worker host cannot start a server, and a page may
 * not call the admin routes of a control plane. `POST /failure` writes the received requests to a
 * file.
 */
export async function startRelay(host: string): Promise<JsonServer> {
  const running = new Map<string, ControlPlane>();
  let started = 0;

  const server = await serveJson(async (path, body, origin) => {
    if (path === '/failure') return writeRequests(host, body as Failure, running);
    if (path === '/start') {
      const controlPlane = await startControlPlane(body as object);
      // The web worker host is a page, which sends the requests of the extension, too.
      if (origin !== undefined) controlPlane.allowOrigin(origin);
      const id = String(++started);
      running.set(id, controlPlane);
      const { url, keys, demoFolder, world } = controlPlane;
      return { id, url, keys, demoFolder, world };
    }
    const [, id = '', method = ''] = path.split('/');
    const controlPlane = running.get(id);
    if (!controlPlane) throw new Error(`No control plane ${id}.`);
    if (method === 'close') {
      running.delete(id);
      return controlPlane.close();
    }
    const called: unknown = Reflect.get(controlPlane.admin, method);
    if (typeof called !== 'function') throw new Error(`A control plane has no method ${method}.`);
    return Reflect.apply(called, controlPlane.admin, body as unknown[]) as unknown;
  });

  return {
    url: server.url,
    async close() {
      await Promise.all([...running.values()].map((controlPlane) => controlPlane.close()));
      await server.close();
    },
  };
}

/** Never headers or bodies: they contain keys and log text. */
async function writeRequests(
  host: string,
  { title, there }: Failure,
  running: ReadonlyMap<string, ControlPlane>,
): Promise<void> {
  const parts = [...running].map(([id, { url, admin }]) => {
    const lines = admin.requests().map(({ at, method, url: asked, status, key, isOver }) => {
      const answer = `${status ?? 'no status'}${isOver ? '' : ', not over'}`;
      return `${new Date(at).toISOString()} ${method} ${asked} ${answer} ${key ?? 'no key'}`;
    });
    return [`Control plane ${id} at ${url}, ${lines.length} requests:`, ...lines].join('\n');
  });
  const file = await failureFile(host, title, '.txt');
  await writeFile(file, [title, there, ...parts, ''].join('\n\n'));
}
