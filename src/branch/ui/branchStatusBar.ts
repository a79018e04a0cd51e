import * as vscode from 'vscode';
import type { BranchState } from './branchNews';
import { commands, statusBarItems } from '../../vscode/contributions';
import { counted } from '../../vscode/numbers';
import { labelText, oneLine } from '../../text/plainText';
import { describe } from '../../vscode/errorMessages';
import type { WorkspaceData } from '../../inventory/ui/workspaceData';
import { branchText, type BranchWords } from '../branchText';
import { createLabels } from '../../inventory/tree/labels';

const { t } = vscode.l10n;

/** The tooltip says how long ago something was. */
const tickEvery = 60_000;

/**
 * The item in the status bar: the environment of the branch that is checked out, what is deployed
 * there and how far HEAD is from it; a click offers what can be done. Without a repository whose
 * source is known there is no item.
 */
export function registerBranchStatusBar(news: BranchState, data: WorkspaceData): vscode.Disposable {
  // Beside the logs, and further to the left.
  const item = vscode.window.createStatusBarItem(
    statusBarItems.branch,
    vscode.StatusBarAlignment.Left,
    1,
  );
  item.name = t('Control Plane: Deployed Commit');
  item.command = commands.branchMenu;

  function update(): void {
    const { state } = news;
    const labels = createLabels(data.context);
    switch (state.kind) {
      case 'shown':
        show(
          branchText(state.branch, {
            t,
            counted,
            moments: data.context.moments,
            positionOf: news.positionOf,
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
    }
  }

  let last = '';
  function show(words: BranchWords): void {
    const key = JSON.stringify(words);
    if (key !== last) {
      last = key;
      item.text = `${words.isBusy ? '$(sync~spin)' : '$(rocket)'} ${labelText(words.text)}`;
      const tooltip = new vscode.MarkdownString();
      tooltip.appendText(words.tooltip.map(indented).join('\n'));
      item.tooltip = tooltip;
      item.accessibilityInformation = { label: oneLine(words.label), role: 'button' };
    }
    item.show();
  }

  const ticking = setInterval(update, tickEvery);
  const subscription = news.onDidChange(update);
  return vscode.Disposable.from(
    item,
    subscription,
    new vscode.Disposable(() => clearInterval(ticking)),
  );
}

/** Text of a server stays on its line; Markdown would swallow the blanks before it. */
function indented(line: string): string {
  const text = line.trimStart();
  return '\u00a0'.repeat(line.length - text.length) + oneLine(text);
}

function severalWords(labels: readonly string[]): BranchWords {
  return {
    text: t('choose source…'),
    label: t('Control plane: choose the source of this folder'),
    tooltip: [t('Several sources could be that of this folder:'), ...labels.slice(0, 10)],
    isBusy: false,
  };
}
