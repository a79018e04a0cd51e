/**
 * Every id that package.json contributes, once. A unit test holds this table against package.json,
 * so that neither can name what the other does not know.
 */
export const commands = {
  connect: 'controlPlane.connect',
  signOut: 'controlPlane.signOut',
  switchConnection: 'controlPlane.switchConnection',
  checkConnection: 'controlPlane.checkConnection',
  followLogs: 'controlPlane.followLogs',
  pauseLogs: 'controlPlane.pauseLogs',
  resumeLogs: 'controlPlane.resumeLogs',
  stopLogs: 'controlPlane.stopLogs',
  removeLogs: 'controlPlane.removeLogs',
  showLogs: 'controlPlane.showLogs',
  logsMenu: 'controlPlane.logsMenu',
  showOutput: 'controlPlane.showOutput',
} as const;

export const views = {
  logs: 'controlPlane.logs',
} as const;

/** Context keys that `when` clauses of package.json read. */
export const contextKeys = {
  /** 'none', 'signedOut' or 'signedIn'. */
  session: 'controlPlane.session',
} as const;

/** The names of the output channels; users and the Output panel know them by these. */
export const channels = {
  logs: 'Control Plane Logs',
  diagnostics: 'Control Plane',
} as const;
