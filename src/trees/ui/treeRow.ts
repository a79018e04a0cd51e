import type { TreeViewId } from '../../vscode/contributions';

/** A row as VS Code passes it to commands. The same id is always the same object. */
export interface TreeRow {
  readonly view: TreeViewId;
  /** The id of the node that the row shows. */
  readonly id: string;
}

/** The rows that trees gave to VS Code. */
const given = new WeakSet();

/** A row for a tree to give to VS Code, which passes the same object to the commands of the row. */
export function createRow(view: TreeViewId, id: string): TreeRow {
  const row = { view, id };
  given.add(row);
  return row;
}

/**
 * Whether the argument of a command is the object that a tree gave to VS Code, not a copy that anything can
 * make. That does not prove that a person used the row: VS Code also passes the object for a link that names
 * the focused row of a tree. So it decides about local changes only; what changes a server asks.
 */
export function isRow(value: unknown): value is TreeRow {
  return typeof value === 'object' && value !== null && given.has(value);
}
