import * as vscode from 'vscode';
import { isLogDocument } from './logLinks';

/** How long VS Code may take to load the text of a visible channel, in milliseconds. */
const loadedWithin = 15_000;

/** The documents of the log channel. VS Code opens one when the channel is first shown. */
export function logTexts(): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(isLogDocument);
}

/**
 * Resolves when a visible document of the log channel has text, or after a time limit.
 *
 * @param except documents that do not count.
 * @param lines the least number of lines of the text.
 */
export async function loaded(
  except: readonly vscode.TextDocument[] = [],
  lines = 2,
): Promise<void> {
  const subscriptions: vscode.Disposable[] = [];
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, loadedWithin);
    const check = (): void => {
      const isLoaded = vscode.window.visibleTextEditors.some(
        ({ document }) =>
          isLogDocument(document) && document.lineCount >= lines && !except.includes(document),
      );
      if (!isLoaded) return;
      clearTimeout(timer);
      resolve();
    };
    subscriptions.push(
      vscode.window.onDidChangeVisibleTextEditors(check),
      vscode.workspace.onDidChangeTextDocument(check),
    );
  });
  subscriptions.forEach((one) => void one.dispose());
}

/** A channel that replaces another one. */
interface Renewal {
  readonly channel: vscode.OutputChannel;
  /** Resolves when the old channel is gone. Do not replace the new one before that. */
  readonly settled: Promise<void>;
}

/** Replaces a channel by a new one with this text. The new channel has its own file. */
export function renewed(
  old: vscode.OutputChannel,
  open: () => vscode.OutputChannel,
  text: string,
): Renewal {
  const isVisible = vscode.window.visibleTextEditors.some(({ document }) =>
    isLogDocument(document),
  );
  const channel = open();
  channel.append(text);
  if (!isVisible) {
    old.dispose();
    return { channel, settled: Promise.resolve() };
  }
  // If the visible channel is disposed first, VS Code shows some other channel. A channel that is
  // disposed while it loads stays in memory.
  const settled = loaded(logTexts(), text === '' ? 1 : 2).then(() => old.dispose());
  channel.show(true);
  return { channel, settled };
}
