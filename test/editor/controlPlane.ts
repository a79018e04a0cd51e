import type { Admin, ControlPlane, ControlPlaneOptions } from '../control-plane/server';
import { testEnvironment } from './environment';

/** A control plane's `admin`, called from inside the editor: the same methods, each a promise. */
export type RemoteAdmin = {
  [Method in keyof Admin]: (
    ...args: Parameters<Admin[Method]>
  ) => Promise<Awaited<ReturnType<Admin[Method]>>>;
};

export interface RemoteControlPlane extends Pick<
  ControlPlane,
  'url' | 'keys' | 'demoFolder' | 'world'
> {
  admin: RemoteAdmin;
  close(): Promise<void>;
}

/**
 * Starts a control plane of its own for a test, outside the editor; works in both extension hosts.
 * The tests close what they started; what they forget ends with the run.
 */
export async function startControlPlane(
  options: Omit<ControlPlaneOptions, 'now'> = {},
): Promise<RemoteControlPlane> {
  const { relayUrl } = await testEnvironment();
  const call = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${relayUrl}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  // The relay answers with what test/host/relay.ts takes from a ControlPlane.
  const started = (await call('/start', options)) as Pick<
    RemoteControlPlane,
    'url' | 'keys' | 'demoFolder' | 'world'
  > & { id: string };
  const admin = new Proxy({} as RemoteAdmin, {
    get:
      (_, method) =>
      (...args: unknown[]) =>
        call(`/${started.id}/${String(method)}`, args),
  });
  return {
    ...started,
    admin,
    close: async () => {
      await call(`/${started.id}/close`, []);
    },
  };
}
