import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import type { ComparedPair } from '../comparedSides';
import { type ComparisonState, readComparisonState } from '../protocol/comparisonMessages';
import { SavedPageState } from '../protocol/pageState';
import { ComparisonPanel, type ComparisonServices, type ShownComparison } from './comparisonPanel';
import { panelOptions, webviewOptions } from './pageDocument';
import { readPair } from './readPair';

const viewType = 'controlPlane.logComparison';

/** The comparison of logs, which has at most one panel. */
export class LogComparison implements vscode.Disposable {
  private panel: ComparisonPanel | undefined;
  private readonly savedPageState: SavedPageState<ComparisonState>;
  private readonly registration: vscode.Disposable;

  constructor(
    private readonly services: ComparisonServices,
    workspaceState: vscode.Memento,
  ) {
    const { session } = services;
    const page = 'logComparison';
    this.savedPageState = new SavedPageState(session, workspaceState, page, readComparisonState);
    this.registration = vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, saved) => this.restore(panel, saved),
    });
  }

  /** Shows a comparison. Resolves when it was read, or could not be. */
  async open(pair: ComparedPair): Promise<void> {
    const panel = this.panel ?? this.create();
    panel.reveal();
    this.savedPageState.remember();
    await panel.compare(pair);
  }

  /** What is shown, once it was read. */
  get shown(): ShownComparison | undefined {
    return this.panel?.shown;
  }

  /** The newest record of a shown pattern, by its key. */
  recordOf(key: string): LogRecord | undefined {
    return this.panel?.recordOf(key);
  }

  dispose(): void {
    this.registration.dispose();
    this.panel?.dispose();
  }

  private create(): ComparisonPanel {
    const options = {
      ...webviewOptions(this.services.extensionUri, 'logComparison'),
      ...panelOptions,
    };
    const title = vscode.l10n.t('Log Comparison');
    return this.adopt(
      vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, options),
    );
  }

  private async restore(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    panel.webview.options = webviewOptions(this.services.extensionUri, 'logComparison');
    const opened = this.adopt(panel);
    const state = await this.savedPageState.restore(saved);
    if (state === undefined) return;
    const { session, names } = this.services;
    const pair = readPair(session, names, state);
    if (pair !== undefined) void opened.compare(pair);
  }

  private adopt(panel: vscode.WebviewPanel): ComparisonPanel {
    this.panel?.dispose();
    const adopted = new ComparisonPanel(panel, this.services);
    adopted.onDidClose(() => {
      if (this.panel === adopted) this.panel = undefined;
    });
    return (this.panel = adopted);
  }
}
