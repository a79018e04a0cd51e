import * as vscode from 'vscode';
import { viewStateKey, type WorkspaceViewId } from '../../vscode/contributions';
import type { ResourceKey } from '../resourceKeys';
import type { TreeContext, TreeNode } from '../tree/nodes';
import { createExpandedRows, createTreeView, type Sorting } from '../tree/treeView';
import { viewMessage, viewState, type ViewState, welcomeKey } from '../tree/viewState';
import { tooltip, treeItem } from './treeItems';
import type { TreeRow, WorkspaceView } from './treeRegistry';
import { createViewMemory } from './viewMemory';
import { viewMessageText } from './viewText';
import type { WorkspaceData } from './workspaceData';

/** Milliseconds between two drawings: what a burst of answers changes is drawn together. */
const shortestPause = 100;

/** When something is drawn that changes often. */
interface DrawPace {
  /**
   * Draws at once after a quiet time, else together with what else changes soon.
   *
   * @param least milliseconds to wait whatever was before.
   */
  soon(least?: number): void;
  dispose(): void;
}

function createDrawPace(draw: () => void): DrawPace {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = 0;

  return {
    soon(least = 0) {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          const start = performance.now();
          draw();
          // What takes long to draw is drawn less often.
          pause = Math.max(shortestPause, 3 * (performance.now() - start));
        },
        Math.max(least, pause),
      );
    },
    dispose: () => clearTimeout(timer),
  };
}

/** What one tree differs in from the others. */
export interface TreeDefinition {
  readonly id: WorkspaceViewId;
  readonly title: string;
  readonly roots: (context: TreeContext) => readonly TreeNode[];
  /** What the roots show: kept fresh while the view is visible. */
  readonly topics: (context: TreeContext) => readonly ResourceKey[];
  /** What the roots are called by: asked for until it is known. */
  readonly names?: (context: TreeContext) => readonly ResourceKey[];
  /** How many roots there are before anything is asked, where the settings say so. */
  readonly count?: (context: TreeContext) => number;
  /** What there is to say of rows that are shown, besides what went wrong. */
  readonly note?: () => string | undefined;
  /** The one order of a tree that cannot be sorted otherwise. */
  readonly sorting?: Sorting;
  /** Tells of changes of the rows besides those of the data; returns what ends it. */
  readonly onDidChange?: (listener: () => void) => () => void;
}

/** A tree on the screen. */
export interface RegisteredView extends WorkspaceView {
  readonly tree: vscode.TreeView<TreeRow>;
  dispose(): void;
}

/** Milliseconds in which a tree that is shown gives its rows, before anything is asked for it. */
const rowsFirst = 50;
/** Times in rows are relative. */
const tickEvery = 60_000;

/**
 * Shows a tree of the workspace: draws what changed and nothing else, keeps what is on the screen
 * fresh, and says why there is nothing to see.
 */
export function registerWorkspaceView(
  definition: TreeDefinition,
  data: WorkspaceData,
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
    const row = rows.get(nodeId) ?? { view: id, id: nodeId };
    rows.set(nodeId, row);
    return row;
  };

  /** Whether the welcome text has the place of the rows. */
  const isBlank = (): boolean => state?.kind !== 'shown' && state?.kind !== 'loading';

  const tree = vscode.window.createTreeView<TreeRow>(id, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changes.event,
      getChildren(row) {
        if (row === undefined) {
          // A hidden tree does not hear of what changes: it may have been blank until now.
          if (isReady) show(stateNow());
          return isBlank() ? [] : drawing.children().map(rowOf);
        }
        expanded.open(row.id);
        const children = drawing.children(row.id).map(rowOf);
        watch();
        return children;
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

  /** The topics of what is on the screen. */
  function topics(): readonly ResourceKey[] {
    const names = definition.names?.(context) ?? [];
    return [
      ...definition.topics(context),
      ...names.filter((topic) => store.known(topic).value === undefined),
      ...expanded.topics(),
    ];
  }

  function watch(): void {
    polling.watch(id, tree.visible ? topics() : undefined);
  }

  function stateNow(): ViewState {
    return viewState({
      session: session.state.kind,
      store,
      topics: topics(),
      essential: [...definition.topics(context), ...(definition.names?.(context) ?? [])],
      shown: drawing.shown,
      all: definition.count?.(context) ?? drawing.unfiltered,
    });
  }

  function show(next: ViewState): void {
    const notice = viewMessage(next);
    const note = next.kind === 'shown' ? definition.note?.() : undefined;
    const words = notice && viewMessageText(notice, context);
    const message = [note, words].filter((part) => part !== undefined).join(' ');
    if (tree.message !== message) tree.message = message;
    if (state === undefined || welcomeKey(state) !== welcomeKey(next)) {
      void vscode.commands.executeCommand('setContext', viewStateKey(id), welcomeKey(next));
    }
    state = next;
  }

  function update(): void {
    const wasBlank = isBlank();
    const redraw = drawing.update();
    show(stateNow());
    for (const nodeId of rows.keys()) if (drawing.node(nodeId) === undefined) rows.delete(nodeId);
    expanded.prune();
    if (redraw.kind === 'all' || wasBlank !== isBlank()) changes.fire(undefined);
    else if (redraw.ids.length > 0) changes.fire(redraw.ids.map(rowOf));
    watch();
  }

  let isReady = false;
  const pace = createDrawPace(update);
  /** Not before there is a session, and not for nobody: a hidden tree is drawn once it is shown. */
  function updateSoon(least?: number): void {
    if (isReady && tree.visible) pace.soon(least);
  }

  const ticking = setInterval(() => updateSoon(), tickEvery);
  const disposables = vscode.Disposable.from(
    tree,
    changes,
    data.onDidChange(() => updateSoon()),
    session.onDidChange(() => updateSoon()),
    { dispose: definition.onDidChange?.(() => updateSoon()) ?? ((): void => undefined) },
    tree.onDidChangeVisibility(({ visible }) => {
      if (visible) updateSoon(rowsFirst);
      else watch();
    }),
    tree.onDidExpandElement(({ element }) => {
      expanded.open(element.id);
      watch();
    }),
    tree.onDidCollapseElement(({ element }) => {
      expanded.close(element.id);
      watch();
    }),
  );
  void session.ready.then(() => {
    isReady = true;
    update();
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
      update();
    },
    async setSorting(sorting) {
      await memory.setSorting(sorting);
      update();
    },
    node: (row) => drawing.node(row.id),
    get selected() {
      const [row] = tree.selection;
      return row && drawing.node(row.id);
    },
    async refresh() {
      await Promise.all(topics().map((topic) => store.refresh(topic)));
    },
    async reveal(path, { expand = false, focus = false } = {}) {
      // What has changed a moment ago is not drawn yet, nor what nobody has opened.
      update();
      path.slice(0, -1).forEach((one) => drawing.children(one));
      const nodeId = path.at(-1);
      if (nodeId === undefined || isBlank() || drawing.node(nodeId) === undefined) {
        await vscode.commands.executeCommand(`${id}.focus`);
        return;
      }
      await tree.reveal(rowOf(nodeId), { select: true, focus, expand });
      // A tree that is drawn at the same moment selects the row, and leaves it closed.
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
