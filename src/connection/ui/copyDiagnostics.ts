import * as vscode from 'vscode';
import { membersOf } from '../../base/json';
import { systemClock } from '../../vscode/systemClock';
import { registerCommand } from '../../vscode/commands';
import { commands, extensionId } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { settingsInspector } from '../../vscode/settings';
import type { ApiKeys } from '../apiKeys';
import { changedSettings, type DiagnosticFacts, diagnosticsReport } from '../diagnosticsReport';
import { serverSettingsLines } from '../serverSettings';
import { connections, type Session } from './session';
import { serverSettings } from './showServerSettings';

const { t } = vscode.l10n;

/**
 * `copyDiagnostics`: copies a report for a bug report to the clipboard, and offers to show it.
 *
 * @param tails a line for each tail.
 */
export function registerCopyDiagnostics(
  session: Session,
  keys: ApiKeys,
  tails: () => readonly string[],
  diagnostics: Diagnostics,
  reports: ReadonlyDocuments,
): vscode.Disposable {
  return registerCommand(commands.copyDiagnostics, async () => {
    const text = diagnosticsReport(await gather(session, keys, tails, diagnostics));
    await vscode.env.clipboard.writeText(text);
    void showReport(reports, text);
  });
}

async function showReport(reports: ReadonlyDocuments, text: string): Promise<void> {
  const show = t('Show');
  const chosen = await vscode.window.showInformationMessage(
    t('Copied the diagnostics. They contain no API keys, secret names or log text.'),
    show,
  );
  if (chosen === show) await reports.show(`${t('Diagnostics')}.md`, text);
}

async function gather(
  session: Session,
  keys: ApiKeys,
  tails: () => readonly string[],
  diagnostics: Diagnostics,
): Promise<DiagnosticFacts> {
  await session.ready;
  const manifest: unknown = vscode.extensions.getExtension(extensionId)?.packageJSON;
  const { version, contributes } = membersOf(manifest);
  const known = connections();
  const found = await Promise.all(known.map((connection) => keys.get(connection)));
  const current = session.state.kind === 'none' ? undefined : session.state.connection.name;
  const settings = settingsInspector();
  return {
    takenAt: systemClock.now(),
    about: about(version),
    connections: known.map(({ name, origin }, index) => ({
      name,
      origin,
      is: `${found[index] === undefined ? 'no key' : 'has a key'}${name === current ? ', current' : ''}`,
    })),

    settings: changedSettings(membersOf(contributes)['configuration'], (name) =>
      settings.inspect(name),
    ),
    server: current === undefined ? [] : serverSettingsLines(serverSettings(session)),
    tails: tails(),
    requests: diagnostics.recentRequests,
    keys: found.filter((key) => key !== undefined),
  };
}

function about(version: unknown): [string, string][] {
  const { env, workspace, UIKind } = vscode;
  // The web worker host has no `process`, or only parts of it.
  const { versions, platform, arch }: Partial<NodeJS.Process> =
    typeof process === 'undefined' ? {} : process;
  const folders = workspace.workspaceFolders ?? [];
  const schemes = [...new Set(folders.map(({ uri }) => uri.scheme))];
  return [
    ['Deployment Control Plane', typeof version === 'string' ? version : 'of no known version'],
    ['Editor', `${env.appName} ${vscode.version}, ${env.appHost}, language ${env.language}`],
    ['Window', env.uiKind === UIKind.Web ? 'in a browser' : 'on the desktop'],
    ['Remote', remoteKind(env.remoteName)],
    [
      'Extension host',
      versions?.node === undefined
        ? 'web worker'
        : `Node.js ${versions.node}, ${platform ?? ''} ${arch ?? ''}`,
    ],
    [
      'Workspace',
      [
        `${folders.length} folders`,
        ...schemes,
        workspace.isTrusted ? 'trusted' : 'in restricted mode',
      ].join(', '),
    ],
  ];
}

/** Such as `ssh-remote` or `wsl`. VS Code as a server puts its address there, which is left out. */
function remoteKind(name: string | undefined): string {
  if (name === undefined) return 'none';
  return /^[a-z]+(-[a-z]+)*$/.test(name) ? name : 'a server';
}
