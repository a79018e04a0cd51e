import { makeConnection, type Connection } from '../../../src/connection/connections';
import { inMemoryControlPlane, type InMemoryControlPlane } from '../../control-plane/inMemory';
import { permissions } from '../../control-plane/keys';
import type { FakeClock } from '../fakeClock';

/** A control plane and its connection. Its answers contain its URL as `newMember`. */
export interface Plane {
  readonly connection: Connection;
  readonly server: InMemoryControlPlane;
}

/**
 * Control planes that differ only in their keys and cursors: a request for one could be carried out
 * by another. Those of the same origin share their keys, as in a window.
 */
export interface Planes {
  readonly all: readonly Plane[];
  readonly fetch: (request: Request) => Promise<Response>;
  /** The latest key of a connection. */
  keyOf(connection: Connection): string;
  newKey(connection: Connection): string;
  /** From now on, reports every request to another control plane than that of this connection. */
  allowOnly(connection: Connection | undefined): void;
  /**
   * Removes and returns the reports of the control planes, each with its URL, and requests to
   * unknown URLs.
   */
  takeReports(): string[];
}

/** @param urls each with the name of its connection before its first dot. */
export function openPlanes(clock: FakeClock, urls: readonly string[]): Planes {
  const keys = new Map<string, string>();
  const strays: string[] = [];
  let count = 0;
  let allowed: Connection | undefined;
  const all = urls.map((url): Plane => {
    const connection = makeConnection(new URL(url).hostname.split('.')[0]!, url)!;
    const unkind = { extraMembers: url };
    return {
      connection,
      server: inMemoryControlPlane({ clock, url, unkind, operationSeconds: 60 }),
    };
  });
  function applyAllowed(): void {
    for (const { server } of all) {
      const change = server.url === allowed?.baseUrl ? 'allow' : 'forbid';
      Object.keys(server.keys).forEach((name) => server.admin[change](name));
    }
  }
  const planes: Planes = {
    all,
    fetch(request) {
      const plane = all.find(({ server }) => request.url.startsWith(`${server.url}/v1/api/`));
      if (plane !== undefined) return plane.server.fetch(request);
      strays.push(`no control plane at ${request.url}`);
      return Promise.reject(new TypeError('fetch failed'));
    },
    keyOf: ({ origin }) => keys.get(origin)!,
    newKey({ origin }) {
      const key = `key-${++count}-of-${origin}`;
      keys.set(origin, key);
      for (const { connection, server } of all) {
        if (connection.origin === origin) server.admin.addKey(key, permissions, key);
      }
      applyAllowed();
      return key;
    },
    allowOnly(connection) {
      allowed = connection;
      applyAllowed();
    },
    takeReports: () => [
      ...strays.splice(0),
      ...all.flatMap(({ server: { url, admin } }) =>
        admin.takeReports().map(({ kind, what }) => `${kind} at ${url}: ${what}`),
      ),
    ],
  };
  all.forEach(({ connection }) => planes.newKey(connection));
  return planes;
}
