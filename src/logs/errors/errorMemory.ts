import { isObject, membersOf } from '../../api/lenient';
import { defaultScope, type ErrorScope, readScope } from './errorScope';

/** A kind that the user does not want to see. */
export interface MutedError {
  /** That of `ErrorKind`. */
  readonly key: string;
  /** Untrusted text of one line. */
  readonly template: string;
}

/** What is kept for a connection. Plain JSON. */
export interface ErrorMemory {
  readonly scope: ErrorScope;
  /** The latest last. */
  readonly muted: readonly MutedError[];
}

/** The most that is kept: connections, muted kinds of each, and UTF-16 units of a key. */
const mostConnections = 20;
const mostMuted = 200;
const longestKey = 3000;

const nothing: ErrorMemory = { scope: defaultScope, muted: [] };

/** Reads what is kept for a connection, by its id; never throws. */
export function readMemory(kept: unknown, connection: string): ErrorMemory {
  const found = membersOf(kept)[connection];
  if (!isObject(found)) return nothing;
  const { scope, muted } = membersOf(found);
  const all: readonly unknown[] = Array.isArray(muted) ? muted : [];
  return {
    scope: readScope(scope),
    muted: all.slice(-mostMuted).flatMap((one) => {
      const { key, template } = membersOf(one);
      return typeof key === 'string' && typeof template === 'string' ? [{ key, template }] : [];
    }),
  };
}

/** What to keep after a change for one connection. Of too many connections, the first are left out. */
export function writeMemory(kept: unknown, connection: string, memory: ErrorMemory): object {
  const others = Object.entries(membersOf(kept)).filter(([id]) => id !== connection);
  return Object.fromEntries([...others.slice(1 - mostConnections), [connection, memory]]);
}

/** With one more muted kind. If there are too many, those that were muted first are shown again. */
export function withMuted(memory: ErrorMemory, { key, template }: MutedError): ErrorMemory {
  if (key.length > longestKey) return memory;
  const others = memory.muted.filter((one) => one.key !== key);
  return { ...memory, muted: [...others, { key, template }].slice(-mostMuted) };
}

/** Without a muted kind. */
export function withoutMuted(memory: ErrorMemory, key: string): ErrorMemory {
  return { ...memory, muted: memory.muted.filter((one) => one.key !== key) };
}
