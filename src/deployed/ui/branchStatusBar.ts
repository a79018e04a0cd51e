import * as vscode from 'vscode';
import * as v from 'valibot';
import { minute } from '../../base/clock';
import type { Disposable } from '../../base/event';
import { readStored } from '../../base/storedValue';
import { labelText, oneLine } from '../../base/untrustedText';
import { StoredPerConnection } from '../../connection/perConnection';
import { tooltipOfConnection } from '../../connection/ui/session';
import { Labels } from '../../data/labels';
import type { ConnectionData } from '../../data/ui/connectionData';
import { registerCommand } from '../../vscode/commands';
import { commands, statusBarItems } from '../../vscode/contributions';
import { describe } from '../../vscode/errorMessages';
import { markdown } from '../../vscode/markdown';
import { counted } from '../../vscode/numbers';
import { branchText, type BranchWords } from '../branch';
import { isPushOf, type ShownPush, withPush } from '../push';
import { showBranchMenu } from './branchCommands';
import type { BranchState } from './branchState';

const { t } = vscode.l10n;

/** How often the tooltip is updated because of its relative times. */
const tickEvery = minute;

/**
 * The status bar item of the checked-out branch: its environment, the deployed commit and its distance from HEAD,
 * or the push that is on its way; red while nobody has seen that it failed. A click opens the menu. Hidden if the source of the repository is unknown.
 */
export class BranchStatusBar implements Disposable {
  // To the left of the item of the logs.
  private readonly item = vscode.window.createStatusBarItem(
    statusBarItems.branch,
    vscode.StatusBarAlignment.Left,
    1,
  );
  private readonly subscription: Disposable;
  /** The push that was on show when the menu was opened last. */
  private readonly seen: StoredPerConnection<string>;
  private push: ShownPush | undefined;
  private last = '';
  /** Set while the item is shown. */
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly branchState: BranchState,
    private readonly data: ConnectionData,
    workspaceState: vscode.Memento,
  ) {
    this.seen = new StoredPerConnection(data.session, workspaceState, 'seenPush', (stored) =>
      readStored(v.string(), stored),
    );
    this.item.name = t('Control Plane: Deployed Commit');
    this.item.command = commands.branchMenu;
    this.subscription = vscode.Disposable.from(
      branchState.onDidChange(() => this.update()),
      registerCommand(commands.branchMenu, () => {
        if (this.push?.isFailed === true) this.seen.set(idOfPush(this.push));
        this.update();
        return showBranchMenu(branchState, data);
      }),
    );
  }

  /** Shows a push until the next call. */
  showPush(push: ShownPush | undefined): void {
    if (push === undefined && this.push === undefined) return;
    this.push = push;
    this.update();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    this.item.dispose();
  }

  private update(): void {
    clearTimeout(this.timer);
    const { state, repository } = this.branchState;
    const { timeFormat } = this.data.context;
    const labels = new Labels(this.data.context);
    switch (state.kind) {
      case 'shown': {
        const { branch } = state;
        const words = branchText(branch, {
          t,
          counted,
          timeFormat,
          positionOf: (sha) => this.branchState.positionOf(sha),
          sourceLabel: labels.source(branch.source),
          describe,
        });
        const { push } = this;
        if (isPushOf(push, branch, repository?.root.toString())) {
          const isFailed = push.isFailed && this.seen.value !== idOfPush(push);
          this.show(withPush(words, branch, { ...push, isFailed }, { t, counted, timeFormat }));
        } else this.show(words);
        break;
      }
      case 'severalSources':
        this.show(severalWords(state.sources.map((source) => labels.source(source))));
        break;
      case 'nothing':
        this.item.hide();
        return;
    }
    this.timer = setTimeout(() => this.update(), tickEvery);
  }

  private show(words: BranchWords): void {
    const connection = tooltipOfConnection(this.data.session);
    const key = JSON.stringify([connection, words]);
    if (key !== this.last) {
      this.last = key;
      const { item } = this;
      item.text = `${words.isBusy ? '$(sync~spin)' : '$(rocket)'} ${labelText(words.text)}`;
      item.backgroundColor = words.isFailed
        ? new vscode.ThemeColor('statusBarItem.errorBackground')
        : undefined;
      item.tooltip = markdown(...connection, ...words.tooltip);
      item.accessibilityInformation = { label: oneLine(words.label), role: 'button' };
    }
    this.item.show();
  }
}

function idOfPush({ sha, at }: ShownPush): string {
  return `${sha} ${at}`;
}

function severalWords(labels: readonly string[]): BranchWords {
  return {
    text: t('choose source…'),
    label: t('Control plane: choose the source of this folder'),
    tooltip: [t('Several sources match this folder:'), ...labels.slice(0, 10)],
    isBusy: false,
    isFailed: false,
  };
}
