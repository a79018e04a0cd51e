import * as v from 'valibot';
import * as vscode from 'vscode';
import { minute, second } from '../../base/clock';
import type { Event } from '../../base/event';
import { getOrMake } from '../../base/maps';
import { listOf, readStored, StoredValue } from '../../base/storedValue';
import { joined, someNames } from '../../base/textFormat';
import { oneLine, rowText, breakable, plainText } from '../../base/untrustedText';
import { type DataContext, labelOfKey } from '../../data/labels';
import { hiddenWithout } from '../../data/listings';
import { ReadListings } from '../../data/readListings';
import type { CacheKey } from '../../data/store';
import { maxTargets } from '../../data/targets';
import type { ConnectionData } from '../../data/ui/connectionData';
import { systemClock } from '../../vscode/systemClock';
import { onDidLoseRow, setContext } from '../../vscode/commands';
import { viewFilteredKey, viewStateKey, type TreeViewId } from '../../vscode/contributions';
import { describe } from '../../vscode/errorMessages';
import { markdown } from '../../vscode/markdown';
import { number } from '../../vscode/numbers';
import { openRowCommand, registerOpenRow } from '../../vscode/openRow';
import { onDidChangeSettings } from '../../vscode/settings';
import { type NodeStatus, spokenText, type TreeNode } from '../nodes';
import { isFiltering, type Sorting, type TreeFilter, type TreeOrder } from '../treeOrder';
import { TreeRows } from '../treeRows';
import {
  viewMessage,
  treeState,
  type ViewState,
  welcomeKey,
  type MissingPermission,
  type Refusal,
  type ViewNotice,
} from '../treeState';
import type { TargetKind } from '../../data/ui/targetSettings';
import { createRow, type TreeRow } from './treeRow';

const { t } = vscode.l10n;

/** What differs between the trees. */
export interface TreeDefinition {
  readonly id: TreeViewId;
  readonly title: string;
  readonly roots: (context: DataContext) => readonly TreeNode[];
  /** What the roots show: refreshed while the view is visible. */
  readonly cacheKeys: (context: DataContext) => readonly CacheKey[];
  /** What the labels of the roots are made of: requested until it is loaded. */
  readonly names?: (context: DataContext) => readonly CacheKey[];
  /** The list of the control plane that roots are of, too. */
  readonly listed?: TargetKind;
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

interface RevealOptions {
  /** Expands the row. */
  readonly expand?: boolean;
  /** Moves the focus to the row. */
  readonly focus?: boolean;
}

/** Milliseconds for a tree to show its rows before anything is requested. */
const rowsFirst = 50;
/** Milliseconds between two updates: VS Code gathers changes for 200 ms anyway. */
const shortestPause = 250;
/** How often to reveal a row that VS Code does not show. */
const mostReveals = 8;
/** When to draw again what VS Code did not request. */
const checkAfter = second;
/** How often rows are redrawn because of their relative times. */
const tickEvery = minute;

/** A tree that VS Code shows: draws only what changed, refreshes what is visible, says why it is empty. */
export class TreeView {
  readonly tree: vscode.TreeView<TreeRow>;
  private readonly definition: TreeDefinition;
  private readonly data: ConnectionData;
  private readonly order: StoredOrder;
  private readonly rows: TreeRows;
  /** What the rows, the message and the welcome text are made of. */
  private readonly listings: ReadListings;
  private readonly context: DataContext;
  /** VS Code knows rows by identity. */
  private readonly given = new Map<string, TreeRow>();
  private readonly changes = new vscode.EventEmitter<TreeRow[] | undefined>();
  private readonly subscriptions: vscode.Disposable;
  private state: ViewState | undefined;
  /** Nothing is drawn before the session is ready, or after the end. */
  private phase: 'starting' | 'ready' | 'disposed' = 'starting';
  /** When to update at the earliest, on the monotonic clock. */
  private nextUpdate = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ticks: ReturnType<typeof setInterval> | undefined;
  /** Runs while VS Code may show old rows. */
  private check: ReturnType<typeof setTimeout> | undefined;

