import * as vscode from 'vscode';
import { isLogDocument } from './logLinks';

/** How long VS Code may take to load what a channel that is shown has, in milliseconds. */
const loadedWithin = 15_000;

/** The documents of the log channel: VS Code opens one when a channel is first shown. */
export function logTexts(): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(isLogDocument);
}

/**
 * Resolves once the window shows text of a log channel, or when it should by now.
 *
 * @param except documents that do not count.
 * @param lines how many lines the text has at least.
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

/** A new channel in the place of another one. */
export interface Renewal {
  readonly channel: vscode.OutputChannel;
  /** Resolves once the old channel is gone; until then, the new one must not be renewed. */
  readonly settled: Promise<void>;
}

/** Puts a new channel with this text in the place of one: behind it is a file of its own. */
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
  // Where the channel that is shown goes first, VS Code shows some other one meanwhile. And what is
  // disposed of while it is loaded stays in memory for ever.
  const settled = loaded(logTexts(), text === '' ? 1 : 2).then(() => old.dispose());
  channel.show(true);
  return { channel, settled };
}
