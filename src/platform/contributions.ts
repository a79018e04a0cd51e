/** The publisher and the name of package.json. */
export const extensionId = 'control-plane.deployment-control-plane';

/**
 * Every id that package.json contributes, once. A unit test holds these tables against package.json,
 * so that neither can name what the other does not know.
 */
const earlyCommands = {
  connect: 'controlPlane.connect',
  signOut: 'controlPlane.signOut',
  switchConnection: 'controlPlane.switchConnection',
  followLogs: 'controlPlane.followLogs',
  pauseLogs: 'controlPlane.pauseLogs',
  resumeLogs: 'controlPlane.resumeLogs',
  stopLogs: 'controlPlane.stopLogs',
  removeLogs: 'controlPlane.removeLogs',
  showLogs: 'controlPlane.showLogs',
  logsMenu: 'controlPlane.logsMenu',
  showOutput: 'controlPlane.showOutput',
} as const;

/** The commands of `src/workspaceFeatures.ts`; they can be called before it is loaded. */
const lateCommands = {
  checkConnection: 'controlPlane.checkConnection',
} as const;

export const commands = { ...earlyCommands, ...lateCommands } as const;
export type LateCommand = (typeof lateCommands)[keyof typeof lateCommands];
export const lateCommandIds: readonly LateCommand[] = Object.values(lateCommands);

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
