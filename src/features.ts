import * as vscode from 'vscode';
import { registerLogTextFeatures } from './logs/follow/ui/logLinksAndHovers';
import { registerBranchCommands } from './branch/ui/branchCommands';
import { createBranchState } from './branch/ui/branchState';
import { registerBranchStatusBar } from './branch/ui/branchStatusBar';
import { createGit } from './branch/ui/git';
import type { ApiKeys } from './connection/ui/connectionStorage';
import { registerConnect } from './connection/ui/connect';
import { registerCopyDiagnostics } from './connection/ui/copyDiagnostics';
import type { Session } from './connection/ui/session';
import type { Names } from './inventory/knownNames';
import type { FollowLogs } from './inventory/tree/nodes';
import { registerAlertNotices } from './inventory/ui/alertNotices';
import { registerCheckConnection } from './inventory/ui/checkConnection';
import { registerDiscover } from './inventory/ui/discover';
import { registerRowActions } from './inventory/ui/rowActions';
import { registerTargetCommands } from './inventory/ui/targetCommands';
import { registerTreeFilters } from './inventory/ui/treeFilters';
import { createWorkspaceData } from './inventory/ui/workspaceData';
import { registerWorkspaceViews, registerAccessibilityHelp } from './inventory/ui/workspaceViews';
import { tailReport } from './logs/follow/tailReport';
import { registerFollowLogs } from './logs/follow/ui/followLogs';
import { followTarget, type LogFollowing } from './logs/follow/ui/following';
import type { LogChannel } from './logs/follow/ui/logChannel';
import { registerTailNotices } from './logs/follow/ui/logsStatusBar';
import type { LogsView } from './logs/follow/ui/logsView';
import { registerQueryNames } from './logs/query/ui/lookUpNames';
import { createQueryMemory } from './logs/query/ui/queryMemory';
import type { Diagnostics } from './vscode/diagnostics';
import { createReadonlyDocuments } from './vscode/readonlyDocuments';
import {
  registerCompareDeployments,
  registerComparisonLinks,
} from './logs/explorer/ui/compareDeployments';
import { registerExportLogs } from './logs/explorer/ui/exportLogs';
import { createLogTexts, registerOpenAsText } from './logs/explorer/ui/openAsText';
import { registerLogExplorer } from './logs/explorer/ui/panel';
import { registerSavedSearches } from './logs/explorer/ui/savedSearches';
import { registerSearchLinks } from './logs/explorer/ui/searchLinks';
import { createSearchList } from './logs/explorer/ui/searchList';
import { registerSearchLogs } from './logs/explorer/ui/searchLogs';
import { registerSearchRows } from './logs/explorer/ui/searchRows';

import { registerErrorCommands } from './logs/errors/ui/errorCommands';
import { registerErrorFilter } from './logs/errors/ui/errorFilter';
import { registerErrorMarks } from './logs/errors/ui/errorMarks';
import { registerErrorNotices } from './logs/errors/ui/errorNotices';
import { createErrors } from './logs/errors/ui/errors';
import { createMarkedFiles } from './logs/errors/ui/markedFiles';
import { registerErrorsTitle, registerErrorsView } from './logs/errors/ui/errorsView';
import { type SourceFiles, registerWorkloadFolders } from './logs/record/ui/sourceFiles';
import { registerLogStatements } from './logs/statements/ui/logStatements';
import { registerCleanUpOrphans } from './actions/ui/cleanUpOrphans';
import { createForeground } from './actions/ui/foreground';
import { registerRetryPreviewReporting } from './actions/ui/retryPreviewReporting';
import { registerSyncEnvironment } from './actions/ui/syncEnvironment';
import { createSessionActivity } from './actions/ui/savedActivity';
import {
  registerActivityActions,
  registerActivityView,
  registerRunningBadge,
} from './actions/ui/activityView';
import { registerAskChat } from './ai/ui/askChat';
import { registerTools } from './ai/ui/tools';

/** What is there before these features: what follows logs, and what that needs. */
interface EarlyFeatures {
  readonly session: Session;
  readonly keys: ApiKeys;
  readonly following: LogFollowing;
  readonly names: Names;
  readonly files: SourceFiles;
  readonly logChannel: LogChannel;
  readonly logsView: LogsView;
  readonly diagnostics: Diagnostics;
}

