import type { Admin, ControlPlane, ControlPlaneOptions, Report } from '../control-plane/server';
import { knewToWait } from './begun';
import { testEnvironment } from './environment';

/**
 * The `admin` of a control plane, called from inside the editor: the same methods, returning
 * promises.
 */
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
  /** @throws if it reports something that the test does not expect; it closes anyway. */
  close(): Promise<void>;
}

/**
 * Starts a control plane for a test, outside the editor; works in both extension hosts. Tests close
 * the ones they start; any others end with the run.
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
  // test/host/relay.ts answers with these members of a ControlPlane.
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
    async close() {
      const reports = await admin.takeReports();
      await call(`/${started.id}/close`, []);
      refuse(reports);
    },
  };
}

/** @throws if a control plane has reports, and removes them. */
export async function refuseReports(admin: RemoteAdmin): Promise<void> {
  refuse(await admin.takeReports());
}

function refuse(all: readonly Report[]): void {
  // Of requests sent together, one was refused for its rate while the others were on their way.
  const reports = all.filter(
    ({ kind, request: { url, at } }) => kind !== 'beforeRetryAfter' || knewToWait(url, at),
  );
  if (reports.length === 0) return;
  const lines = reports.map(
    ({ kind, what, request: { method, url, key } }) =>
      `${kind}: ${what} (${method} ${url}, ${key ?? 'no key'})`,
  );
  throw new Error(`The control plane reports:\n${lines.join('\n')}`);
}
