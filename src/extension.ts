import type * as vscode from 'vscode';
import { actionKinds } from './actions/generated/actionKinds';
import { registerCleanUpOrphans } from './actions/ui/cleanUpOrphans';
import { askAboutUnknown, registerSendAgain } from './actions/ui/cleanUpQuestions';
import { registerRetryPreviewReporting } from './actions/ui/retryPreviewReporting';
import { registerSyncEnvironment } from './actions/ui/syncEnvironment';
import { EntryKinds } from './activity/entryKind';
import { SessionActivity } from './activity/ui/sessionActivity';
import {
  registerActivityActions,
  registerActivityView,
  registerRunningBadge,
} from './activity/ui/activityView';
import { ProgressNotifications } from './activity/ui/progressNotifications';
import { registerAskChat } from './ai/ui/askChat';
import { registerMcpServer } from './ai/ui/mcpServers';
import { registerTools } from './ai/ui/tools';
import { Git } from './commits/ui/git';
import { ApiKeys } from './connection/apiKeys';
import { registerConnect } from './connection/ui/connect';
import { registerCopyDiagnostics } from './connection/ui/copyDiagnostics';
import { registerShowServerSettings } from './connection/ui/showServerSettings';
import { machineFile, openSession, registerConnections } from './connection/ui/session';
import { Names } from './data/knownNames';
import type { FollowLogs } from './data/targets';
import { registerOfflineStatusBar } from './data/ui/offlineStatusBar';
import { registerCheckConnection } from './data/ui/showConnectionCheck';
import { ConnectionData } from './data/ui/connectionData';
import { DiscoverCommand } from './data/ui/discover';
import { registerBranchCommands, registerOpenPreview } from './deployed/ui/branchCommands';
import { BranchState } from './deployed/ui/branchState';
import { BranchStatusBar } from './deployed/ui/branchStatusBar';
import { registerWhatChanged } from './deployed/ui/whatChanged';
import { registerWhereIsCommit } from './deployed/ui/whereIsCommit';
import { registerGoToLogStatement } from './logs/calls/ui/goToLogStatement';
import { registerLogStatements } from './logs/calls/ui/logStatements';
import { FileLogs, registerShowLogsOfFile } from './logs/calls/ui/showLogsOfFile';
import {
  registerErrorCommands,
  registerErrorFilter,
  registerOpenErrorCode,
  createSuspects,
} from './logs/errors/ui/errorCommands';
import { ErrorMarks, registerFileDecorations } from './logs/errors/ui/errorMarks';
import { Errors } from './logs/errors/ui/workspaceErrors';
import {
  registerErrorNotices,
  registerErrorsTitle,
  registerErrorsView,
} from './logs/errors/ui/errorsView';
import { MarkedFiles } from './logs/errors/ui/markedFiles';
import { AskedRecords } from './logs/explorer/ui/askedRecord';
import { registerCompareLogs, LogComparison } from './logs/explorer/ui/compareLogs';
import { registerExportLogs, LogTexts, registerOpenAsText } from './logs/explorer/ui/exportLogs';
import { LogExplorer, registerSearchLogs, searchRows } from './logs/explorer/ui/logExplorer';
import { Pins } from './logs/explorer/pins';
import { registerPinCommands } from './logs/explorer/ui/pinCommands';
import { registerPinHovers } from './logs/explorer/ui/pinHovers';
import { pinRows } from './logs/explorer/ui/pinRows';
import { registerSavedSearches } from './logs/explorer/ui/savedSearches';
import { registerRecordCommands } from './logs/explorer/ui/recordCommands';
import { registerSearchLinks } from './logs/explorer/ui/openLinks';
import { createSearchWatch, registerSearchNotices } from './logs/explorer/ui/searchNotices';
import { SearchList } from './logs/explorer/ui/searchList';
import { QueryMemory } from './logs/query/ui/queryMemory';
import { registerQueryNames } from './logs/query/ui/readSearch';
import { SourceFiles, registerWorkloadFolders } from './logs/record/ui/sourceFiles';
import { tailReport } from './logs/tail/tailReport';
import { registerFollowLogs } from './logs/tail/ui/followCommand';
import { LogChannels } from './logs/tail/ui/logChannels';
import { registerLogControls } from './logs/tail/ui/logControls';
import { registerLogText } from './logs/tail/ui/logLinksAndHovers';
import { registerLogsStatusBar } from './logs/tail/ui/logsStatusBar';
import { registerLogsView } from './logs/tail/ui/logsView';
import { followTarget, WindowTails } from './logs/tail/ui/windowTails';
import { pushKind } from './pushes/pushKind';
import { Pushes, PushNotices } from './pushes/ui/pushNotices';
import { registerAlertNotices } from './trees/ui/alertNotices';
import { registerCompareSecretKeys } from './trees/ui/compareSecretKeys';
import { registerRowActions } from './trees/ui/rowActions';
import { registerTargetCommands } from './trees/ui/targetCommands';
import { registerTreeFilters } from './trees/ui/treeFilters';
import { registerAccessibilityHelp, Views } from './trees/ui/views';
import { registerCommand } from './vscode/commands';
import { commands } from './vscode/contributions';
import { Diagnostics } from './vscode/diagnostics';
import { ReadonlyDocuments } from './vscode/readonlyDocuments';

