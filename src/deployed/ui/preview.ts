import * as vscode from 'vscode';
import { labelText } from '../../base/untrustedText';
import { dotted } from '../../base/textFormat';
import { deploymentTime, type PreviewedResource } from '../../data/deployments';
import { nameOfResource } from '../../data/labels';
import { shortId } from '../../data/targets';
import type { ConnectionData } from '../../data/ui/connectionData';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import { pickOne } from '../../vscode/quickInput';
import type { CheckedOutBranch } from '../branch';
import type { BranchState } from './branchState';

const { t } = vscode.l10n;

/** The most deployments of a filter. */
const mostIds = 50;

interface MenuItem extends vscode.QuickPickItem {
  /** Undefined for a heading. */
  readonly run?: () => unknown;
}

/** `openPreview`: opens the site of the preview of the branch. True if one was opened. */
export function registerOpenPreview(
  branchState: BranchState,
  data: ConnectionData,
): vscode.Disposable {
  return registerCommand(commands.openPreview, async () => {
    const { signedIn } = data.session;
    const items = siteItems(branchState.branch, data);
    if (signedIn === undefined || items.length === 0) return false;
    // Also a single one: it shows where it leads.
    const placeHolder = t('Select a site to open');
    return (await pickOne(items, { placeHolder }, signedIn.signal))?.open() ?? false;
  });
}

/** What the menu of the branch offers of its preview; empty without one. */
export function previewItems(branch: CheckedOutBranch, data: ConnectionData): readonly MenuItem[] {
  const ids = branch.preview.flatMap(({ deploymentIds }) => deploymentIds).slice(0, mostIds);
  if (ids.length === 0) return [];
  const sites = siteItems(branch, data);
  const withoutSite = branch.preview.filter(({ site }) => site === undefined);
  const item = (label: string, icon: string, description: string, run: () => unknown) => ({
    label,
    description: labelText(description),
    iconPath: new vscode.ThemeIcon(icon),
    run,
  });
  const states = dotted(withoutSite.map((one) => stateText(one, data)));
  return [
    {
      label: labelText(t('preview of {0}', branch.head.branch ?? '')),
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...sites.map(({ label, description, open }) =>
      item(t('Open Preview'), 'link-external', dotted([label, description]), open),
    ),
    item(t('Follow Logs of the Preview'), 'output', states, () =>
      vscode.commands.executeCommand(commands.followLogs, { deploymentIds: ids }),
    ),
    item(t('Show Errors of the Preview'), 'error', '', () =>
      vscode.commands.executeCommand(commands.searchLogs, {
        deploymentIds: ids,
        severities: ['error', 'fatal'],
      }),
    ),
  ];
}

/** The sites of a preview: their hosts, and what runs there. */
function siteItems(branch: CheckedOutBranch | undefined, data: ConnectionData) {
  return (branch?.preview ?? []).flatMap((one) => {
    const { site } = one;
    if (site === undefined) return [];
    const uri = vscode.Uri.parse(site, true);
    return {
      label: labelText(uri.authority),
      description: labelText(stateText(one, data)),
      iconPath: new vscode.ThemeIcon('link-external'),
      open: () => vscode.env.openExternal(uri),
    };
  });
}

/** Such as `web-api · succeeded · 2 hr. ago`. Untrusted. */
function stateText(
  { resource, deployment }: PreviewedResource,
  { context: { timeFormat } }: ConnectionData,
): string {
  const time = deploymentTime(deployment);
  return dotted([
    nameOfResource(resource) ?? shortId(resource.id ?? ''),
    deployment.state,
    time === undefined ? undefined : timeFormat.relativeTo(time),
  ]);
}