  constructor(definition: TreeDefinition, data: ConnectionData, memento: vscode.Memento) {
    const { id, roots, sorting } = definition;
    this.definition = definition;
    this.data = data;
    this.order = new StoredOrder(id, memento);
    this.listings = new ReadListings(data.store);
    this.context = { ...data.context, store: this.listings };
    this.rows = new TreeRows(
      () => roots(this.context),
      () => (sorting === undefined ? this.order : { filter: this.order.filter, sorting }),
      systemClock,
    );
    this.tree = vscode.window.createTreeView<TreeRow>(id, {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: this.changes.event,
        getChildren: (row) => this.children(row).map((one) => this.rowOf(one)),
        getParent: (row) => {
          const parent = this.rows.parent(row.id);
          return parent === undefined ? undefined : this.rowOf(parent);
        },
        getTreeItem: (row) => {
          const node = this.node(row);
          return node === undefined ? new vscode.TreeItem('') : treeItem(node, id);
        },
        resolveTreeItem: (item, row) => {
          const node = this.node(row);
          if (node !== undefined) item.tooltip = tooltip(node);
          return item;
        },
      },
    });
    const updateSoon = (): void => this.updateSoon();
    this.subscriptions = vscode.Disposable.from(
      this.tree,
      this.changes,
      registerOpenRow(id, this.tree, (row) => this.open(row)),
      data.onDidChange((change) => {
        if (this.listings.dependOn(change)) this.updateSoon();
      }),
      data.session.onDidChange(updateSoon),
      ...(definition.onDidChange === undefined ? [] : [definition.onDidChange(updateSoon)]),
      onDidLoseRow(() => this.changes.fire(undefined)),
      // VS Code keeps the tooltips that it has.
      onDidChangeSettings('logs.timeZone', () => this.changes.fire(undefined)),
      this.tree.onDidChangeVisibility(() => this.look()),
      this.tree.onDidExpandElement(({ element }) => {
        this.rows.setOpen(element.id, true);
        this.watch();
        data.polling.open(this.node(element)?.cacheKeys ?? []);
      }),
      this.tree.onDidCollapseElement(({ element }) => {
        this.rows.setOpen(element.id, false);
        this.watch();
      }),
    );
    void data.session.ready.then(() => {
      if (this.phase === 'disposed') return;
      this.phase = 'ready';
      this.look();
    });
  }

  get id(): TreeViewId {
    return this.definition.id;
  }

  /** In the user's language. */
  get title(): string {
    return this.definition.title;
  }

  get filter(): TreeFilter {
    return this.order.filter;
  }

  get sorting(): Sorting {
    return this.order.sorting;
  }

  get isVisible(): boolean {
    return this.tree.visible;
  }

  get selected(): TreeNode | undefined {
    const [row] = this.tree.selection;
    return row && this.node(row);
  }

  /** The node of a row; undefined if it is gone. */
  node(row: TreeRow): TreeNode | undefined {
    return this.rows.node(row.id);
  }

  /** The states that a filter can offer, sorted. */
  states(): readonly string[] {
    return this.rows.states();
  }

  async setFilter(filter: TreeFilter): Promise<void> {
    await this.order.setFilter(filter);
    this.update();
  }

  async setSorting(sorting: Sorting): Promise<void> {
    await this.order.setSorting(sorting);
    this.update();
  }

  /** Requests everything that the view shows; resolves when all requests have ended. */
  async refresh(): Promise<void> {
    const { store } = this.data;
    await Promise.all([store.refreshAll(this.shownKeys()), this.definition.refresh?.()]);
  }

