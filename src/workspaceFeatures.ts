import * as vscode from 'vscode';
import { registerBranchCommands } from './branch/ui/branchCommands';
import { type BranchNews, createBranchNews } from './branch/ui/branchNews';
import { registerBranchStatusBar } from './branch/ui/branchStatusBar';
import { createGit } from './branch/ui/git';
import type { ApiKeys } from './connection/ui/apiKeys';
import { registerConnect } from './connection/ui/connect';
import { registerCopyDiagnostics } from './connection/ui/copyDiagnostics';
import type { Session } from './connection/ui/session';
import type { Names } from './inventory/names';
import type { FollowLogs } from './inventory/tree/nodes';
import { registerAccessibilityHelp } from './inventory/ui/accessibilityHelp';
import { registerAlertNotices } from './inventory/ui/alertNotices';
import { registerCheckConnection } from './inventory/ui/checkConnection';
import { registerDiscover } from './inventory/ui/discover';
import { registerRowActions } from './inventory/ui/rowActions';
import { registerKnownThings } from './inventory/ui/targetCommands';
import { registerTreeFilters } from './inventory/ui/treeFilters';
import { createWorkspaceData, type WorkspaceData } from './inventory/ui/workspaceData';
import { type OpenViews, registerWorkspaceViews } from './inventory/ui/workspaceViews';
import { tailReport } from './logs/follow/tailReport';
import { offerToFollow, registerFollowLogs } from './logs/follow/ui/followLogs';
import { followTarget, type LogFollowing } from './logs/follow/ui/following';
import type { LogChannel } from './logs/follow/ui/logChannel';
import { registerTailNews } from './logs/follow/ui/logsStatusBar';
import type { LogsView } from './logs/follow/ui/logsView';
import { registerQueryNames } from './logs/query/ui/lookUpNames';
import { createQueryMemory, type QueryMemory } from './logs/query/ui/queryMemory';
import type { LateCommand } from './vscode/contributions';
import type { Diagnostics } from './vscode/diagnostics';
import type { LateCommands } from './vscode/latePart';
import { createReports, type Reports } from './vscode/readonlyDocuments';

/** What the late features share with the early ones. */
export interface LateServices {
  readonly session: Session;
  readonly keys: ApiKeys;
  readonly following: LogFollowing;
  readonly names: Names;
  /** What the log channel shows. */
  readonly logChannel: LogChannel;
  readonly logsView: LogsView;
  readonly diagnostics: Diagnostics;
  readonly lateCommands: LateCommands<LateCommand>;
  readonly workspaceState: vscode.Memento;
  readonly globalState: vscode.Memento;
  /** Where files of this extension are kept, for all windows. */
  readonly globalStorage: vscode.Uri;
  /** Where the files of this extension are. */
  readonly extensionUri: vscode.Uri;
}

/** What the parts that come after this one share with it. */
export interface WorkspaceFeatures {
  readonly data: WorkspaceData;
  readonly views: OpenViews;
  readonly reports: Reports;
  readonly news: BranchNews;
  readonly memory: QueryMemory;
  dispose(): void;
}

/**
 * The list of features that can wait until the extension is active. `extension.ts` loads this part
 * of the extension, which is a file of its own, after that; nothing else may import it.
 */
export function registerWorkspaceFeatures(services: LateServices): WorkspaceFeatures {
  const { session, following, names, diagnostics, lateCommands, workspaceState, globalState } =
    services;
  const reports = createReports();
  const memory = createQueryMemory(services);
  const data = createWorkspaceData(session);
  const views = registerWorkspaceViews(data, workspaceState);
  const git = createGit(diagnostics);
  const news = createBranchNews(git, data, workspaceState);
  const followLogs: FollowLogs = (follow, on) => followTarget(session, following, follow, on);
  const features = vscode.Disposable.from(
    reports,
    memory,
    data,
    views,
    registerQueryNames(data, names),
    registerConnect({
      ...services,
      offerToFollow: (steps) => offerToFollow({ ...services, memory }, steps),
    }),
    registerFollowLogs({ ...services, memory }),
    registerCheckConnection({ data, reports, lateCommands }),
    registerCopyDiagnostics({ ...services, reports, tails: () => following.tails.map(tailReport) }),
    registerAccessibilityHelp({ reports, lateCommands }),
    registerDiscover({ data, diagnostics, globalState, lateCommands }),
    registerKnownThings({ data, views, diagnostics, lateCommands }),
    registerTreeFilters({ views, lateCommands }),
    registerRowActions({ data, views, followLogs, lateCommands }),
    registerTailNews(following),
    registerAlertNotices({ data, views, followLogs }),
    git,
    news,
    registerBranchStatusBar(news, data),
    registerBranchCommands({ news, data, followLogs, diagnostics, lateCommands }),
  );
  return { data, views, reports, news, memory, dispose: () => void features.dispose() };
}
