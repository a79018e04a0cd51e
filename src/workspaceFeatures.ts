import * as vscode from 'vscode';
import { registerBranchCommands } from './commands/branch';
import { registerCheckConnection } from './commands/checkConnection';
import { registerDiscover } from './commands/discover';
import { registerKnownThings } from './commands/knownThings';
import { registerRowActions } from './commands/rowActions';
import { registerTreeFilters } from './commands/treeFilters';
import { createBranchNews } from './platform/codeInHand';
import type { LateCommand } from './platform/contributions';
import type { Diagnostics } from './platform/diagnostics';
import type { LogFollowing } from './platform/following';
import { createGit } from './platform/git';
import type { LateCommands } from './platform/latePart';
import { createReports } from './platform/reports';
import type { Session } from './platform/session';
import { createWorkspaceData } from './platform/workspaceData';
import { registerAlertNotices } from './views/alertNotices';
import { registerBranchStatusBar } from './views/branchStatusBar';
import { registerWorkspaceViews } from './views/workspaceViews';

/** What the late features share with the early ones. */
export interface WorkspaceServices {
  readonly session: Session;
  readonly following: LogFollowing;
  readonly diagnostics: Diagnostics;
  readonly lateCommands: LateCommands<LateCommand>;
  readonly workspaceState: vscode.Memento;
  readonly globalState: vscode.Memento;
}

/**
 * The list of features that can wait until the extension is active. `extension.ts` loads this part
 * of the extension, which is a file of its own, after that; nothing else may import it.
 */
export function registerWorkspaceFeatures({
  session,
  following,
  diagnostics,
  lateCommands,
  workspaceState,
  globalState,
}: WorkspaceServices): vscode.Disposable {
  const reports = createReports();
  const data = createWorkspaceData(session);
  const views = registerWorkspaceViews(data, workspaceState);
  const git = createGit(diagnostics);
  const news = createBranchNews(git, data, workspaceState);
  return vscode.Disposable.from(
    reports,
    data,
    views,
    registerCheckConnection({ session, diagnostics, reports, lateCommands }),
    registerDiscover({ data, diagnostics, globalState, lateCommands }),
    registerKnownThings({ data, views, diagnostics, lateCommands }),
    registerTreeFilters({ views, lateCommands }),
    registerRowActions({ data, views, following, lateCommands }),
    registerAlertNotices({ data, views, following }),
    git,
    news,
    registerBranchStatusBar(news, data),
    registerBranchCommands({ news, data, following, diagnostics, lateCommands }),
  );
}
