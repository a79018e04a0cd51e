import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';

/** A host that can be reached only through a proxy of these tests. */
export const hostBehindProxy = 'control-plane.test';

/** A proxy on loopback that passes each `CONNECT` to its listener. */
export function createProxy(onConnect: (socket: Duplex, request: IncomingMessage) => void): Server {
  return createServer((_, response) => response.writeHead(405).end()).on(
    'connect',
    (request, socket: Duplex) => {
      socket.on('error', () => socket.destroy());
      onConnect(socket, request);
    },
  );
}

/** Connects a client of the proxy to a server on loopback with any requested name. */
export function tunnel(socket: Duplex, server: NetServer): void {
  const onward = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(onward).pipe(socket);
  }).on('error', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}

export interface LoopbackServers {
  /** Starts listening; returns the port. */
  listen(server: NetServer): Promise<number>;
  /** Closes all servers and every connection, including tunnels. */
  close(): void;
}

export function loopbackServers(): LoopbackServers {
  const servers = new Set<NetServer>();
  const sockets = new Set<Duplex>();
  return {
    async listen(server) {
      servers.add(server);
      server.on('connection', (socket: Duplex) => sockets.add(socket));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      for (const server of servers) server.close();
      sockets.clear();
      servers.clear();
    },
  };
}
