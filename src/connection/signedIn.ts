import type { ClientOptions, ControlPlaneClient } from '../api/client';
import { createClient } from '../api/createClient';
import { ConnectionLeftError } from '../api/errors';
import { second } from '../api/clock';
import { clockSkew } from './check';
import type { Connection } from './connections';

/** Where keys are read: always that of one connection, which has to be named. */
export interface KeyReader {
  /** Undefined where there is none, or where the storage fails: then the user is signed out. */
  get(connection: Connection): Promise<string | undefined>;
}

/** What the clients of all connections have in common. */
export type CommonClientOptions = Omit<ClientOptions, 'baseUrl' | 'token' | 'lifetime'>;

/**
 * A connection and the way to ask it, from the sign-in until it is left: signed out, switched, removed,
 * or given another URL. Whatever runs for a connection is given this and asks nobody else, so that it
 * ends with it, and never has the key of another one.
 */
export interface SignedInConnection {
  readonly connection: Connection;
  /** Sends the key of this connection to its base URL; ends with `signal` whatever it is asked. */
  readonly client: ControlPlaneClient;
  /** The key of this connection; undefined once it was left. */
  readonly readKey: () => Promise<string | undefined>;
  /** Aborted with a `ConnectionLeftError` once the connection is left: what comes then is too late. */
  readonly signal: AbortSignal;
  /** The time zone of the control plane's workspace, once an answer has said it. */
  readonly timeZone: string | undefined;
  /** How far the control plane's clock is ahead of this machine's, in milliseconds, by its last answer. */
  readonly clockAhead: number;
}

/** A client of a connection. There is no way to give it a key but by the connection that it asks. */
export function clientOf(
  connection: Connection,
  keys: KeyReader,
  options: CommonClientOptions,
  lifetime?: AbortSignal,
): ControlPlaneClient {
  return createClient({
    ...options,
    baseUrl: connection.baseUrl,
    token: () => keys.get(connection),
    ...(lifetime === undefined ? {} : { lifetime }),
  });
}

/** The key that somebody has typed for a connection, before it is kept. */
export function typedKey(connection: Connection, apiKey: string): KeyReader {
  return { get: (asked) => Promise.resolve(asked === connection ? apiKey : undefined) };
}

/** @returns what runs for the connection is given, and what ends it all. */
export function signInto(
  connection: Connection,
  keys: KeyReader,
  options: CommonClientOptions,
): { readonly signedIn: SignedInConnection; readonly leave: () => void } {
  const life = new AbortController();
  const { signal } = life;
  let timeZone: string | undefined;
  let clockAhead = 0;
  const client = clientOf(
    connection,
    keys,
    {
      ...options,
      onDidRequest(entry) {
        clockAhead = aheadOf(clockSkew(entry.date, options.clock.now())) ?? clockAhead;
        options.onDidRequest?.(entry);
      },
    },
    signal,
  );
  const signedIn: SignedInConnection = {
    connection,
    client: {
      ...client,
      async queryLogs(request, callOptions) {
        const answer = await client.queryLogs(request, callOptions);
        timeZone = answer.localization.timeZone ?? timeZone;
        return answer;
      },
    },
    async readKey() {
      const key = signal.aborted ? undefined : await keys.get(connection);
      return signal.aborted ? undefined : key;
    },
    signal,
    get timeZone() {
      return timeZone;
    },
    get clockAhead() {
      return clockAhead;
    },
  };
  return { signedIn, leave: () => life.abort(new ConnectionLeftError()) };
}

/** A `Date` header is cut to its second and as old as the answer took: less than that is no difference. */
const tolerance = 5 * second;

function aheadOf(skew: number | undefined): number | undefined {
  return skew === undefined || Math.abs(skew) > tolerance ? skew : 0;
}
