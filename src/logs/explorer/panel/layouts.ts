import * as v from 'valibot';
import { type ListLayout, listLayout } from './view';

/** How many connections are remembered. */
export const mostLayouts = 10;

/** How the list shows the records of each connection; the one that changed last comes first. */
export type LayoutByConnection = readonly (readonly [connection: string, layout: ListLayout])[];

const entry = v.tuple([v.string(), listLayout]);

/** Reads stored layouts. Invalid entries are left out. */
export function readLayouts(stored: unknown): LayoutByConnection {
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return entries.slice(0, mostLayouts).flatMap((one) => {
    const result = v.safeParse(entry, one);
    return result.success ? [result.output] : [];
  });
}

/** Replaces the layout of a connection. */
export function withLayout(
  all: LayoutByConnection,
  connection: string,
  layout: ListLayout,
): LayoutByConnection {
  const others = all.filter(([one]) => one !== connection);
  return [[connection, layout] as const, ...others].slice(0, mostLayouts);
}
