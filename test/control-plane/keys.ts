import contract from '../../src/api/openapi.json';
import type { LogRecord, Permission } from '../../src/api/types';
import { Emitter } from '../../src/base/event';
import { printOf, type Random } from './random';

export interface Key {
  readonly name: string;
  /** The bearer token that the client sends. */
  readonly value: string;
  /** Replaces the value where it may be seen. */
  readonly print: string;
  permissions: ReadonlySet<string>;
  /** A key to read sends nothing but GET, where the control plane knows such keys. */
  readonly access: 'read' | 'edit';
  /** Whose it is: a person's, or the team's. */
  readonly actor: 'personal-key' | 'team-key';
  /** Grows with every change of access; part of the access revision. */
  revision: number;
  revoked: boolean;
  /** Whether a test has forbidden further requests with this key. */
  forbidden: boolean;
  /** Log records that the key may see; default: all. */
  sees?: ((record: LogRecord) => boolean) | undefined;
}

export const permissions = contract.components.schemas.Permission.enum as readonly Permission[];

/** What is not usual about a new key. */
export interface NewKey extends Partial<Pick<Key, 'access' | 'actor'>> {
  readonly value?: string | undefined;
}

/** The access revision: changes with the key and with its access. */
export function accessOf(key: Key): string {
  return `${key.print}-${key.revision}`;
}

const isRead = (permission: string): boolean => /\.(?:read|list)$/.test(permission);

/** Every key of every control plane of this process. */
const everywhere = new Set<string>();
let planes = 0;

/**
 * The keys of the workspace: `demo-full`, `demo-readonly` (every read permission), `demo-logs`
 * (`logs.read` only), `demo-none` (valid, without permissions), `demo-production` (all, but log
 * records of previews are restricted), and `demo-without-…` for each permission, which lacks only
 * that one. No two control planes of a process share a key.
 */
export class Keys {
  private readonly plane = planes++;
  private readonly byName = new Map<string, Key>();
  private readonly byValue = new Map<string, Key>();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  /**
   * @param all every permission that there is.
   * @param newSecret makes the secret part of a key; by default from the seed, which everyone knows.
   */
  constructor(
    private readonly random: Random,
    all: readonly string[],
    private readonly newSecret?: () => string,
  ) {
    this.add('demo-full', all);
    this.add('demo-readonly', all.filter(isRead), { access: 'read' });
    this.add('demo-logs', ['logs.read']);
    this.add('demo-none', []);
    this.add('demo-production', all).sees = (record) => record.environment === 'production';
    for (const missing of all) {
      const others = all.filter((name) => name !== missing);
      this.add(`demo-without-${missing.replace('.', '-')}`, others);
    }
  }

  /** The value of each key by its name. */
  values(): Record<string, string> {
    return Object.fromEntries([...this.byName].map(([name, { value }]) => [name, value]));
  }

  /** The key with this value, unless it is revoked. */
  find(value: string): Key | undefined {
    const key = this.byValue.get(value);
    return key?.revoked === false ? key : undefined;
  }

  named(name: string): Key {
    const key = this.byName.get(name);
    if (!key) throw new Error(`No key ${name}: ${[...this.byName.keys()].join(', ')}.`);
    return key;
  }

  add(
    name: string,
    granted: readonly string[],
    { value: given, access = 'edit', actor = 'personal-key' }: NewKey = {},
  ): Key {
    const seed = this.plane === 0 ? name : `${this.plane} ${name}`;
    const value = given ?? `${name}.${this.newSecret?.() ?? this.random.fork(seed).hex(24)}`;
    const key: Key = {
      name,
      value,
      print: printOf(value),
      permissions: new Set(granted),
      access,
      actor,
      revision: 1,
      revoked: false,
      forbidden: false,
    };
    this.byName.set(name, key);
    this.byValue.set(value, key);
    everywhere.add(value);
    return key;
  }

  /** Changes the permissions of a key, or only its revision if `permissions` is omitted. */
  change(name: string, granted?: readonly string[]): void {
    const key = this.named(name);
    if (granted) key.permissions = new Set(granted);
    key.revision++;
    this.changed.fire();
  }

  revoke(name: string): void {
    this.named(name).revoked = true;
    this.changed.fire();
  }

  /** Makes every key valid again that was revoked or forbidden. */
  restore(): void {
    for (const key of this.byValue.values()) key.revoked = key.forbidden = false;
  }

  /** Whether this is a key of another control plane of this process, including closed ones. */
  isForeign(value: string): boolean {
    return everywhere.has(value) && !this.byValue.has(value);
  }
}

/** The keys by name, a line each, for people to copy. */
export function keyList(keys: Readonly<Record<string, string>>): string {
  const lines = Object.entries(keys).map(([name, value]) => `  ${name.padEnd(34)}  ${value}`);
  return ['API keys:', ...lines].join('\n');
}
