import { parseBaseUrl } from '../api/baseUrl';
import { membersOf } from '../api/lenient';

/** A control plane that the user knows, without its key. */
export interface Connection {
  readonly name: string;
  /** As `parseBaseUrl` answers it. */
  readonly baseUrl: string;
  /** The origin of the base URL: a key is kept for it and sent to no other. */
  readonly origin: string;
}

/** Longest name of a connection: it stands in the status bar and in secret keys. */
export const maxConnectionName = 64;

/**
 * Reads the setting `controlPlane.connections`. Entries that are no valid connection, and later ones
 * of a name that was there before, are left out: a broken entry must not take the others with it.
 */
export function readConnections(setting: unknown): Connection[] {
  if (!Array.isArray(setting)) return [];
  const connections = new Map<string, Connection>();
  for (const entry of setting as unknown[]) {
    const { name, baseUrl } = membersOf(entry);
    if (typeof name !== 'string' || typeof baseUrl !== 'string') continue;
    const connection = makeConnection(name, baseUrl);
    if (connection !== undefined && !connections.has(connection.name)) {
      connections.set(connection.name, connection);
    }
  }
  return [...connections.values()];
}

/** A connection from what a person typed; undefined where the name or the URL is not valid. */
export function makeConnection(name: string, baseUrl: string): Connection | undefined {
  const trimmed = name.trim();
  const parsed = parseBaseUrl(baseUrl);
  if (trimmed === '' || trimmed.length > maxConnectionName || !parsed.ok) return undefined;
  return { name: trimmed, baseUrl: parsed.baseUrl, origin: parsed.origin };
}

/** What a connection is called that nobody has named: the host of its URL. Empty for no valid URL. */
export function hostName(baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl);
  return parsed.ok ? new URL(parsed.origin).host.slice(0, maxConnectionName) : '';
}

/** What a new connection may be called. */
export interface NameOffer {
  readonly name: string;
  /** Whether there is a connection to this very URL, of which `name` is the name. */
  readonly isKnown: boolean;
  /** Whether somebody has to say which name is meant. */
  readonly isToBeAsked: boolean;
}

/**
 * The name of a connection to a base URL: of the one that is known already, or else of its host.
 *
 * @param again the connection that is to have another key, where that is known.
 */
export function offerName(
  baseUrl: string,
  known: readonly Connection[],
  again?: Connection,
): NameOffer {
  const host = hostName(baseUrl);
  const url = makeConnection(host, baseUrl)?.baseUrl;
  const same = again?.baseUrl === url ? again : known.find((one) => one.baseUrl === url);
  if (same !== undefined) {
    return { name: same.name, isKnown: true, isToBeAsked: same !== again };
  }
  const names = new Set(known.map(({ name }) => name));
  if (!names.has(host)) return { name: host, isKnown: false, isToBeAsked: false };
  let count = 2;
  const numbered = (): string => `${host.slice(0, maxConnectionName - 5)} ${count}`;
  while (names.has(numbered())) count++;
  return { name: numbered(), isKnown: false, isToBeAsked: true };
}

/**
 * The key of the API key in SecretStorage. It holds the origin too, so that a connection whose base
 * URL was changed can never send the key of the old origin to the new one.
 */
export function secretKeyOf(connection: Connection): string {
  return `controlPlane.apiKey ${connection.origin} ${connection.name}`;
}

/** A URL that may be opened: https and nothing that could lead astray, such as a user name. */
export function httpsUrl(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 2000 || /[\s\\]/.test(text)) return undefined;
  try {
    const url = new URL(text);
    const isPlain = url.username === '' && url.password === '' && url.hostname !== '';
    return url.protocol === 'https:' && isPlain ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A connection as what is kept names it: with the origin, so that nothing of one control plane goes
 * to another, whatever becomes of the setting.
 */
export function connectionId({ name, origin }: Connection): string {
  return `${origin} ${name}`;
}
