import { type Clock, second } from '../base/clock';
import { type CacheKey, cacheKeyId } from '../data/store';
import type { TreeNode } from './nodes';
import { arrange, isFiltering, statesOf, type TreeOrder } from './treeOrder';

/** How long until VS Code certainly shows a row that it got. */
const arrival = second;
/** How often children are drawn again that VS Code does not request. */
const mostRedraws = 5;

/** A row that VS Code got. */
interface GivenRow {
  node: TreeNode;
  parent: GivenRow | undefined;
  /** Undefined until they are requested. */
  children: readonly GivenRow[] | undefined;
  isOpen: boolean;
  /** When it was given first, on the monotonic clock. */
  readonly since: number;
  /** Set while VS Code has not requested its children since they were drawn. */
  unsure?: Unsure | undefined;
}

/** A row, or what is above the roots. */
type Holder = GivenRow | Pick<GivenRow, 'children' | 'unsure'>;

/** A redraw that VS Code may have lost. */
interface Unsure {
  /** When it was drawn last, on the monotonic clock. */
  readonly at: number;
  readonly redraws: number;
}

/** The rows of a tree that VS Code got, by id. Ids are stable, so that it keeps selection and expansion. */
export class TreeRows {
  private readonly rows = new Map<string, GivenRow>();
  /** Above the roots; no row itself. */
  private readonly top: Pick<GivenRow, 'children' | 'unsure'> = { children: undefined };
  private total = 0;
  private readonly roots: () => readonly TreeNode[];
  private readonly order: () => TreeOrder;
  private readonly clock: Pick<Clock, 'monotonic'>;

  constructor(
    roots: () => readonly TreeNode[],
    order: () => TreeOrder,
    clock: Pick<Clock, 'monotonic'>,
  ) {
    this.roots = roots;
    this.order = order;
    this.clock = clock;
  }

  /** The ids of the children, filtered and sorted; without an id, those of the roots. For VS Code. */
  children(id?: string): readonly string[] {
    const row = id === undefined ? undefined : this.rows.get(id);
    if (id !== undefined && row === undefined) return [];
    (row ?? this.top).unsure = undefined;
    return this.give(row).map(({ node }) => node.id);
  }

  /** Undefined if the id is unknown or its node is gone. */
  node(id: string): TreeNode | undefined {
    return this.rows.get(id)?.node;
  }

  parent(id: string): string | undefined {
    return this.rows.get(id)?.parent?.node.id;
  }

  /** How many roots there were last. */
  get shown(): number {
    return (this.top.children ?? this.give(undefined)).length;
  }

  /** How many roots there were without the filter. */
  get unfiltered(): number {
    if (this.top.children === undefined) this.give(undefined);
    return this.total;
  }

  /** The states that a filter can offer, sorted. */
  states(): readonly string[] {
    return statesOf(this.roots());
  }

  setOpen(id: string, isOpen: boolean): void {
    const row = this.rows.get(id);
    if (row !== undefined) row.isOpen = isOpen;
  }

  isOpen(id: string): boolean {
    return this.rows.get(id)?.isOpen === true;
  }

  /** The keys of the visible children, each once. Children of a closed parent are not visible. */
  cacheKeys(): readonly CacheKey[] {
    const found = new Map<string, CacheKey>();
    const visit = ({ children = [] }: Pick<GivenRow, 'children'>): void => {
      for (const row of children) {
        if (!row.isOpen) continue;
        for (const key of row.node.cacheKeys) found.set(cacheKeyId(key), key);
        visit(row);
      }
    };
    visit(this.top);
    return [...found.values()];
  }

