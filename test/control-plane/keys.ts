import contract from '../../src/api/openapi.json';
import type { LogRecord, Permission } from '../../src/api/types';
import { printOf, type Random } from './random';

export interface Key {
  readonly name: string;
  /** The bearer token that the client sends. */
  readonly value: string;
  /** Replaces the value where it may be seen. */
  readonly print: string;
  permissions: ReadonlySet<Permission>;
  /** Grows with every change of access; part of the access revision. */
  revision: number;
  revoked: boolean;
  /** Whether a test has forbidden further requests with this key. */
  forbidden: boolean;
  /** Log records that the key may see; default: all. */
  sees?: ((record: LogRecord) => boolean) | undefined;
}

export interface Keys {
  /** The value of each key by its name. */
  values(): Record<string, string>;
  /** The key with this value, unless it is revoked. */
  find(value: string): Key | undefined;
  named(name: string): Key;
  add(name: string, permissions: readonly Permission[], value?: string): Key;
  /** Changes the permissions of a key, or only its revision if `permissions` is omitted. */
  change(name: string, permissions?: readonly Permission[]): void;
  /** Lets the key see only these log records, with a new revision. */
  restrict(name: string, sees: NonNullable<Key['sees']>): void;
  revoke(name: string): void;
  /** Undoes a revocation. */
  restore(name: string): void;
  /** Whether this is a key of another control plane of this process, including closed ones. */
  isForeign(value: string): boolean;
  onDidChange(listener: () => void): () => void;
}

export const permissions = contract.components.schemas.Permission.enum as readonly Permission[];
const reads = permissions.filter((name) => /\.(?:read|list)$/.test(name));

/** The access revision: changes with the key and with its access. */
export function accessOf(key: Key): string {
  return `${key.print}-${key.revision}`;
}

/** Every key of every control plane of this process. */
const everywhere = new Set<string>();
let planes = 0;

/**
 * The keys of the workspace: `demo-full`, `demo-readonly` (every read permission), `demo-logs`
 * (`logs.read` only), `demo-none` (valid, without permissions), `demo-production` (all, but log
 * records of previews are restricted), and `demo-without-…` for each permission, which lacks only
 * that one. No two control planes of a process share a key; those of the first depend only on its
 * seed.
 */
export function createKeys(random: Random): Keys {
  const plane = planes++;
  const byName = new Map<string, Key>();
  const byValue = new Map<string, Key>();
  const listeners = new Set<() => void>();
  const changed = (): void => [...listeners].forEach((listener) => listener());

  function named(name: string): Key {
    const key = byName.get(name);
    if (!key) throw new Error(`No key ${name}: ${[...byName.keys()].join(', ')}.`);
    return key;
  }

  function add(name: string, granted: readonly Permission[], given?: string): Key {
    const value =
      given ?? `${name}.${random.fork(plane === 0 ? name : `${plane} ${name}`).hex(24)}`;
    const key: Key = {
      name,
      value,
      print: printOf(value),
      permissions: new Set(granted),
      revision: 1,
      revoked: false,
      forbidden: false,
    };
    byName.set(name, key);
    byValue.set(value, key);
    everywhere.add(value);
    return key;
  }

  add('demo-full', permissions);
  add('demo-readonly', reads);
  add('demo-logs', ['logs.read']);
  add('demo-none', []);
  add('demo-production', permissions).sees = ({ environment }) => environment === 'production';
  for (const missing of permissions) {
    add(
      `demo-without-${missing.replace('.', '-')}`,
      permissions.filter((name) => name !== missing),
    );
  }

  return {
    values: () => Object.fromEntries([...byName].map(([name, { value }]) => [name, value])),
    find(value) {
      const key = byValue.get(value);
      return key?.revoked === false ? key : undefined;
    },
    named,
    add,
    change(name, granted) {
      const key = named(name);
      if (granted) key.permissions = new Set(granted);
      key.revision++;
      changed();
    },
    restrict(name, sees) {
      named(name).sees = sees;
      this.change(name);
    },
    revoke(name) {
      named(name).revoked = true;
      changed();
    },
    restore(name) {
      named(name).revoked = false;
      changed();
    },
    isForeign: (value) => everywhere.has(value) && !byValue.has(value),
    onDidChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The keys by name, a line each, for people to copy. */
export function keyList(keys: Readonly<Record<string, string>>): string {
  const lines = Object.entries(keys).map(([name, value]) => `  ${name.padEnd(34)}  ${value}`);
  return ['API keys:', ...lines].join('\n');
}
