import * as vscode from 'vscode';
import { act, registerActivityActions } from './commands/activityActions';
import { registerBranchCommands } from './commands/branch';
import { registerCheckConnection } from './commands/checkConnection';
import { registerCleanUpOrphans } from './commands/cleanUpOrphans';
import { askAboutUnknown } from './commands/cleanUpQuestions';
import { registerDiscover } from './commands/discover';
import { createForeground } from './commands/foreground';
import { registerKnownThings } from './commands/knownThings';
import { registerRetryPreviewReporting } from './commands/retryPreviewReporting';
import { registerRowActions } from './commands/rowActions';
import { registerSyncEnvironment } from './commands/syncEnvironment';
import { registerTreeFilters } from './commands/treeFilters';
import { createSessionActivity } from './platform/activity';
import { createBranchNews } from './platform/codeInHand';
import type { LateCommand } from './platform/contributions';
import type { Diagnostics } from './platform/diagnostics';
import type { LogFollowing } from './platform/following';
import { createGit } from './platform/git';
import type { LateCommands } from './platform/latePart';
import { registerQueryNames } from './platform/queryNames';
import { createReports } from './platform/reports';
import type { Session } from './platform/session';
import { createWorkspaceData } from './platform/workspaceData';
import { registerAlertNotices } from './views/alertNotices';
import { registerBranchStatusBar } from './views/branchStatusBar';
import { registerWorkspaceViews } from './views/workspaceViews';
import type { Names } from './workspace/names';

/** What the late features share with the early ones. */
export interface WorkspaceServices {
  readonly session: Session;
  readonly following: LogFollowing;
  readonly names: Names;
  readonly diagnostics: Diagnostics;
  readonly lateCommands: LateCommands<LateCommand>;
  readonly workspaceState: vscode.Memento;
  readonly globalState: vscode.Memento;
  /** Where files of this extension are kept, for all windows. */
  readonly globalStorage: vscode.Uri;
}

/**
 * The list of features that can wait until the extension is active. `extension.ts` loads this part
 * of the extension, which is a file of its own, after that; nothing else may import it.
 */
export function registerWorkspaceFeatures({
  session,
  following,
  names,
  diagnostics,
  lateCommands,
  workspaceState,
  globalState,
  globalStorage,
}: WorkspaceServices): vscode.Disposable {
  const reports = createReports();
  const data = createWorkspaceData(session);
  const ask = askAboutUnknown;
  const kept = createSessionActivity({ data, diagnostics, globalStorage, ask });
  const { activity } = kept;
  const views = registerWorkspaceViews(data, activity, workspaceState);
  const git = createGit(diagnostics);
  const news = createBranchNews(git, data, workspaceState);
  const actions = { data, activity, views, reports };
  const foreground = createForeground({
    data,
    activity,
    act: (offer, entry) => act(actions, offer, entry),
  });
  const acting = { data, activity, views, foreground, diagnostics, lateCommands };
  return vscode.Disposable.from(
    reports,
    data,
    kept,
    views,
    registerQueryNames(data, names),
    registerCheckConnection({ session, diagnostics, reports, lateCommands }),
    registerDiscover({ data, diagnostics, globalState, lateCommands }),
    registerKnownThings({ data, views, diagnostics, lateCommands }),
    registerTreeFilters({ views, lateCommands }),
    registerRowActions({ data, views, following, lateCommands }),
    registerAlertNotices({ data, views, following }),
    foreground,
    registerActivityActions(actions, foreground, lateCommands),
    registerSyncEnvironment({ ...acting, news }),
    registerCleanUpOrphans(acting),
    registerRetryPreviewReporting(acting),
    git,
    news,
    registerBranchStatusBar(news, data),
    registerBranchCommands({ news, data, following, diagnostics, lateCommands }),
  );
}
