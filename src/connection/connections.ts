import { parseBaseUrl } from '../api/baseUrl';
import { membersOf } from '../base/json';

/** A control plane in the user's settings. Its API key is kept elsewhere. */
export interface Connection {
  readonly name: string;
  /** As `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  /** The origin of the base URL. The key is stored for it and sent to no other. */
  readonly origin: string;
}

/** The connection of a window, and whether there is an API key for it. */
export type SessionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'signedOut'; readonly connection: Connection }
  | { readonly kind: 'signedIn'; readonly connection: Connection };

/** What has such a state. */
export interface HasConnection {
  readonly state: SessionState;
}

/** How many connections are remembered. Without a limit, renamed connections would pile up. */
export const mostConnections = 10;

/** The longest name of a connection, in UTF-16 units. */
export const maxConnectionName = 64;

/** Reads the setting `controlPlane.connections`. Invalid entries and repeated names are left out. */
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

/** A connection from typed text; undefined if the name or the URL is invalid. */
export function makeConnection(name: string, baseUrl: string): Connection | undefined {
  const trimmed = name.trim();
  const parsed = parseBaseUrl(baseUrl);
  if (trimmed === '' || trimmed.length > maxConnectionName || !parsed.ok) return undefined;
  return { name: trimmed, baseUrl: parsed.baseUrl, origin: parsed.origin };
}

/** The default name of a connection: the host of its URL. Empty if the URL is invalid. */
export function hostName(baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl);
  return parsed.ok ? new URL(parsed.origin).host.slice(0, maxConnectionName) : '';
}

/** The suggested name of a new connection. */
interface NameOffer {
  readonly name: string;
  /** Whether to ask the user for the name. */
  readonly isToBeAsked: boolean;
}

/**
 * Suggests a name for a connection to a base URL: that of an existing connection, otherwise the host.
 *
 * @param again the connection that gets another key, if there is one.
 */
export function offerName(
  baseUrl: string,
  known: readonly Connection[],
  again?: Connection,
): NameOffer {
  const host = hostName(baseUrl);
  const url = makeConnection(host, baseUrl)?.baseUrl;
  const same = again?.baseUrl === url ? again : known.find((one) => one.baseUrl === url);
  if (same !== undefined) return { name: same.name, isToBeAsked: same !== again };
  const names = new Set(known.map(({ name }) => name));
  if (!names.has(host)) return { name: host, isToBeAsked: false };
  return { name: freeName(host, known), isToBeAsked: true };
}

/** What a script, a link or another extension wants to connect to, compared with what the user has. */
export interface Proposal {
  readonly connection: Connection;
  /** Whether the user's own settings have exactly this connection. Otherwise the user must agree. */
  readonly isKnown: boolean;
  /** The connection of the same name and origin whose path changes. */
  readonly replaced?: Connection;
  /** The connection at another origin that has the name. It stays, so the new one has another name. */
  readonly namesake?: Connection;
}

/**
 * Compares a proposed connection with the known ones. A name never moves to another origin: its key would
 * be lost, and the next one would go there.
 *
 * @param name undefined: the name of a known connection with this base URL, otherwise the host.
 * @returns undefined if the name or the base URL is not valid.
 */
export function proposalOf(
  name: string | undefined,
  baseUrl: string,
  known: readonly Connection[],
): Proposal | undefined {
  const offered = offerName(baseUrl, known).name;
  const connection = makeConnection(name ?? offered, baseUrl);
  if (connection === undefined) return undefined;
  const same = known.find((one) => one.name === connection.name);
  if (same === undefined) return { connection, isKnown: false };
  if (same.baseUrl === connection.baseUrl) return { connection: same, isKnown: true };
  if (same.origin === connection.origin) return { connection, isKnown: false, replaced: same };
  return {
    connection: { ...connection, name: freeName(connection.name, known) },
    isKnown: false,
    namesake: same,
  };
}

/** The name with the first number that no connection has. */
function freeName(name: string, known: readonly Connection[]): string {
  const names = new Set(known.map((one) => one.name));
  let count = 2;
  const numbered = (): string => `${name.slice(0, maxConnectionName - 5)} ${count}`;
  while (names.has(numbered())) count++;
  return numbered();
}

/** How the names of all API keys in SecretStorage begin. */
export const secretKeyStart = 'controlPlane.apiKey ';

/**
 * Where SecretStorage keeps the API key. The origin is part of it, so that after a change of the base URL
 * the key of the old origin cannot be sent to the new one.
 */
export function secretKeyOf(connection: Connection): string {
  return `${secretKeyStart}${connection.origin} ${connection.name}`;
}

/** A URL that is safe to open: https, and without a user name. Undefined for any other text. */
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

/** Identifies a connection in stored data by name and origin, so that no other origin can use the data. */
export function connectionId({ name, origin }: Connection): string {
  return `${origin} ${name}`;
}