  /**
   * Builds all given rows again. Call it after any change of the data. Returns the ids of the rows to draw,
   * each with what is below it.
   *
   * VS Code loses the change of a row that is on its way to the window: its tree does not have the row yet.
   * Then it requests children of rows that it has forgotten, and shows them open and empty. So of such a row,
   * what is above it is drawn. And while a request for children is on its way, it takes that answer for later ones,
   * too, and shows rows that the extension host has forgotten, so that their commands get no row. So the redraw of
   * what it did not request since is repeated.
   */
  update(): 'all' | readonly string[] {
    if (this.top.children === undefined) return 'all';
    const now = this.clock.monotonic();
    const shownSince = now - arrival;
    const toDraw = new Set<GivenRow>();
    const redraws = new Map<Holder, number>();
    const lost = this.unsure().flatMap((holder) => {
      const { at, redraws: before } = holder.unsure ?? { at: Infinity, redraws: 0 };
      if (at > shownSince) return [];
      redraws.set(holder, before + 1);
      return ['node' in holder ? holder : undefined];
    });
    for (let row of [...lost, ...this.changed(undefined)]) {
      while (row !== undefined && row.since > shownSince) row = row.parent;
      if (row === undefined) {
        this.expectRequests(this.top, now, redraws);
        return 'all';
      }
      toDraw.add(row);
    }
    for (const row of toDraw) this.expectRequests(row, now, redraws);
    return [...toDraw].map(({ node }) => node.id);
  }

  /** VS Code requests all children below what is drawn. */
  private expectRequests(holder: Holder, now: number, redraws: ReadonlyMap<Holder, number>): void {
    if (holder.children === undefined) return;
    const count = redraws.get(holder) ?? 0;
    holder.unsure = count < mostRedraws ? { at: now, redraws: count } : undefined;
    for (const row of holder.children) this.expectRequests(row, now, redraws);
  }

  /** The rows below a parent that look different; only the parent itself if it has other children. */
  private changed(parent: GivenRow | undefined): readonly (GivenRow | undefined)[] {
    const before = (parent ?? this.top).children;
    if (before === undefined) return [];
    const nodes = new Map(before.map((row) => [row, row.node]));
    const after = this.give(parent);
    const changed = after.flatMap((row) => {
      const below = this.changed(row);
      const node = nodes.get(row);
      return node === undefined || looksAlike(node, row.node) ? below : [row];
    });
    const isSame = before.length === after.length && before.every((row, at) => row === after[at]);
    return isSame ? changed : [parent];
  }

  /** Whether VS Code may show old children, so that `update` is due again after a second. */
  get isUnsure(): boolean {
    return this.unsure().length > 0;
  }

  /**
   * What is on the screen and may have old children, without what is below such. VS Code requests the rest when it is
   * opened.
   */
  private unsure(): readonly Holder[] {
    const visit = (holder: Holder, isShown: boolean): readonly Holder[] => {
      if (!isShown) holder.unsure = undefined;
      const below = (holder.children ?? []).flatMap((row) => visit(row, isShown && row.isOpen));
      return holder.unsure === undefined ? below : [holder];
    };
    return visit(this.top, true);
  }

  /** Builds the children of a row, and forgets those that are gone. */
  private give(parent: GivenRow | undefined): readonly GivenRow[] {
    const holder = parent ?? this.top;
    const before = holder.children ?? [];
    const after = this.nodesBelow(parent).map((node) => {
      const row = this.rows.get(node.id) ?? {
        node,
        parent,
        children: undefined,
        isOpen: false,
        since: this.clock.monotonic(),
      };
      this.rows.set(node.id, Object.assign(row, { node, parent }));
      return row;
    });
    holder.children = after;
    if (before.length > 0) {
      const kept = new Set(after);
      for (const row of before) if (!kept.has(row)) this.forget(row, parent);
    }
    return after;
  }

  private nodesBelow(parent: GivenRow | undefined): readonly TreeNode[] {
    const nodes = parent === undefined ? this.roots() : parent.node.children();
    if (parent === undefined) this.total = nodes.length;
    const { filter, sorting } = this.order();
    const above: TreeNode[] = [];
    if (isFiltering(filter)) {
      for (let at = parent; at !== undefined; at = at.parent) above.push(at.node);
    }
    return arrange(nodes, filter, sorting, above);
  }

  /** Unless it has another parent by now. */
  private forget(row: GivenRow, parent: GivenRow | undefined): void {
    if (row.parent !== parent) return;
    this.rows.delete(row.node.id);
    for (const child of row.children ?? []) this.forget(child, row);
  }
}

function looksAlike(a: TreeNode, b: TreeNode): boolean {
  return (
    a.label === b.label &&
    a.description === b.description &&
    a.status.icon === b.status.icon &&
    a.status.color === b.status.color &&
    a.status.words === b.status.words &&
    a.contextValue === b.contextValue &&
    a.collapsible === b.collapsible &&
    a.command?.title === b.command?.title &&
    a.record === b.record
  );
}
