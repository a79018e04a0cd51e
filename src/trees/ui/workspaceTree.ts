import * as vscode from 'vscode';
import type { Event } from '../../base/event';
import { joined } from '../../base/textFormat';
import { systemClock } from '../../vscode/clock';
import { viewStateKey, type WorkspaceViewId } from '../../vscode/contributions';
import type { CacheKey } from '../../data/cacheKeys';
import type { TreeNode } from '../nodes';
import type { DataContext } from '../../data/dataContext';
import type { Sorting } from '../treeOrder';
import { createDrawPace } from '../drawPace';
import { createExpandedRows, createTreeView } from '../treeView';
import { viewMessage, viewState, type ViewState, welcomeKey } from '../viewState';
import { createViewMemory } from './treeFilters';
import { tooltip, treeItem } from './treeItems';
import { createRow, type TreeRow, type WorkspaceView } from './treeRegistry';
import { viewMessageText } from './viewText';
import type { ConnectionData } from '../../data/ui/connectionData';

/** What differs between the trees. */
export interface TreeDefinition {
  readonly id: WorkspaceViewId;
  readonly title: string;
  readonly roots: (context: DataContext) => readonly TreeNode[];
  /** What the roots show: refreshed while the view is visible. */
  readonly cacheKeys: (context: DataContext) => readonly CacheKey[];
  /** What the labels of the roots are made of: requested until it is loaded. */
  readonly names?: (context: DataContext) => readonly CacheKey[];
  /** How many roots the settings list. Absent: the roots come from the API. */
  readonly count?: (context: DataContext) => number;
  /** A message above the rows if there is no problem to report. */
  readonly note?: () => string | undefined;
  /** The order of a tree that cannot be sorted. */
  readonly sorting?: Sorting;
  /** The state of a tree that loads its rows itself; undefined: its rows tell. Called while signed in. */
  readonly state?: () => ViewState | undefined;
  /** Loads what such a tree shows again. */
  readonly refresh?: () => Promise<void>;
  /** Changes of the rows other than those of the data. */
  readonly onDidChange?: Event<unknown>;
}

/** A tree that VS Code shows. */
export interface RegisteredView extends WorkspaceView {
  readonly tree: vscode.TreeView<TreeRow>;
  dispose(): void;
}

/** Milliseconds for a tree to show its rows before anything is requested. */
const rowsFirst = 50;
/** How often rows are redrawn because of their relative times, in milliseconds. */
const tickEvery = 60_000;

