import type { ControlPlaneClient } from '../../../src/api/client';
import { readLenient } from '../../../src/api/readLenient';
import type { Lenient } from '../../../src/api/generated/shapes';
import type { Read } from '../../../src/api/types';
import { createNumbers } from '../../../src/base/textFormat';
import type { Target } from '../../../src/data/targets';
import { TimeFormat } from '../../../src/base/timeFormat';
import type { TreeNode } from '../../../src/trees/nodes';
import type { CheckedOut, DataContext } from '../../../src/data/labels';
import { Store, type CacheKey } from '../../../src/data/store';
import { fakeClock, type FakeClock } from '../fakeClock';
import { fakeClient } from '../data/fakeClient';

/** A UUID that is easy to recognize. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** As shown: one row a line, with its icon in brackets, everything expanded. */
export function treeText(nodes: readonly TreeNode[], indent = ''): string {
  return nodes
    .map((node) => {
      const { label, description, status } = node;
      const row = `${indent}[${status.icon}] ${label}${description ? ` — ${description}` : ''}`;
      const below = treeText(node.children(), `${indent}  `);
      return below === '' ? row : `${row}\n${below}`;
    })
    .join('\n');
}

/** The lines of a template text, without its indentation. */
export function lines(text: string): string {
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const indent = Math.min(...rows.map((row) => row.length - row.trimStart().length));
  return rows.map((row) => row.slice(indent)).join('\n');
}

/** The node with this label, at any depth. */
export function find(nodes: readonly TreeNode[], label: string): TreeNode {
  const search = (among: readonly TreeNode[]): TreeNode | undefined => {
    for (const node of among) {
      const found = node.label === label ? node : search(node.children());
      if (found) return found;
    }
    return undefined;
  };
  const found = search(nodes);
  if (!found) throw new Error(`No row ${label}:\n${treeText(nodes)}`);
  return found;
}

export function detailText(node: TreeNode): string {
  return node
    .details()
    .map(({ label, value }) => `${label}: ${value}`)
    .join('\n');
}

/** Formats a text as `vscode.l10n.t` does. */
export function t(message: string, ...args: (string | number)[]): string {
  return message.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)]));
}

/** An answer as the client returns it. */
export function read<Name extends keyof Lenient>(name: Name, json: object): Read<Lenient[Name]> {
  return readLenient(name, json).value;
}

/** A function that always returns this answer. */
export function gives<Name extends keyof Lenient>(
  name: Name,
  json: object,
): () => Promise<Read<Lenient[Name]>> {
  return () => Promise.resolve(read(name, json));
}

export const { counted } = createNumbers(t, 'en', 'en');

export interface Scene {
  readonly clock: FakeClock;
  readonly store: Store;
  readonly context: DataContext;
  /** Requests keys and waits for the answers. */
  readonly load: (...cacheKeys: CacheKey[]) => Promise<void>;
}

/** A store with this client, and the context for trees. The time is 2026-11-20 12:00 UTC. */
export function scene(
  client: Partial<ControlPlaneClient>,
  given: { sources?: Target[]; servers?: Target[]; search?: string; checkedOut?: CheckedOut } = {},
): Scene {
  const clock = fakeClock();
  const store = new Store(clock);
  const now = (): number => clock.now();
  store.reset(fakeClient({ serverNow: now, ...client }));
  const context: DataContext = {
    store,
    t,
    counted,
    timeFormat: new TimeFormat(
      () => store.formats,
      () => store.formats.timeZone ?? 'utc',
      now,
      'en',
    ),
    sources: () => given.sources ?? [],
    servers: () => given.servers ?? [],
    repositorySearch: () => given.search ?? '',
    checkedOut: () => given.checkedOut,
  };
  const load = async (...cacheKeys: CacheKey[]): Promise<void> => {
    await clock.run(Promise.all(cacheKeys.map((key) => store.refresh(key, 'person'))));
  };
  return { clock, store, context, load };
}
