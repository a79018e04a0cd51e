import type {
  Admin,
  ControlPlane,
  ControlPlaneOptions,
  ReceivedRequest,
  Report,
} from '../control-plane/server';
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
  /** @throws where it reports what no test has expected; it ends nevertheless. */
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
    async close() {
      const [reports, requests] = await reported(admin);
      await call(`/${started.id}/close`, []);
      refuse(reports, requests);
    },
  };
}

/** @throws where a control plane reports what a client should not have done, and forgets it. */
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

/** Milliseconds after which a client has seen an answer, on a busy machine too. */
const untilSeen = 500;

/** Of several at once, the first one is refused for its rate while the others are on their way. */
function wasUnderWay({ kind, request }: Report, requests: readonly ReceivedRequest[]): boolean {
  const hasJustBeenRefused = ({ status, at }: ReceivedRequest): boolean =>
    status === 429 && at <= request.at && request.at - at < untilSeen;
  return kind === 'beforeRetryAfter' && requests.some(hasJustBeenRefused);
}
