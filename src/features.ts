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
  const { session, keys, following, names, files, logChannel, logsView, diagnostics } = early;
  const reports = createReadonlyDocuments();
  const memory = createQueryMemory({ session, names, workspaceState });
  const data = createWorkspaceData(session);
  const views = registerWorkspaceViews(data, workspaceState);
  const git = createGit(diagnostics);
  const branchState = createBranchState(git, data, workspaceState);
  const followLogs: FollowLogs = (follow, on) => followTarget(session, following, follow, on);
  const discovery = registerDiscover({ data, diagnostics, globalState, followLogs });

  const list = createSearchList({ session, memory });
  const texts = createLogTexts({ session, diagnostics });
  const folderApps = (): string[] => [
    ...new Set(
      branchState.branch?.environments.flatMap(({ resources }) =>
        resources.flatMap(({ id }) => id ?? []),
      ),
    ),
  ];
  const explorer = registerLogExplorer({
    ...{ session, names, memory, data, views, files, texts, diagnostics },
    ...{ folderApps, extensionUri, workspaceState },
  });
  const folder = { apps: folderApps, onDidChange: branchState.onDidChange };
  const errors = createErrors({ session, data, folder, files, following, workspaceState });
  const errorsView = registerErrorsView(errors, git, data, workspaceState);
  views.add(errorsView);
  const marked = createMarkedFiles({ errors, git, data, files });

  const savedActivity = createSessionActivity(data, globalStorageUri, reports, diagnostics);
  const { activity } = savedActivity;
  const activityView = registerActivityView(data, activity, workspaceState);
  views.add(activityView);
  const foreground = createForeground({ data, activity, views, reports });
  const acting = { data, activity, views, reports, foreground, diagnostics };

  return vscode.Disposable.from(
    reports,
    memory,
    data,
    views,
    registerQueryNames(data, names),
    registerWorkloadFolders(data, files),
    registerConnect({
      ...{ session, keys, diagnostics },
      askAfterConnect: (steps) => discovery.askAfterConnect(steps),
    }),
    registerFollowLogs({ session, following, names, memory, logChannel, diagnostics }),
    registerCheckConnection({ data, reports }),
    registerCopyDiagnostics({
      ...{ session, keys, reports, diagnostics },
      tails: () => following.tails.map(tailReport),
    }),
    registerAccessibilityHelp(reports),
    discovery,
    registerTargetCommands({ data, views, diagnostics }),
    registerTreeFilters(views),
    registerRowActions({ data, views, followLogs }),
    registerTailNotices(following),
    registerAlertNotices({ data, views, followLogs }),
    git,
    branchState,
    registerBranchStatusBar(branchState, data),
    registerBranchCommands({ branchState, git, data, followLogs, diagnostics }),

    list,
    texts,
    explorer,
    errors,
    marked,
    registerErrorMarks({ errors, marked, data, extensionUri }),
    registerErrorsTitle(errorsView, errors, data),
    registerErrorFilter({ errors, data, names }),
    registerErrorCommands({ errors, marked, views, explorer, names, followLogs, diagnostics }),
    registerErrorNotices(errors, views),
    registerSearchLogs({ explorer, data, views, names, diagnostics }),
    registerCompareDeployments({ data, views, diagnostics, files, marked }),
    registerComparisonLinks(files),
    registerSavedSearches({ session, names, memory, following, diagnostics, list, explorer }),
    registerSearchLinks(explorer),
    registerExportLogs({ session, names, memory, diagnostics }),
    registerOpenAsText({ session, names, memory, diagnostics }, texts),
    registerSearchRows({ session, following, logsView, list }),
    registerLogTextFeatures(),
    registerLogStatements({
      ...{ session, names, data, explorer, logChannel, diagnostics },
      ...{ files, texts, folderApps },
    }),

    savedActivity,
    registerRunningBadge(activityView, activity),
    foreground,
    registerActivityActions({ data, activity, views, reports }, foreground),
    registerSyncEnvironment({ ...acting, branchState }),
    registerCleanUpOrphans(acting),
    registerRetryPreviewReporting(acting),

    registerTools({ data, names, files, activity, diagnostics }),
    registerAskChat({ session, views, errors }),
  );
}
