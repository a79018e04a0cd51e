import { commands, tools, views } from './generated/contributed';

/** The publisher and the name of package.json. */
export const extensionId = 'control-plane.deployment-control-plane';

export { commands, tools, views };

/** The views that are trees of this extension's own nodes. */
export type TreeViewId = Exclude<(typeof views)[keyof typeof views], typeof views.logs>;

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
