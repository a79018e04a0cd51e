import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConnectArgument } from './connectAs';
import { within } from './processes';

/** Runs commands in a window from another process, with the extension in `driver-extension`. */
export interface Driver {
  /** Runs a command with JSON arguments; returns its result as JSON. */
  run(command: string, ...args: unknown[]): Promise<unknown>;
  /** Adds a connection to the user settings and connects with its key; returns whether it is connected. */
  connect(argument: ConnectArgument): Promise<boolean>;
  /** Changes user settings by their full names; null resets one. */
  set(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Calls a tool as a language model does; returns its text. */
  invokeTool(name: string, input: object): Promise<string>;
  /** Opens a file by its path, in the active editor. */
  open(file: string): Promise<void>;
  /** The number of folders in the workspace. */
  folders(): Promise<number>;
  /** The whole text of the output channel with this name; empty if it was never shown. */
  channel(name: string): Promise<string>;
  /** Stores a secret under this name, as another extension would. */
  storeSecret(name: string): Promise<void>;
  /**
   * Keeps the extension host alive for this many milliseconds after it is told to end, so that
   * everything else can end by itself. Resolves when they have passed.
   */
  lingerAtEnd(milliseconds: number): Promise<End>;
}

/** How an extension host was told to end. */
export interface End {
  /** The time it was told, in milliseconds since 1970. */
  readonly toldAt: number;
}

/** Where the drivers of windows report that they are ready. */
export interface DriverHub {
  /** For the environment of the extension hosts. */
  readonly url: string;
  /**
   * The driver of the next window that reports, once `load` has ended. A window that fails to load,
   * or does not report in time, takes nothing from the next one.
   */
  next(load: () => Promise<unknown>): Promise<Driver>;
  close(): Promise<void>;
}

/** `limit` is how long a loaded window may take to report, in milliseconds. */
export async function createDriverHub(limit = 60_000): Promise<DriverHub> {
  /** The oldest first. */
  const waiting = new Set<(url: string) => void>();
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const [first] = waiting;
      if (first) waiting.delete(first);
      first?.(text);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async next(load) {
      let resolveUrl: (url: string) => void = () => undefined;
      const announced = new Promise<string>((resolve) => waiting.add((resolveUrl = resolve)));
      try {
        await load();
        return driverAt(await within(limit, 'No extension host has started', announced));
      } finally {
        waiting.delete(resolveUrl);
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function driverAt(url: string): Driver {
  const ask = async (request: object): Promise<unknown> => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(request) });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text) as unknown;
  };
  return {
    run: (command, ...args) => ask({ command, args }),
    connect: async (connect) => Boolean(await ask({ connect })),
    async set(settings) {
      await ask({ settings });
    },
    async invokeTool(tool, input) {
      const parts = await ask({ tool, input });
      return Array.isArray(parts) ? parts.join('\n') : '';
    },
    async open(open) {
      await ask({ open });
    },
    folders: async () => Number(await ask({ folders: true })),
    channel: async (channel) => String(await ask({ channel })),
    async storeSecret(secret) {
      await ask({ secret });
    },
    lingerAtEnd: async (linger) => (await ask({ linger })) as End,
  };
}
