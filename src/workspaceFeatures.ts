import * as vscode from 'vscode';
import { registerAccessibilityHelp } from './commands/accessibilityHelp';
import { registerBranchCommands } from './commands/branch';
import { registerCheckConnection } from './commands/checkConnection';
import { registerConnect } from './commands/connect';
import { registerCopyDiagnostics } from './commands/copyDiagnostics';
import { registerDiscover } from './commands/discover';
import { registerFollowLogs } from './commands/followLogs';
import { registerKnownThings } from './commands/knownThings';
import { registerRowActions } from './commands/rowActions';
import { registerTreeFilters } from './commands/treeFilters';
import { createBranchNews, type BranchNews } from './platform/codeInHand';
import type { LateCommand } from './platform/contributions';
import type { Diagnostics } from './platform/diagnostics';
import type { LogFollowing } from './platform/following';
import { createGit } from './platform/git';
import type { LateCommands } from './platform/latePart';
import { createQueryMemory, type QueryMemory } from './platform/queryMemory';
import { registerQueryNames } from './platform/queryNames';
import { createReports, type Reports } from './platform/reports';
import type { ApiKeys } from './platform/secrets';
import type { Session } from './platform/session';
import { createWorkspaceData, type WorkspaceData } from './platform/workspaceData';
import { registerAlertNotices } from './views/alertNotices';
import { registerBranchStatusBar } from './views/branchStatusBar';
import type { LogChannel } from './views/logChannel';
import type { LogsView } from './views/logsView';
import { registerTailNews } from './views/tailNews';
import { registerWorkspaceViews, type OpenViews } from './views/workspaceViews';
import type { Names } from './workspace/names';

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
  const features = vscode.Disposable.from(
    reports,
    memory,
    data,
    views,
    registerQueryNames(data, names),
    registerConnect({ ...services, memory }),
    registerFollowLogs({ ...services, memory }),
    registerCheckConnection({ data, reports, lateCommands }),
    registerCopyDiagnostics({ ...services, reports }),
    registerAccessibilityHelp({ reports, lateCommands }),
    registerDiscover({ data, diagnostics, globalState, lateCommands }),
    registerKnownThings({ data, views, diagnostics, lateCommands }),
    registerTreeFilters({ views, lateCommands }),
    registerRowActions({ data, views, following, lateCommands }),
    registerTailNews(following),
    registerAlertNotices({ data, views, following }),
    git,
    news,
    registerBranchStatusBar(news, data),
    registerBranchCommands({ news, data, following, diagnostics, lateCommands }),
  );
  return { data, views, reports, news, memory, dispose: () => void features.dispose() };
}