/** The list of the features that can wait until logs are followed. */
export function registerFeatures(
  context: Pick<
    vscode.ExtensionContext,
    'workspaceState' | 'globalState' | 'globalStorageUri' | 'extensionUri'
  >,
  early: EarlyFeatures,
): vscode.Disposable {
  const { workspaceState, globalState, globalStorageUri, extensionUri } = context;
  const { session, following, names, files, diagnostics } = early;
  const reports = createReadonlyDocuments();
  const memory = createQueryMemory({ ...early, workspaceState });
  const data = createWorkspaceData(session);
  const views = registerWorkspaceViews(data, workspaceState);
  const git = createGit(diagnostics);
  const news = createBranchState(git, data, workspaceState);
  const followLogs: FollowLogs = (follow, on) => followTarget(session, following, follow, on);
  const follow = { ...early, memory };
  const discovery = registerDiscover({ data, diagnostics, globalState, followLogs });

  const searching = { ...early, workspaceState, globalState, extensionUri, data, views, memory };
  const list = createSearchList({ session, memory });
  const texts = createLogTexts(early);
  const search = { ...searching, list };
  const folderApps = (): string[] => [
    ...new Set(
      news.branch?.environments.flatMap(({ resources }) => resources.flatMap(({ id }) => id ?? [])),
    ),
  ];
  const explorer = registerLogExplorer({ ...search, texts, folderApps });
  const explore = { ...search, explorer };
  const folder = { apps: folderApps, onDidChange: news.onDidChange };
  const errors = createErrors({ ...early, data, folder, workspaceState });
  const errorsView = registerErrorsView(errors, git, data, workspaceState);
  views.add(errorsView);
  const marked = createMarkedFiles({ errors, git, data });

  const kept = createSessionActivity(data, globalStorageUri, reports, diagnostics);
  const { activity } = kept;
  const activities = registerActivityView(data, activity, workspaceState);
  views.add(activities);
  const shown = { data, activity, views, reports };
  const foreground = createForeground(shown);
  const acting = { ...shown, foreground, diagnostics };

  return vscode.Disposable.from(
    reports,
    memory,
    data,
    views,
    registerQueryNames(data, names),
    registerWorkloadFolders(data, files),
    registerConnect({ ...early, askAfterConnect: (steps) => discovery.askAfterConnect(steps) }),
    registerFollowLogs(follow),
    registerCheckConnection({ data, reports }),
    registerCopyDiagnostics({ ...early, reports, tails: () => following.tails.map(tailReport) }),
    registerAccessibilityHelp(reports),
    discovery,
    registerTargetCommands({ data, views, diagnostics }),
    registerTreeFilters(views),
    registerRowActions({ data, views, followLogs }),
    registerTailNotices(following),
    registerAlertNotices({ data, views, followLogs }),
    git,
    news,
    registerBranchStatusBar(news, data),
    registerBranchCommands({ state: news, git, data, followLogs, diagnostics }),

    list,
    texts,
    explorer,
    errors,
    marked,
    registerErrorMarks({ errors, marked, data, extensionUri }),
    registerErrorsTitle(errorsView, errors, data),
    registerErrorFilter({ errors, data, names }),
    registerErrorCommands({ ...explore, errors, marked, followLogs }),
    registerErrorNotices(errors, views),
    registerSearchLogs(explore),
    registerCompareDeployments({ ...explore, marked }),
    registerComparisonLinks(files),
    registerSavedSearches(explore),
    registerSearchLinks(explorer),
    registerExportLogs(explore),
    registerOpenAsText(explore, texts),
    registerSearchRows(explore),
    registerLogTextFeatures(),
    registerLogStatements({ ...explore, files, texts, folderApps }),

    kept,
    registerRunningBadge(activities, activity),
    foreground,
    registerActivityActions(shown, foreground),
    registerSyncEnvironment({ ...acting, news }),
    registerCleanUpOrphans(acting),
    registerRetryPreviewReporting(acting),

    registerTools({ data, names, files, activity, diagnostics }),
    registerAskChat({ session, views, errors }),
  );
}