/** Shows a tree: draws only what changed, refreshes what is visible, and says why it is empty. */
export function registerWorkspaceView(
  definition: TreeDefinition,
  data: ConnectionData,
  memento: vscode.Memento,
): RegisteredView {
  const { id } = definition;
  const { context, store, polling, session } = data;
  const memory = createViewMemory(id, memento);
  const changes = new vscode.EventEmitter<TreeRow[] | undefined>();
  /** VS Code knows rows by identity. */
  const rows = new Map<string, TreeRow>();
  let state: ViewState | undefined;

  const drawing = createTreeView({
    roots: () => definition.roots(context),
    filter: () => memory.filter,
    sorting: () => definition.sorting ?? memory.sorting,
  });
  const expanded = createExpandedRows(drawing);

  const rowOf = (nodeId: string): TreeRow => {
    const row = rows.get(nodeId) ?? createRow(id, nodeId);
    rows.set(nodeId, row);
    return row;
  };

  /** Whether the welcome text is shown instead of rows. */
  const isBlank = (one = state): boolean => one?.kind !== 'shown' && one?.kind !== 'loading';

  const tree = vscode.window.createTreeView<TreeRow>(id, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changes.event,
      getChildren(row) {
        const ids = row === undefined ? rootIds() : childIds(row.id);
        pace.answered(
          row?.id,
          ids.filter((id) => expanded.opens(id)),
        );
        return ids.map(rowOf);
      },
      getParent(row) {
        const parent = drawing.parent(row.id);
        return parent === undefined ? undefined : rowOf(parent);
      },
      getTreeItem(row) {
        const node = drawing.node(row.id);
        return node === undefined ? new vscode.TreeItem('') : treeItem(node, row);
      },
      resolveTreeItem(item, row) {
        const node = drawing.node(row.id);
        if (node !== undefined) item.tooltip = tooltip(node);
        return item;
      },
    },
  });

  function rootIds(): readonly string[] {
    const ids = drawing.children();
    // A hidden tree gets no updates, so its state may be old.
    if (isReady) show(stateNow());
    return isBlank() ? [] : ids;
  }

  function childIds(parent: string): readonly string[] {
    expanded.open(parent);
    const ids = drawing.children(parent);
    watch();
    return ids;
  }

  /** The cacheKeys of what is on the screen. */
  function cacheKeys(): readonly CacheKey[] {
    const names = definition.names?.(context) ?? [];
    return [
      ...definition.cacheKeys(context),
      ...names.filter((key) => store.entry(key).value === undefined),
      ...expanded.cacheKeys(),
    ];
  }

  function watch(): void {
    polling.watch(id, tree.visible ? cacheKeys() : undefined);
  }

  function stateNow(): ViewState {
    const own = session.state.kind === 'signedIn' ? definition.state?.() : undefined;
    if (own !== undefined) return own;
    return viewState({
      session: session.state.kind,
      store,
      cacheKeys: cacheKeys(),
      essential: [...definition.cacheKeys(context), ...(definition.names?.(context) ?? [])],
      shown: drawing.shown,
      all: definition.count?.(context) ?? drawing.unfiltered,
    });
  }

  function show(next: ViewState): void {
    const notice = viewMessage(next);
    const note = next.kind === 'shown' ? definition.note?.() : undefined;
    const text = notice && viewMessageText(notice, context);
    const message = joined([note, text], ' ');
    if (tree.message !== message) tree.message = message;
    if (state === undefined || welcomeKey(state) !== welcomeKey(next)) {
      void vscode.commands.executeCommand('setContext', viewStateKey(id), welcomeKey(next));
    }
    state = next;
  }

  function update(): void {
    const wasBlank = isBlank();
    const redraw = drawing.update();
    const next = stateNow();
    for (const nodeId of rows.keys()) if (drawing.node(nodeId) === undefined) rows.delete(nodeId);
    expanded.prune();
    // Before the message: VS Code gathers changes for 200 ms after any of them.
    if (redraw.kind === 'all' || wasBlank !== isBlank(next)) changes.fire(undefined);
    else if (redraw.ids.length > 0) changes.fire(redraw.ids.map(rowOf));
    show(next);
    watch();
  }

  let isReady = false;
  const pace = createDrawPace(systemClock, update);
  /** Waits for the session. A hidden tree is drawn when it is shown. */
  function updateSoon(least?: number): void {
    if (isReady && tree.visible) pace.soon(least);
  }

  const ticking = setInterval(() => updateSoon(), tickEvery);
  const disposables = vscode.Disposable.from(
    tree,
    changes,
    data.onDidChange(() => updateSoon()),
    session.onDidChange(() => updateSoon()),
    ...(definition.onDidChange === undefined ? [] : [definition.onDidChange(() => updateSoon())]),
    tree.onDidChangeVisibility(({ visible }) => {
      if (visible) updateSoon(rowsFirst);
      else watch();
    }),
    tree.onDidExpandElement(({ element }) => {
      expanded.open(element.id);
      watch();
      polling.open(drawing.node(element.id)?.cacheKeys ?? []);
    }),
    tree.onDidCollapseElement(({ element }) => {
      expanded.close(element.id);
      watch();
    }),
  );
  void session.ready.then(() => {
    isReady = true;
    updateSoon();
  });

  return {
    id,
    title: definition.title,
    tree,
    get filter() {
      return memory.filter;
    },
    get sorting() {
      return memory.sorting;
    },
    get isVisible() {
      return tree.visible;
    },
    states: () => drawing.states(),
    async setFilter(filter) {
      await memory.setFilter(filter);
      await pace.drawn();
    },
    async setSorting(sorting) {
      await memory.setSorting(sorting);
      await pace.drawn();
    },
    node: (row) => drawing.node(row.id),
    get selected() {
      const [row] = tree.selection;
      return row && drawing.node(row.id);
    },
    async refresh() {
      await Promise.all([store.refreshAll(cacheKeys()), definition.refresh?.()]);
    },
    async reveal(path, { expand = false, focus = false } = {}) {
      // The latest changes may not be drawn yet, nor rows that were never expanded.
      await pace.drawn();
      path.slice(0, -1).forEach((one) => drawing.children(one));
      const nodeId = path.at(-1);
      if (nodeId === undefined || isBlank() || drawing.node(nodeId) === undefined) {
        await vscode.commands.executeCommand(`${id}.focus`);
        return;
      }
      await tree.reveal(rowOf(nodeId), { select: true, focus, expand });
      // A tree that is being drawn selects the row but does not expand it.
      for (let tries = 1; expand && tries < 5 && !expanded.has(nodeId); tries++) {
        await tree.reveal(rowOf(nodeId), { select: true, focus, expand });
      }
    },
    dispose() {
      clearInterval(ticking);
      pace.dispose();
      polling.watch(id, undefined);
      disposables.dispose();
    },
  };
}