let closeTails: (() => Promise<void>) | undefined;

/** The list of the features: what they share, then each registration. Nothing is requested here. */
export function activate(context: vscode.ExtensionContext): void {
  const { secrets, workspaceState, globalState, globalStorageUri, extensionUri } = context;
  const diagnostics = new Diagnostics();
  const reports = new ReadonlyDocuments();
  const names = new Names();
  const files = new SourceFiles();

  const keys = new ApiKeys(secrets, machineFile(globalStorageUri), (error) =>
    diagnostics.error('The storage of the API keys failed', error),
  );
  const session = openSession(keys, workspaceState, globalState, diagnostics);
  const data = new ConnectionData(session, globalState);
  const views = new Views(data, workspaceState);

  const tails = new WindowTails(session, context, diagnostics);
  closeTails = () => tails.close();
  const logChannels = new LogChannels(tails, names, session);
  const followLogs: FollowLogs = (follow, on) => followTarget(session, tails, follow, on);
  const discovery = new DiscoverCommand(data, diagnostics, globalState, followLogs);

  const git = new Git(diagnostics);
  const branchState = new BranchState(git, data, workspaceState);
  const branchStatusBar = new BranchStatusBar(branchState, data, workspaceState);
  const folderApps = (): string[] => [
    ...new Set(
      branchState.branch?.environments.flatMap(({ resources }) =>
        resources.flatMap(({ id }) => id ?? []),
      ),
    ),
  ];

  const memory = new QueryMemory(session, names, workspaceState);
  const watch = createSearchWatch(session, names, globalState, diagnostics);
  const list = new SearchList(session, memory, watch);
  const texts = new LogTexts(session, diagnostics);
  const pins = new Pins(session, workspaceState);
  const explorer = new LogExplorer(
    { pins, session, names, memory, data, views, files, texts, diagnostics, workspaceState },
    extensionUri,
    folderApps,
  );

  const folder = { apps: folderApps, onDidChange: branchState.onDidChange };
  const errors = new Errors(data, files, folder, tails, workspaceState);
  const suspects = createSuspects(git, data);
  const marked = new MarkedFiles(errors, git, data, files);
  const errorsView = registerErrorsView(errors, git, suspects, marked.lines, data, workspaceState);
  views.add(errorsView);

  const comparison = new LogComparison(
    { session, names, data, files, marked, explorer, diagnostics, extensionUri },
    workspaceState,
  );

  const asked = new AskedRecords(explorer, comparison, logChannels);

  const kinds = new EntryKinds([...actionKinds, pushKind]);
  const savedActivity = new SessionActivity(
    kinds,
    data,
    git,
    globalStorageUri,
    (entry, until) => askAboutUnknown(entry, session, reports, until),
    diagnostics,
  );
  const { activity } = savedActivity;
  const activityView = registerActivityView(data, activity, workspaceState);
  views.add(activityView);
  const notifications = new ProgressNotifications(activity, data, views, reports, diagnostics);

  context.subscriptions.push(
    diagnostics,
    reports,
    files,
    session,
    data,
    views,
    tails,
    logChannels,
    memory,
    registerCommand(commands.showOutput, () => diagnostics.show()),

    registerConnections(session, keys, () => tails.running),
    registerConnect(session, keys, diagnostics, (step, mayReadLogs) =>
      discovery.askAfterConnect(step, mayReadLogs),
    ),
    registerCheckConnection(data, reports),
    registerOfflineStatusBar(data),
    registerCopyDiagnostics(session, keys, () => tails.all.map(tailReport), diagnostics, reports),
    registerShowServerSettings(session, reports),
    registerAccessibilityHelp(reports),

    registerLogControls(tails),
    registerLogsStatusBar(tails, session),
    registerLogText(files, names, logChannels, data),
    registerFollowLogs({ session, tails, names, memory, logChannels, diagnostics }),
    registerQueryNames(data, names),
    registerWorkloadFolders(data, files),

    discovery,
    registerTargetCommands(data, views, diagnostics),
    registerTreeFilters(views),
    registerRowActions(data, views, followLogs),
    registerCompareSecretKeys(data, views, reports, diagnostics),
    registerAlertNotices(data, views, followLogs, globalState),

    git,
    branchState,
    branchStatusBar,
    registerBranchCommands(branchState, git, data, followLogs, diagnostics),
    registerOpenPreview(branchState, data),
    registerWhatChanged(git, branchState, data, views, diagnostics),
    registerWhereIsCommit(git, branchState, data, views, diagnostics),

    list,
    texts,
    explorer,
    comparison,
    registerCompareLogs({
      session,
      names,
      data,
      explorer,
      diagnostics,
      comparison,
      memory,
      views,
    }),
    registerSearchLogs(explorer, data, views, names, diagnostics),
    registerSavedSearches({ session, names, memory, tails, diagnostics, list, watch, explorer }),
    registerSearchNotices(watch, list, explorer, session),
    registerRecordCommands(explorer, asked, session, pins, diagnostics),
    registerPinCommands(pins, asked, explorer, session, diagnostics),
    registerPinHovers(pins, logChannels),
    registerSearchLinks(explorer, session),
    registerLogsView(tails, pinRows(pins, session), searchRows(list, session)),
    registerExportLogs({ session, names, memory, diagnostics }),
    registerOpenAsText({ session, names, memory, diagnostics }, texts, pins, data),
    registerLogStatements(data, explorer, folderApps, diagnostics),
    registerGoToLogStatement(asked, diagnostics),
    registerShowLogsOfFile(
      new FileLogs(session, files, folderApps),
      data,
      explorer,
      texts,
      diagnostics,
    ),

    errors,
    marked,
    new ErrorMarks(errors, marked, data, extensionUri),
    registerFileDecorations(errors, data),
    suspects,
    registerErrorsTitle(errorsView, errors, suspects, data),
    registerErrorFilter(errors, data, names),
    registerErrorCommands(errors, views, names, (query) => explorer.open(query), followLogs),
    registerOpenErrorCode(errors, views, marked, diagnostics),
    registerErrorNotices(errors, views, session, globalState),

    savedActivity,
    notifications,
    new Pushes(git, branchState, data, activity, branchStatusBar, diagnostics),
    new PushNotices(session, globalState, data, branchState, activity, views, followLogs),
    registerRunningBadge(activityView, activity),
    registerActivityActions(activity, notifications, views),
    registerSendAgain(session, activity, views, reports),
    registerSyncEnvironment(
      data,
      activity,
      notifications,
      views,
      branchState,
      workspaceState,
      diagnostics,
    ),
    registerCleanUpOrphans(data, notifications, views, reports, diagnostics),
    registerRetryPreviewReporting(data, activity, notifications),

    registerTools(data, names, files, activity, diagnostics),
    registerMcpServer(session, diagnostics),
    registerAskChat(session, views, errors, comparison),
  );
}

/** What is followed is kept for the next start; everything else ends with its disposable. */
export function deactivate(): Promise<void> | undefined {
  return closeTails?.();
}
