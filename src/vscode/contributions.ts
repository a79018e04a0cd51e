/** The publisher and the name of package.json. */
export const extensionId = 'control-plane.deployment-control-plane';

/** The ids that package.json contributes. A unit test compares these tables with package.json. */
export const commands = {
  signOut: 'controlPlane.signOut',
  switchConnection: 'controlPlane.switchConnection',
  pauseLogs: 'controlPlane.pauseLogs',
  resumeLogs: 'controlPlane.resumeLogs',
  stopLogs: 'controlPlane.stopLogs',
  removeLogs: 'controlPlane.removeLogs',
  showLogs: 'controlPlane.showLogs',
  logsMenu: 'controlPlane.logsMenu',
  showOutput: 'controlPlane.showOutput',
  connect: 'controlPlane.connect',
  followLogs: 'controlPlane.followLogs',
  searchLogs: 'controlPlane.searchLogs',
  openLogExplorer: 'controlPlane.openLogExplorer',
  searchRowLogs: 'controlPlane.searchRowLogs',
  logsSinceDeployment: 'controlPlane.logsSinceDeployment',
  compareLogs: 'controlPlane.compareLogs',
  compareDeployments: 'controlPlane.compareDeployments',
  whatChanged: 'controlPlane.whatChanged',
  whereIsCommit: 'controlPlane.whereIsCommit',
  showRuleLogs: 'controlPlane.showRuleLogs',
  checkConnection: 'controlPlane.checkConnection',
  copyDiagnostics: 'controlPlane.copyDiagnostics',
  showServerSettings: 'controlPlane.showServerSettings',
  accessibilityHelp: 'controlPlane.accessibilityHelp',
  discover: 'controlPlane.discover',
  addSource: 'controlPlane.addSource',
  addServer: 'controlPlane.addServer',
  rename: 'controlPlane.rename',
  remove: 'controlPlane.remove',
  refresh: 'controlPlane.refresh',
  refreshSources: 'controlPlane.refreshSources',
  refreshServers: 'controlPlane.refreshServers',
  refreshIntegrations: 'controlPlane.refreshIntegrations',
  followRowLogs: 'controlPlane.followRowLogs',
  copyId: 'controlPlane.copyId',
  copyName: 'controlPlane.copyName',
  compareSecretKeys: 'controlPlane.compareSecretKeys',
  openSite: 'controlPlane.openSite',
  openRepository: 'controlPlane.openRepository',
  loadMore: 'controlPlane.loadMore',
  showIntegrations: 'controlPlane.showIntegrations',
  searchRepositories: 'controlPlane.searchRepositories',
  resetRepositorySearch: 'controlPlane.resetRepositorySearch',
  filterSources: 'controlPlane.filterSources',
  changeSourcesFilter: 'controlPlane.changeSourcesFilter',
  resetSourcesFilter: 'controlPlane.resetSourcesFilter',
  sortSources: 'controlPlane.sortSources',
  filterServers: 'controlPlane.filterServers',
  changeServersFilter: 'controlPlane.changeServersFilter',
  resetServersFilter: 'controlPlane.resetServersFilter',
  sortServers: 'controlPlane.sortServers',
  filterIntegrations: 'controlPlane.filterIntegrations',
  changeIntegrationsFilter: 'controlPlane.changeIntegrationsFilter',
  resetIntegrationsFilter: 'controlPlane.resetIntegrationsFilter',
  sortIntegrations: 'controlPlane.sortIntegrations',
  showDeployedCommit: 'controlPlane.showDeployedCommit',
  compareWithDeployedCommit: 'controlPlane.compareWithDeployedCommit',
  followBranchLogs: 'controlPlane.followBranchLogs',
  openPreview: 'controlPlane.openPreview',
  chooseSource: 'controlPlane.chooseSource',
  branchMenu: 'controlPlane.branchMenu',
  syncEnvironment: 'controlPlane.syncEnvironment',
  askBeforeSync: 'controlPlane.askBeforeSync',
  cleanUpOrphans: 'controlPlane.cleanUpOrphans',
  retryPreviewReporting: 'controlPlane.retryPreviewReporting',
  watchAgain: 'controlPlane.watchAgain',
  stopWatching: 'controlPlane.stopWatching',
  sendAgain: 'controlPlane.sendAgain',
  showResult: 'controlPlane.showResult',
  showDeployments: 'controlPlane.showDeployments',
  removeFromActivity: 'controlPlane.removeFromActivity',
  runInBackground: 'controlPlane.runInBackground',
  saveSearch: 'controlPlane.saveSearch',
  runSearch: 'controlPlane.runSearch',
  editSearch: 'controlPlane.editSearch',
  followSearch: 'controlPlane.followSearch',
  notifyOfSearch: 'controlPlane.notifyOfSearch',
  renameSearch: 'controlPlane.renameSearch',
  deleteSearch: 'controlPlane.deleteSearch',
  clearRecentSearches: 'controlPlane.clearRecentSearches',
  copySearchLink: 'controlPlane.copySearchLink',
  exportLogs: 'controlPlane.exportLogs',
  openLogsAsText: 'controlPlane.openLogsAsText',
  showRecordTrace: 'controlPlane.showRecordTrace',
  showRecordContext: 'controlPlane.showRecordContext',
  copyRecordLink: 'controlPlane.copyRecordLink',
  togglePin: 'controlPlane.togglePin',
  goToNextPin: 'controlPlane.goToNextPin',
  editPinNote: 'controlPlane.editPinNote',
  goToLogStatement: 'controlPlane.goToLogStatement',
  searchStatementLogs: 'controlPlane.searchStatementLogs',
  showLogsOfFile: 'controlPlane.showLogsOfFile',
  copyRecordLine: 'controlPlane.copyRecordLine',
  copyRecordJson: 'controlPlane.copyRecordJson',
  nextError: 'controlPlane.nextError',
  previousError: 'controlPlane.previousError',
  showErrors: 'controlPlane.showErrors',
  refreshErrors: 'controlPlane.refreshErrors',
  filterErrors: 'controlPlane.filterErrors',
  changeErrorsFilter: 'controlPlane.changeErrorsFilter',
  resetErrorsFilter: 'controlPlane.resetErrorsFilter',
  sortErrors: 'controlPlane.sortErrors',
  openErrorCode: 'controlPlane.openErrorCode',
  showErrorRecords: 'controlPlane.showErrorRecords',
  showErrorTraces: 'controlPlane.showErrorTraces',
  followError: 'controlPlane.followError',
  copyError: 'controlPlane.copyError',
  muteError: 'controlPlane.muteError',
  fixedInNextDeployment: 'controlPlane.fixedInNextDeployment',
  unmuteError: 'controlPlane.unmuteError',
  askChatAboutError: 'controlPlane.askChatAboutError',
  askChatAboutComparison: 'controlPlane.askChatAboutComparison',
} as const;

