import * as vscode from 'vscode';
import type { BranchState } from './branchState';
import { commands, statusBarItems } from '../../vscode/contributions';
import { markdown } from '../../vscode/markdown';
import { counted } from '../../vscode/numbers';
import { labelText, oneLine } from '../../base/plainText';
import { describe } from '../../vscode/errorMessages';
import type { ConnectionData } from '../../data/ui/connectionData';
import { branchText, type BranchWords } from '../branchText';
import { Labels } from '../../data/labels';

const { t } = vscode.l10n;

/** How often the tooltip is updated because of its relative times, in milliseconds. */
const tickEvery = 60_000;

/**
 * The status bar item of the checked-out branch: its environment, the deployed commit and its distance
 * from HEAD. A click opens the menu. Hidden if the source of the repository is unknown.
 */
export function registerBranchStatusBar(
  branchState: BranchState,
  data: ConnectionData,
): vscode.Disposable {
  // To the left of the item of the logs.
  const item = vscode.window.createStatusBarItem(
    statusBarItems.branch,
    vscode.StatusBarAlignment.Left,
    1,
  );
  item.name = t('Control Plane: Deployed Commit');
  item.command = commands.branchMenu;

  /** Set while it is shown. */
  let ticking: ReturnType<typeof setInterval> | undefined;
  function update(): void {
    const { state } = branchState;
    const labels = new Labels(data.context);
    switch (state.kind) {
      case 'shown':
        show(
          branchText(state.branch, {
            t,
            counted,
            timeFormat: data.context.timeFormat,
            positionOf: (sha) => branchState.positionOf(sha),
            sourceLabel: labels.source(state.branch.source),
            describe,
          }),
        );
        break;
      case 'severalSources':
        show(severalWords(state.sources.map((source) => labels.source(source))));
        break;
      case 'nothing':
        item.hide();
        clearInterval(ticking);
        ticking = undefined;
        return;
    }
    ticking ??= setInterval(update, tickEvery);
  }

  let last = '';
  function show(words: BranchWords): void {
    const key = JSON.stringify(words);
    if (key !== last) {
      last = key;
      item.text = `${words.isBusy ? '$(sync~spin)' : '$(rocket)'} ${labelText(words.text)}`;
      item.tooltip = markdown(...words.tooltip);
      item.accessibilityInformation = { label: oneLine(words.label), role: 'button' };
    }
    item.show();
  }

  const subscription = branchState.onDidChange(update);
  return vscode.Disposable.from(
    item,
    subscription,
    new vscode.Disposable(() => clearInterval(ticking)),
  );
}

function severalWords(labels: readonly string[]): BranchWords {
  return {
    text: t('choose source…'),
    label: t('Control plane: choose the source of this folder'),
    tooltip: [t('Several sources match this folder:'), ...labels.slice(0, 10)],
    isBusy: false,
  };
}
