import * as vscode from 'vscode';
import { connectAs } from '../../host/connectAs';
import { pushChange } from './pushChange';

/**
 * Does once what a new user does first: connects with the URL and key that `npm start` puts into the
 * environment, opens the views, follows all logs, and opens the file that an error names. After a reload
 * the extension itself resumes.
 */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const { workspaceState, subscriptions } = context;
  const {
    DCP_DEMO_URL: baseUrl,
    DCP_DEMO_KEY: apiKey,
    DCP_DEMO_FOLDERS: folders = '',
    DCP_DEMO_APPS: apps = '',
  } = process.env;
  if (!baseUrl || !apiKey) return;
  subscriptions.push(
    vscode.commands.registerCommand('controlPlaneDemo.pushChange', () =>
      pushChange(baseUrl, apps.split(',').filter(Boolean)),
    ),
  );
  if (workspaceState.get('started')) return;
  await vscode.commands.executeCommand('workbench.view.extension.controlPlane');
  await connectAs({ name: 'Demo', baseUrl, apiKey });
  await vscode.commands.executeCommand('controlPlane.followLogs', {});
  await workspaceState.update('started', true);
  subscriptions.push(openNextError(folders.split(',').filter(Boolean)));
}

/**
 * Opens the file of the first error after the history, by the link of its innermost stack frame.
 *
 * @param folders the names of the only folders whose files to open; empty: any.
 */
function openNextError(folders: readonly string[]): vscode.Disposable {
  const isWanted = ({ scheme, path }: vscode.Uri): boolean =>
    scheme !== 'command' &&
    (folders.length === 0 || folders.some((name) => path.includes(`/${name}/`)));
  let historyLines: number | undefined;
  const subscription = vscode.workspace.onDidChangeTextDocument(async ({ document }) => {
    const { uri, languageId, lineCount } = document;
    if (uri.scheme !== 'output' || languageId !== 'log') return;
    historyLines ??= lineCount;
    const first = historyLines;
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[] | undefined>(
      'vscode.executeLinkProvider',
      uri,
    );
    const frames = (links ?? []).filter(
      ({ range, target }) => range.start.line >= first && target !== undefined && isWanted(target),
    );
    // Python writes the frame that failed last, all others first.
    const isPython = /^\s*File /.test(document.lineAt(frames[0]?.range.start.line ?? 0).text);
    const target = frames.at(isPython ? -1 : 0)?.target;
    if (!target) return;
    subscription.dispose();
    await showLine(target);
  });
  return subscription;
}

/** @param target a file with line and column in its fragment: `L3,5`. */
async function showLine(target: vscode.Uri): Promise<void> {
  const [, line, column = '1'] = /^L?(\d+)(?:,(\d+))?/.exec(target.fragment) ?? [];
  const position = new vscode.Position(Number(line ?? 1) - 1, Number(column) - 1);
  await vscode.window.showTextDocument(target.with({ fragment: '' }), {
    preserveFocus: true,
    selection: new vscode.Range(position, position),
  });
}