export const views = {
  errors: 'controlPlane.errors',
  sources: 'controlPlane.sources',
  servers: 'controlPlane.servers',
  activity: 'controlPlane.activity',
  integrations: 'controlPlane.integrations',
  logs: 'controlPlane.logs',
} as const;

/** The views that are trees of this extension's own nodes. */
export type TreeViewId = (typeof views)[
  'errors' | 'sources' | 'servers' | 'activity' | 'integrations'];

/** The tools for language models, which the user must enable. */
export const tools = {
  searchLogs: 'controlPlane_searchLogs',
  summariseLogs: 'controlPlane_summariseLogs',
  listResources: 'controlPlane_listResources',
  listDeployments: 'controlPlane_listDeployments',
  listAlertRules: 'controlPlane_listAlertRules',
  listSecretKeys: 'controlPlane_listSecretKeys',
  listErrors: 'controlPlane_listErrors',
  compareLogs: 'controlPlane_compareLogs',
  syncEnvironment: 'controlPlane_syncEnvironment',
  cleanUpOrphans: 'controlPlane_cleanUpOrphans',
} as const;
export type ToolName = (typeof tools)[keyof typeof tools];

/** The provider of the control plane's own MCP server. */
export const mcpProvider = 'controlPlane.mcp';

/** The settings that ask for notifications, each with the value that turns them off. */
export const notifySettings = {
  'alerts.notify': 'off',
  'errors.notify': false,
  'activity.notify': false,
  'deployments.notify': 'off',
} as const;
export type NotifySetting = keyof typeof notifySettings;

/** Context keys that `when` clauses of package.json read. */
export const contextKeys = {
  /** 'none', 'signedOut' or 'signedIn'. */
  session: 'controlPlane.session',
  /**
   * The state of the checked-out branch: 'none' (no repository or connection), 'nothing' (no source),
   * 'severalSources', 'own', 'preview' or 'other' (an environment).
   */
  branch: 'controlPlane.branch',
  /** Whether the checked-out branch has a preview with a site. */
  preview: 'controlPlane.preview',
  /** Which tails there are: `running`, `paused` and `ended`, those that apply. */
  tails: 'controlPlane.tails',
  /** Which searches there are: `saved` and `recent`, those that apply. */
  searches: 'controlPlane.searches',
  /** Whether records are pinned. */
  pins: 'controlPlane.pins',
  /** Whether errors point at lines of the active editor. */
  marks: 'controlPlane.marks',
  /** Whether this window has shown live logs, or found some: completes steps of the walkthrough. */
  following: 'controlPlane.following',
  searched: 'controlPlane.searched',
  /** Whether the user wants no question before a sync of some environments. */
  syncsWithoutAsking: 'controlPlane.syncsWithoutAsking',
  progressNotifications: 'controlPlane.progressNotifications',
  /** The range of the view Errors: `1h`, `24h` or `7d`. */
  errorsRange: 'controlPlane.errors.range',
  /** What it shows: 'all' workloads, those of the 'folder', or what 'chosen' filters let through. */
  errorsScope: 'controlPlane.errors.scope',
  /** Whether there is a chat to ask. */
  chat: 'controlPlane.chat',
  /** No clause reads it: the list of what to follow waits until VS Code has it. */
  followList: 'controlPlane.followList',
} as const;

export type ContextKey =
  | (typeof contextKeys)[keyof typeof contextKeys]
  | ReturnType<typeof viewStateKey | typeof viewFilteredKey>;

/** The context key of a tree with its `welcomeKey`. */
export function viewStateKey(view: TreeViewId) {
  return `${view}.state` as const;
}

/** The context key of a tree that says whether a filter is set. */
export function viewFilteredKey(view: TreeViewId) {
  return `${view}.filtered` as const;
}

/** The ids of status bar items, by which VS Code remembers hidden ones. */
export const statusBarItems = {
  branch: 'controlPlane.branch',
  offline: 'controlPlane.offline',
} as const;

/** The names of the output channels. */
export const channels = {
  logs: 'Control Plane Logs',
  diagnostics: 'Control Plane',
} as const;

/** The URI schemes of read-only documents. */
export const schemes = {
  reports: 'control-plane',
  logs: 'control-plane-logs',
  comparisons: 'control-plane-comparison',
} as const;
