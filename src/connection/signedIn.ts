import type { ClientOptions, ControlPlaneClient } from '../api/client';
import { createClient } from '../api/createClient';
import { ConnectionEndedError } from '../api/errors';
import type { Connection } from './connections';

/** Reads the API key of a given connection. */
export interface KeyReader {
  /** Undefined if there is none or the storage fails: the user is signed out then. */
  get(connection: Connection): Promise<string | undefined>;
}

/** The client options that all connections share. */
export type CommonClientOptions = Omit<ClientOptions, 'baseUrl' | 'token' | 'lifetime'>;

/**
 * A connection with its client, from sign-in until sign-out, switch, removal or a change of the URL.
 * Everything that runs for a connection uses this object only, so that it ends with the connection and
 * never gets the key of another one.
 */
export interface SignedInConnection {
  readonly connection: Connection;
  /** Sends the key of this connection to its base URL. All its requests end with `signal`. */
  readonly client: ControlPlaneClient;
  /** The key of this connection; undefined after its end. */
  readonly readKey: () => Promise<string | undefined>;
  /** Aborted with a `ConnectionEndedError` when the connection ends. */
  readonly signal: AbortSignal;
  /** The time zone of the control plane's workspace; undefined until an answer gives it. */
  readonly timeZone: string | undefined;
}

/** A client that can only use the key of its own connection. */
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

/** Reads a key that was typed for a connection and is not saved yet. */
export function typedKey(connection: Connection, apiKey: string): KeyReader {
  return { get: (asked) => Promise.resolve(asked === connection ? apiKey : undefined) };
}

/** Signs in to a connection; `end` ends everything that runs for it. */
export function signInto(
  connection: Connection,
  keys: KeyReader,
  options: CommonClientOptions,
): { readonly signedIn: SignedInConnection; readonly end: () => void } {
  const life = new AbortController();
  const { signal } = life;
  let timeZone: string | undefined;
  const client = clientOf(connection, keys, options, signal);
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
  };
  return { signedIn, end: () => life.abort(new ConnectionEndedError()) };
}