  /**
   * Shows and selects the row of a node. If the row is not there, for example because of the filter, it
   * shows the view only.
   *
   * @param path the ids from the root to the node.
   */
  async reveal(
    path: readonly string[],
    { expand = false, focus = false }: RevealOptions = {},
  ): Promise<void> {
    // The latest changes may not be drawn yet, nor rows that were never expanded.
    this.update();
    path.slice(0, -1).forEach((one) => this.rows.children(one));
    const nodeId = path.at(-1);
    if (nodeId === undefined || isBlank(this.state) || this.rows.node(nodeId) === undefined) {
      await vscode.commands.executeCommand(`${this.id}.focus`);
      return;
    }
    const row = this.rowOf(nodeId);
    const before = this.tree.selection[0];
    const isShown = (): boolean =>
      this.tree.selection[0] === row && (!expand || this.rows.isOpen(nodeId));
    /** Not if the tree or row is gone, or the user has selected another one meanwhile. */
    const isWanted = (): boolean =>
      this.phase === 'ready' &&
      this.rows.node(nodeId) !== undefined &&
      [row, before, undefined].includes(this.tree.selection[0]);
    // A tree that is being drawn loses the row, or does not expand it, and does not say so.
    for (let tries = 0; tries < mostReveals; tries++) {
      await this.tree.reveal(row, { select: true, focus, expand });
      if (!isShown()) await new Promise((resolve) => setTimeout(resolve, shortestPause));
      if (isShown() || !isWanted()) return;
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearInterval(this.ticks);
    clearTimeout(this.check);
    this.phase = 'disposed';
    this.data.polling.watch(this.id, undefined);
    this.subscriptions.dispose();
  }

  private async open(row: TreeRow): Promise<void> {
    const { command } = this.node(row) ?? {};
    if (command === undefined) return;
    await vscode.commands.executeCommand(command.id, command.argument ?? row);
  }

  private rowOf(id: string): TreeRow {
    return getOrMake(this.given, id, () => createRow(this.id, id));
  }

  private children(row: TreeRow | undefined): readonly string[] {
    const ids = this.rows.children(row?.id);
    if (row === undefined) {
      // A hidden tree gets no updates, so its state may be old.
      if (this.phase === 'ready') this.show(this.stateNow());
      return isBlank(this.state) ? [] : ids;
    }
    this.rows.setOpen(row.id, true);
    this.watch();
    return ids;
  }

  /** The keys of what is on the screen. */
  private shownKeys(): readonly CacheKey[] {
    const { context } = this;
    const { listed } = this.definition;
    const names = this.definition.names?.(context) ?? [];
    return [
      ...this.definition.cacheKeys(context),
      ...(listed === undefined ? [] : this.data.keyOfList(listed)),
      ...names.filter((key) => context.store.entry(key).value === undefined),
      ...this.rows.cacheKeys(),
    ];
  }

  private watch(): void {
    // Nothing else may be requested, and then it would never be known that the server has a list.
    if (this.tree.visible && this.definition.listed !== undefined) {
      this.data.session.signedIn?.describeIfDue();
    }
    this.data.polling.watch(this.id, this.tree.visible ? this.shownKeys() : undefined);
  }

  private stateNow(): ViewState {
    const { context } = this;
    const { session } = this.data;
    const { cacheKeys, count, names, state } = this.definition;
    const own = session.state.kind === 'signedIn' ? state?.() : undefined;
    if (own !== undefined) return own;
    const essential = [...cacheKeys(context), ...(names?.(context) ?? [])];
    const { shown, unfiltered } = this.rows;
    const all = count?.(context) ?? unfiltered;
    return treeState(session.state.kind, context.store, this.shownKeys(), essential, {
      shown,
      all,
    });
  }

  private show(next: ViewState): void {
    const notice = viewMessage(next);
    const isShown = next.kind === 'shown';
    const note = isShown ? this.definition.note?.() : undefined;
    const filtered = isShown ? this.filteredText() : undefined;
    const text = notice && viewMessageText(notice, this.context);
    const message = joined([filtered, note, text], ' ');
    if (this.tree.message !== message) this.tree.message = message;
    if (this.state === undefined || welcomeKey(this.state) !== welcomeKey(next)) {
      void setContext(viewStateKey(this.id), welcomeKey(next));
    }
    this.state = next;
  }

  /** Says what hides rows, and how many are left; undefined without a filter. */
  private filteredText(): string | undefined {
    const { filter } = this.order;
    if (!isFiltering(filter)) return undefined;
    const { shown, unfiltered } = this.rows;
    const wanted = joined([filter.text.trim(), ...filter.states], ', ');
    return t('Filtered: {0} ({1} of {2}).', breakable(plainText(wanted, 80)), shown, unfiltered);
  }

  /** A hidden tree is drawn when it is shown. */
  private look(): void {
    clearInterval(this.ticks);
    if (this.tree.visible) {
      this.ticks = setInterval(() => this.updateSoon(), tickEvery);
      this.nextUpdate = Math.max(this.nextUpdate, systemClock.monotonic() + rowsFirst);
      this.updateSoon();
    } else this.watch();
  }

  private updateSoon(): void {
    if (this.phase !== 'ready' || !this.tree.visible) return;
    const wait = Math.max(0, this.nextUpdate - systemClock.monotonic());
    this.timer ??= setTimeout(() => this.update(), wait);
  }

  private update(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const start = systemClock.monotonic();
    this.listings.clear();
    const changed = this.rows.update();
    const next = this.stateNow();
    for (const id of this.given.keys()) {
      if (this.rows.node(id) === undefined) this.given.delete(id);
    }
    // Before the message: VS Code gathers changes for 200 ms after any of them.
    if (changed === 'all' || isBlank(this.state) !== isBlank(next)) this.changes.fire(undefined);
    else if (changed.length > 0) this.changes.fire(changed.map((id) => this.rowOf(id)));
    this.show(next);
    this.watch();
    clearTimeout(this.check);
    if (this.rows.isUnsure) {
      this.check = setTimeout(() => {
        if (this.rows.isUnsure) this.updateSoon();
      }, checkAfter);
    }
    const end = systemClock.monotonic();
    // A tree that is slow to draw is drawn less often.
    this.nextUpdate = end + Math.max(shortestPause, 3 * (end - start));
  }
}

/** Whether the welcome text is shown instead of rows. */
function isBlank(state: ViewState | undefined): boolean {
  return state?.kind !== 'shown' && state?.kind !== 'loading';
}

const collapsibleStates = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
} as const;

