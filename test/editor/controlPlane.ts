import type {
  Admin,
  ControlPlane,
  ControlPlaneOptions,
  ReceivedRequest,
  Report,
} from '../control-plane/server';
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
      const [reports, requests] = await reported(admin);
      await call(`/${started.id}/close`, []);
      refuse(reports, requests);
    },
  };
}

/** @throws if a control plane has reports, and removes them. */
export async function refuseReports(admin: RemoteAdmin): Promise<void> {
  refuse(...(await reported(admin)));
}

type Reported = [reports: readonly Report[], requests: readonly ReceivedRequest[]];

async function reported(admin: RemoteAdmin): Promise<Reported> {
  return [await admin.takeReports(), await admin.requests()];
}

function refuse(...[all, requests]: Reported): void {
  const reports = all.filter((report) => !wasUnderWay(report, requests));
  if (reports.length === 0) return;
  const lines = reports.map(
    ({ kind, what, request: { method, url, key } }) =>
      `${kind}: ${what} (${method} ${url}, ${key ?? 'no key'})`,
  );
  throw new Error(`The control plane reports:\n${lines.join('\n')}`);
}

/** Milliseconds until a client has received an answer, also on a busy machine. */
const untilSeen = 500;

/**
 * Whether a report is due to requests sent together: the first one was refused for its rate while
 * the others were already in transit.
 */
function wasUnderWay({ kind, request }: Report, requests: readonly ReceivedRequest[]): boolean {
  const hasJustBeenRefused = ({ status, at }: ReceivedRequest): boolean =>
    status === 429 && at <= request.at && request.at - at < untilSeen;
  return kind === 'beforeRetryAfter' && requests.some(hasJustBeenRefused);
}
