import * as vscode from 'vscode';
import { rowText } from '../../../base/untrustedText';
import type { RowCommand } from '../../../trees/nodes';
import { onDidLoseRow, setContext } from '../../../vscode/commands';
import { commands, contextKeys, views } from '../../../vscode/contributions';
import { markdown } from '../../../vscode/markdown';
import { counted } from '../../../vscode/numbers';
import { openRowCommand, registerOpenRow } from '../../../vscode/openRow';
import { activityOf, type FollowedTail, type Tails } from '../tails';
import { explanation, rateText, stateIcon, tailSentence, tailStateText } from './tailText';

/** A row of another feature, below the tails. */
export interface ExtraRow {
  readonly id: string;
  readonly command?: RowCommand;
  children(): readonly ExtraRow[];
  item(): vscode.TreeItem;
}

/** Rows of another feature. */
export interface ExtraRows {
  readonly onDidChange: vscode.Event<void>;
  roots(): readonly ExtraRow[];
}

type Row = FollowedTail | ExtraRow;

/** The view *Logs*: one row for each tail, with its state and rate, and the rows of other features below them. */
export function registerLogsView(
  tails: Tails,
  ...features: readonly ExtraRows[]
): vscode.Disposable {
  const extras = (): readonly ExtraRow[] => {
    const rows = features.flatMap((feature) => feature.roots());
    // Rows hide the welcome view, which has a button for this.
    return rows.length > 0 && tails.all.length === 0 ? [offerRow(), ...rows] : rows;
  };
  const changes = new vscode.EventEmitter<Row | undefined>();
  /** Drawing a row again closes its tooltip. */
  const drawn = new WeakMap<FollowedTail, string>();
  const view = vscode.window.createTreeView<Row>(views.logs, {
    treeDataProvider: {
      onDidChangeTreeData: changes.event,
      getChildren(parent) {
        if (parent !== undefined) return 'item' in parent ? [...parent.children()] : [];
        return [...tails.all, ...extras()];
      },
      getTreeItem(row) {
        if ('item' in row) return extraItem(row);
        drawn.set(row, describeState(row));
        return treeItem(row);
      },
    },
  });
  const subscription = tails.onDidChange(({ followed, listChanged }) =>
    changes.fire(listChanged ? undefined : followed),
  );
  const firstLive = tails.onDidChange(({ followed }) => {
    if (followed.tail.state.kind !== 'live') return;
    firstLive.dispose();
    void setContext(contextKeys.following, true);
  });
  // The rate and the countdown of a wait change without an event.
  const redraw = (): void => {
    if (!view.visible) return;
    for (const followed of tails.all) {
      if (describeState(followed) !== drawn.get(followed)) changes.fire(followed);
    }
  };
  let look = lookOf(extras());
  // VS Code calls the command without the row if the tree is being redrawn.
  const redrawExtras = (): void => {
    const before = look;
    look = lookOf(extras());
    if (look !== before) changes.fire(undefined);
  };
  return vscode.Disposable.from(
    view,
    registerOpenRow(views.logs, view, async (row) => {
      if (!('item' in row) || row.command === undefined) return;
      await vscode.commands.executeCommand(row.command.id, row.command.argument);
    }),
    subscription,
    firstLive,
    tails.onDidTick(redraw),
    ...features.map(({ onDidChange }) => onDidChange(redrawExtras)),
    onDidLoseRow(() => changes.fire(undefined)),
    view.onDidChangeVisibility(redraw),
    changes,
  );
}

function offerRow(): ExtraRow {
  const id = 'offer';
  const label = vscode.l10n.t('Follow Logs…');
  return {
    id,
    command: { id: commands.followLogs, title: label },
    children: () => [],
    item() {
      const item = new vscode.TreeItem(label);
      item.id = id;
      item.iconPath = new vscode.ThemeIcon('add');
      const why = vscode.l10n.t('Not following any logs.');
      item.description = why;
      item.accessibilityInformation = { label: `${label}, ${why}` };
      return item;
    },
  };
}

function extraItem(row: ExtraRow): vscode.TreeItem {
  const item = row.item();
  if (row.command !== undefined) {
    item.command = { command: openRowCommand(views.logs), title: row.command.title };
  }
  return item;
}

/** The visible parts of the rows as one text, to find changes. */
function lookOf(rows: readonly ExtraRow[]): string {
  return JSON.stringify(rows.map((row) => [row.item(), lookOf(row.children())]));
}

/** A longer label would hide the state. The tooltip has it in full. */
const labelLength = 24;

function describeState({ tail, rate }: FollowedTail): string {
  const state = tailStateText(tail.state, performance.now());
  return tail.state.kind === 'live' ? `${state} · ${rateText(rate)}` : state;
}

function treeItem(followed: FollowedTail): vscode.TreeItem {
  const { key, label, tail } = followed;
  const now = performance.now();
  const item = new vscode.TreeItem(rowText(label, labelLength));
  item.id = key;
  const state = tailStateText(tail.state, now);
  item.description = describeState(followed);
  item.iconPath = stateIcon(tail.state);
  item.contextValue = `tail.${activityOf(tail)}`;
  item.accessibilityInformation = { label: tailSentence(followed, now) };
  const { received, dropped, connects } = tail.counters;
  const counts = [
    counted(received, '{0} record received', '{0} records received'),
    counted(dropped, '{0} record dropped', '{0} records dropped'),
    counted(connects, 'connected {0} time', 'connected {0} times'),
  ];
  const why = explanation(tail.state);
  item.tooltip = markdown(label, state, ...(why === undefined ? [] : [why]), counts.join(', '));
  return item;
}
