import * as vscode from 'vscode';
import { compareNames, dotted } from '../../base/textFormat';
import { labelText, plainText } from '../../base/untrustedText';
import type { Git } from '../../commits/ui/git';
import { shortSha, deploymentTime, type PreviewedResource } from '../../data/deployments';
import { Labels, idText, nameOfResource } from '../../data/labels';
import { shortId, type Target, type FollowLogs, type FollowTarget } from '../../data/targets';
import { siteHost } from '../../data/sites';
import { stateInWords } from '../../data/stateWords';
import type { ConnectionData } from '../../data/ui/connectionData';
import { openSite, type Site } from '../../data/ui/openSite';
import { followOfResources } from '../../trees/sources/sourceNodes';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { counted } from '../../vscode/numbers';
import { pickOne } from '../../vscode/quickInput';
import {
  type BranchEnvironment,
  type CheckedOutBranch,
  type SourceChoice,
  environmentName,
  positionText,
} from '../branch';
import type { BranchState } from './branchState';
import { compareWithDeployed, showCommitOfFile, showDeployed } from './deployedCommit';

const { t } = vscode.l10n;

/** The commands of the checked-out branch and its deployed commits. */
export function registerBranchCommands(
  branchState: BranchState,
  git: Git,
  data: ConnectionData,
  followLogs: FollowLogs,
  diagnostics: Diagnostics,
): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(
      commands.showDeployedCommit,
      (argument) =>
        argument === undefined ? showDeployed(branchState) : showCommitOfFile(git, argument),
      { diagnostics, failed: t('Could not show the deployed commit.') },
    ),
    registerCommand(commands.compareWithDeployedCommit, () => compareWithDeployed(branchState), {
      diagnostics,
      failed: t('Could not show the deployed commit.'),
    }),
    registerCommand(commands.followBranchLogs, () => followBranch(branchState, data, followLogs)),
    registerCommand(commands.chooseSource, () => chooseSource(branchState, data)),
  );
}

/** Follows an environment of the branch, not one that it is only compared with. */
async function followBranch(
  branchState: BranchState,
  data: ConnectionData,
  followLogs: FollowLogs,
): Promise<boolean> {
  const { branch } = branchState;
  const { signedIn } = data.session;
  if (branch === undefined || branch.relation === 'other' || !signedIn) return false;
  const { environments } = branch;
  const items = environments.map((environment) => ({
    label: labelText(environmentName(environment, t)),
    environment,
  }));
  const picked =
    items.length > 1
      ? await pickOne(items, { placeHolder: t('Select an environment to follow') }, signedIn.signal)
      : items[0];
  if (picked === undefined) return false;
  const follow = followOfBranch(branch, picked.environment);
  if (follow === undefined) {
    void vscode.window.showInformationMessage(
      t('There are no apps or jobs to follow, or too many to follow together.'),
    );
    return false;
  }
  return followLogs(follow, signedIn);
}

function followOfBranch(
  { relation }: CheckedOutBranch,
  environment: BranchEnvironment,
): FollowTarget | undefined {
  const { resources, name, branch, deployed } = environment;
  if (relation !== 'preview') {
    return followOfResources(resources, environmentName(environment, t), name).follow;
  }
  // The API lists no previews, but their log records name the deployment.
  const deploymentIds = deployed.commits.flatMap((one) => one.deploymentIds).slice(0, 50);
  if (deploymentIds.length === 0) return undefined;
  return { filter: { deploymentIds }, label: t('preview of {0}', branch ?? '') };
}

interface Item extends vscode.QuickPickItem {
  readonly choose?: { readonly choice: SourceChoice | undefined };
  /** A command that adds sources. */
  readonly command?: string;
}

/** Asks for the source of the repository and saves it in the workspace state. True if chosen. */
async function chooseSource(branchState: BranchState, data: ConnectionData): Promise<boolean> {
  if (branchState.repository === undefined) return false;
  const picked = await vscode.window.showQuickPick(itemsOf(branchState, data), {
    placeHolder: t('Select the source that is deployed from this folder'),
    matchOnDescription: true,
  });
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
  if (picked?.choose === undefined) return false;
  branchState.choose(picked.choose.choice);
  return true;
}

/** Likely sources first, then the others by label. */
function itemsOf(
  { state, branch, choice }: BranchState,
  { context, targets: known }: ConnectionData,
): Item[] {
  const labels = new Labels(context);
  const likely = state.kind === 'severalSources' ? state.sources.map(({ id }) => id) : [];
  const rank = ({ id }: Target): number =>
    id === branch?.source.id ? 0 : likely.includes(id) ? 1 : 2;
  const sources = known.sources().map((source) => ({ source, label: labels.source(source) }));
  sources.sort((a, b) => rank(a.source) - rank(b.source) || compareNames(a.label, b.label));
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  return [
    ...sources.map(({ source, label }) => ({
      label: `$(repo) ${labelText(label)}`,
      description: dotted([idText(source, t), markOf(source, branch?.source, choice)]),
      choose: { choice: { sourceId: source.id } },
    })),
    separator,
    ...(choice === undefined
      ? []
      : [{ label: t('$(search) Find Automatically'), choose: { choice: undefined } }]),
    ...(choice === 'none'
      ? []
      : [{ label: t('$(circle-slash) None'), choose: { choice: 'none' as const } }]),
    { label: t('$(telescope) Discover…'), command: commands.discover },
    { label: t('$(add) Add Source…'), command: commands.addSource },
  ];
}