/** The tree item of a node, without its tooltip, which is resolved later. */
function treeItem(node: TreeNode, view: TreeViewId): vscode.TreeItem {
  const label = rowText(node.label);
  const item = new vscode.TreeItem(label, collapsibleStates[node.collapsible]);
  item.id = node.id;
  item.iconPath = icon(node.status);
  item.contextValue = node.contextValue;
  if (node.description !== undefined) item.description = rowText(node.description);
  item.accessibilityInformation = { label: spokenText(node) };
  if (node.command !== undefined) {
    item.command = { command: openRowCommand(view), title: node.command.title };
  }
  return item;
}

function icon({ icon: id, color }: NodeStatus): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** The tooltip of a node, whose texts are untrusted. */
function tooltip(node: TreeNode): vscode.MarkdownString {
  const first = node.sentence();
  return markdown({ heading: node.label }, ...(first === '' ? [] : [first]), {
    list: node.details().map(({ label, value }) => oneLine(`${label}: ${value}`)),
  });
}

const noFilter: TreeFilter = { text: '', states: [] };
const storedFilter = v.object({ text: v.fallback(v.string(), ''), states: listOf(v.string()) });
const storedSorting = v.picklist(['name', 'state', 'lastDeployment']);

/** The filter and order of a tree, saved across reloads. */
class StoredOrder implements TreeOrder {
  private readonly view: TreeViewId;
  private readonly filters: StoredValue<TreeFilter>;
  private readonly sortings: StoredValue<Sorting>;
  private chosenFilter: TreeFilter;
  private chosenSorting: Sorting;

  constructor(view: TreeViewId, memento: vscode.Memento) {
    this.view = view;
    this.filters = new StoredValue(memento, `${view}.filter`, (one) =>
      readStored(storedFilter, one),
    );
    this.sortings = new StoredValue(memento, `${view}.sorting`, (one) =>
      readStored(storedSorting, one),
    );
    this.chosenFilter = this.filters.value ?? noFilter;
    this.chosenSorting = this.sortings.value ?? 'name';
    if (isFiltering(this.chosenFilter)) void this.setContext();
  }

  get filter(): TreeFilter {
    return this.chosenFilter;
  }

  get sorting(): Sorting {
    return this.chosenSorting;
  }

  async setFilter(filter: TreeFilter): Promise<void> {
    this.chosenFilter = filter;
    await this.filters.set(isFiltering(filter) ? filter : undefined);
    await this.setContext();
  }

  async setSorting(sorting: Sorting): Promise<void> {
    this.chosenSorting = sorting;
    await this.sortings.set(sorting);
  }

  private async setContext(): Promise<void> {
    const isFiltered = isFiltering(this.chosenFilter);
    await setContext(viewFilteredKey(this.view), isFiltered);
  }
}

/** The message above the rows of a tree: how old the rows are, and why. */
function viewMessageText(
  { staleSince, error, missing, refused }: ViewNotice,
  context: DataContext,
): string {
  const age = context.timeFormat.relativeTo(staleSince);
  const parts = [
    age === undefined ? undefined : t('Updated {0}.', age),
    error === undefined ? undefined : describe(error),
    ...missing.map(missingText),
    ...refused.map((one) => refusedText(one, context)),
  ];
  return breakable(joined(parts, ' '));
}

/** Says that the settings list more than is shown; undefined if they do not. */
export function leftOutText(leftOut: number): string | undefined {
  const all = number(maxTargets + leftOut);
  return leftOut === 0
    ? undefined
    : t('Showing the first {0} of {1} in the settings.', maxTargets, all);
}

/** Such as `shop-web: not allowed (repository.read).` */
function refusedText({ permission, cacheKeys }: Refusal, context: DataContext): string {
  const names = cacheKeys.map((key) => plainText(labelOfKey(key, context), 80));
  return t('{0}: not allowed ({1}).', someNames(names, t) ?? '', permission);
}

function missingText({ permission, isHiding }: MissingPermission): string {
  const missing = t('{0} is missing.', permission);
  return `${missing} ${isHiding ? hiddenWithout(permission, t) : t('What is shown is no longer updated.')}`;
}
