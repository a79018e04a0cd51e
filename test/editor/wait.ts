import * as vscode from 'vscode';
import { channels } from '../../src/vscode/contributions';
import { testEnvironment } from './environment';
import { whatIsThere } from './witnesses';

/** Longer than any wait on this machine, in milliseconds; a test that waits this long has failed. */
async function deadline(): Promise<number> {
  return 60_000 * (await testEnvironment()).slowness;
}

/** The output channels. */
export type ChannelName = keyof typeof channels;

/** The end of the path of each channel's document; VS Code has no better identification. */
const pathEnds: Record<ChannelName, RegExp> = {
  logs: new RegExp(`-${channels.logs}$`),
  // The oldest release uses the name of the channel instead of the file.
  diagnostics: new RegExp(`\\.${channels.diagnostics}(?:\\.log)?$`),
};

/** The documents of a channel, oldest first: there are two for a moment while it is replaced. */
function channelDocuments(name: ChannelName): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ uri }) => uri.scheme === 'output' && pathEnds[name].test(uri.path),
  );
}

/** The document of a channel; undefined if it is not open. */
export function channelDocument(name: ChannelName): vscode.TextDocument | undefined {
  return channelDocuments(name).at(-1);
}

/**
 * Waits until `read` finds something in the text of a channel; checks after each change.
 *
 * @throws after the deadline: what `read` threw last, or with the end of the text and the current state.
 */
export async function inChannel<Found>(
  name: ChannelName,
  read: (text: string) => Found | undefined,
): Promise<Found> {
  const look = (): Found | undefined => {
    const document = channelDocument(name);
    return document && read(document.getText());
  };
  const subscriptions: vscode.Disposable[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = await deadline();
  const found = new Promise<Found | undefined>((resolve, reject) => {
    let problem: unknown;
    timer = setTimeout(() => {
      if (problem instanceof Error) reject(problem);
      else resolve(undefined);
    }, limit);
    const check = (): void => {
      problem = undefined;
      try {
        const is = look();
        if (is !== undefined) resolve(is);
      } catch (error) {
        // Half a line that VS Code left is repaired in a moment.
        problem = error;
      }
    };
    subscriptions.push(
      vscode.workspace.onDidChangeTextDocument(check),
      vscode.workspace.onDidOpenTextDocument(check),
    );
    check();
  });
  try {
    const is = await found;
    if (is !== undefined) return is;
  } finally {
    clearTimeout(timer);
    subscriptions.forEach((one) => void one.dispose());
  }
  const text = channelDocument(name)?.getText() ?? 'It is not open.';
  throw new Error(
    `${channels[name]} lacks the expected text. It has ${text.split('\n').length} lines. Its end:\n${endOf(text)}\n${await whatIsThere()}`,
  );
}

/** The last lines of a text, each truncated. */
function endOf(text: string): string {
  const lines = text.trimEnd().split('\n').slice(-5);
  return lines
    .map((line) => (line.length > 200 ? `${line.slice(0, 200)} [+${line.length - 200}]` : line))
    .join('\n');
}

/**
 * Waits until `read` finds something that has no event: in the control plane and in the states of
 * tails.
 *
 * @throws after the deadline, with the current state.
 */
export async function until<Found>(
  what: string,
  read: () => Found | undefined | false | Promise<Found | undefined | false>,
): Promise<Found> {
  const end = Date.now() + (await deadline());
  for (;;) {
    const found = await read();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) {
      throw new Error(`Timed out waiting for: ${what}.\n${await whatIsThere()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs a command of the extension. */
export function run<Result = unknown>(command: string, argument?: unknown): Thenable<Result> {
  return vscode.commands.executeCommand<Result>(`controlPlane.${command}`, argument);
}