function markOf(
  { id }: Target,
  current: Target | undefined,
  choice: SourceChoice | undefined,
): string | undefined {
  if (id !== current?.id) return undefined;
  return choice === undefined ? t('found') : t('chosen');
}

interface MenuItem extends vscode.QuickPickItem {
  /** Undefined for a heading. */
  readonly run?: () => unknown;
}

/** The menu of the status bar item. */
export async function showBranchMenu(
  branchState: BranchState,
  data: ConnectionData,
): Promise<void> {
  const { branch } = branchState;
  if (branch === undefined) {
    await vscode.commands.executeCommand(commands.chooseSource);
    return;
  }
  const { environments, relation, source } = branch;
  const names = environments.map((one) => environmentName(one, t)).join(', ');
  const [newest] = environments[0]?.deployed.commits ?? [];
  const position = newest && branchState.positionOf(newest.sha);
  const item = (label: string, icon: string, command: string, description = ''): MenuItem => ({
    label,
    description: labelText(description),
    iconPath: new vscode.ThemeIcon(icon),
    run: () => vscode.commands.executeCommand(command),
  });
  const items: MenuItem[] = [
    item(
      t('Show Deployed Commit'),
      'git-commit',
      commands.showDeployedCommit,
      newest && shortSha(newest.sha),
    ),
    item(
      t('Compare with Deployed Commit'),
      'diff-multiple',
      commands.compareWithDeployedCommit,
      position && positionText(position, { t, counted }),
    ),
    // The branch is not deployed to an environment that it is only compared with.
    ...(relation === 'other'
      ? []
      : [
          item(
            t("Follow Logs of This Branch's Environment"),
            'output',
            commands.followBranchLogs,
            names,
          ),
        ]),
    ...syncItem(branch),
    {
      label: t('Refresh'),
      iconPath: new vscode.ThemeIcon('refresh'),
      run: () => branchState.refresh(),
    },
    item(
      t('Choose Source for This Folder…'),
      'repo',
      commands.chooseSource,
      source.label ?? shortId(source.id),
    ),
    ...previewItems(branch, data),
  ];
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: plainText(names, 100) });
  await chosen?.run?.();
}

/** Syncs the environment of the branch; if there are several, the command asks. */
function syncItem({ relation, environments, source }: CheckedOutBranch): MenuItem[] {
  const [environment, ...others] = environments;
  const canSync = environments.some((one) => one.id !== undefined && !one.isDisconnected);
  if (relation === 'other' || environment === undefined || !canSync) return [];
  const target =
    others.length === 0 ? { sourceId: source.id, environmentId: environment.id } : undefined;
  return [
    {
      label: t('Sync Environment…'),
      description: labelText(environmentName(environment, t)),
      iconPath: new vscode.ThemeIcon('sync'),
      run: () => vscode.commands.executeCommand(commands.syncEnvironment, target),
    },
  ];
}

/** The most deployments of a filter. */
const mostIds = 50;

/** `openPreview`: opens the site of the preview of the branch. True if one was opened. */
export function registerOpenPreview(
  branchState: BranchState,
  data: ConnectionData,
): vscode.Disposable {
  return registerCommand(commands.openPreview, async () => {
    const { signedIn } = data.session;
    const sites = sitesOf(branchState.branch, data);
    return signedIn !== undefined && openSite(sites, signedIn.signal);
  });
}

/** What the menu of the branch offers of its preview; empty without one. */
function previewItems(branch: CheckedOutBranch, data: ConnectionData): readonly MenuItem[] {
  const ids = branch.preview.flatMap(({ deploymentIds }) => deploymentIds).slice(0, mostIds);
  if (ids.length === 0) return [];
  const { signedIn } = data.session;
  const sites = signedIn === undefined ? [] : sitesOf(branch, data);
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
    ...sites.map((site) =>
      item(
        t('Open Preview'),
        'link-external',
        dotted([siteHost(site.url).label, site.detail]),
        () => signedIn && openSite([site], signedIn.signal),
      ),
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

/** The sites of a preview, and what runs there. */
function sitesOf(branch: CheckedOutBranch | undefined, data: ConnectionData): readonly Site[] {
  return (branch?.preview ?? []).flatMap((one) =>
    one.site === undefined ? [] : { url: one.site, detail: stateText(one, data) },
  );
}

/** Such as `web-api · succeeded · 2 hr. ago`. Untrusted. */
function stateText(
  { resource, deployment }: PreviewedResource,
  { context: { timeFormat } }: ConnectionData,
): string {
  const time = deploymentTime(deployment);
  return dotted([
    nameOfResource(resource) ?? shortId(resource.id ?? ''),
    deployment.state === undefined ? undefined : stateInWords(deployment.state, t),
    timeFormat.relativeTo(time),
  ]);
}
