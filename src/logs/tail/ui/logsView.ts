import * as vscode from 'vscode';
import { rowText } from '../../../base/plainText';
import { contextKeys, views } from '../../../vscode/contributions';
import { markdown } from '../../../vscode/markdown';
import { counted } from '../../../vscode/numbers';
import { activityOf, type FollowedTail } from '../tails';
import type { LogFollowing } from './following';
import { explanation, rateText, stateIcon, tailSentence, tailStateText } from './tailText';

/** A row of another feature, below the tails. */
export interface ExtraRow {
  readonly id: string;
  children(): readonly ExtraRow[];
  item(): vscode.TreeItem;
}

interface ExtraRows {
  readonly onDidChange: vscode.Event<void>;
  roots(): readonly ExtraRow[];
}

export interface LogsView {
  /** Adds rows until the returned object is disposed. */
  add(rows: ExtraRows): vscode.Disposable;
  dispose(): void;
}

type Row = FollowedTail | ExtraRow;

/** The view *Logs*: one row for each tail, with its state and rate. */
export function registerLogsView(following: LogFollowing): LogsView {
  const changes = new vscode.EventEmitter<Row | undefined>();
  const drawn = new WeakMap<FollowedTail, Drawn>();
  let extras: readonly ExtraRows[] = [];
  const view = vscode.window.createTreeView<Row>(views.logs, {
    treeDataProvider: {
      onDidChangeTreeData: changes.event,
      getChildren(parent) {
        if (parent !== undefined) return 'item' in parent ? [...parent.children()] : [];
        return [...following.tails, ...extras.flatMap((rows) => rows.roots())];
      },
      getTreeItem(row) {
        if ('item' in row) return row.item();
        drawn.set(row, { at: performance.now(), rate: row.rate, description: describeState(row) });
        return treeItem(row);
      },
    },
  });
  const subscription = following.onDidChange(({ followed, listChanged }) =>
    changes.fire(listChanged ? undefined : followed),
  );
  const firstLive = following.onDidChange(({ followed }) => {
    if (followed.tail.state.kind !== 'live') return;
    firstLive.dispose();
    void vscode.commands.executeCommand('setContext', contextKeys.following, true);
  });
  // The rate and the countdown of a wait change without an event.
  const redraw = (): void => {
    if (!view.visible) return;
    const now = performance.now();
    for (const followed of following.tails) {
      const description = describeState(followed);
      const last = drawn.get(followed);
      const { tail, rate } = followed;
      // That a rate begins or ends is drawn at once: “0 lines/s” beside new lines would be wrong.
      const isChanging = tail.state.kind === 'live' && rate > 0 && (last?.rate ?? 0) > 0;
      const isEarly = isChanging && now - (last?.at ?? 0) < rateEvery;
      if (isEarly || description === last?.description) continue;
      changes.fire(followed);
    }
  };
  const disposables = vscode.Disposable.from(
    view,
    subscription,
    firstLive,
    following.onDidTick(redraw),
    view.onDidChangeVisibility(redraw),
    changes,
  );
  return {
    add(rows) {
      extras = [...extras, rows];
      let look = lookOf(rows.roots());
      // VS Code calls the command without the row if the tree is being redrawn.
      const listening = rows.onDidChange(() => {
        const before = look;
        look = lookOf(rows.roots());
        if (look !== before) changes.fire(undefined);
      });
      changes.fire(undefined);
      return new vscode.Disposable(() => {
        listening.dispose();
        extras = extras.filter((one) => one !== rows);
      });
    },
    dispose: () => void disposables.dispose(),
  };
}

/** The visible parts of the rows as one text, to find changes. */
function lookOf(rows: readonly ExtraRow[]): string {
  return JSON.stringify(rows.map((row) => [row.item(), lookOf(row.children())]));
}

/** Milliseconds between updates of the rate. Each update closes an open tooltip. */
const rateEvery = 4500;

interface Drawn {
  readonly at: number;
  readonly rate: number;
  readonly description: string;
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
