import * as vscode from 'vscode';
import type { ApiSettings } from '../api/client';
import { hour } from '../base/clock';
import { membersOf } from '../base/json';
import { type NotifySetting, notifySettings } from './contributions';

export const section = 'controlPlane';

interface LogSettings {
  readonly initialLines: number;
  readonly maxLines: number;
  readonly showAttributes: boolean;
  /** How bodies are shown; see `BodyStyle` of `logs/record/readableBody.ts`. */
  readonly bodies: 'readable' | 'raw';
}

/** A number from a setting, limited to its bounds, because a settings file may contain any value. */
function bounded(value: unknown, fallback: number, minimum: number, maximum: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return fallback;
  return Math.min(maximum, Math.max(minimum, Math.round(value)));
}

/** A text from a setting if it matches, otherwise the default. */
function matching(value: unknown, fallback: string, pattern: RegExp): string {
  return typeof value === 'string' && pattern.test(value) ? value : fallback;
}

/**
 * The user's own value of a setting that no folder may change. Its scope `application` excludes workspaces
 * and remotes; reading only the user's value holds even in an editor that does not check the scope.
 */
export function ownValue(name: string): unknown {
  return valueIn('user', name);
}

/** Whose settings a value is in. */
export type SettingsOwner = 'user' | 'workspace';

/** The value of a setting in the settings of each owner, where one would hide the other. VS Code takes long for it. */
export function valuesByOwner(name: string): Readonly<Record<SettingsOwner, unknown>> {
  const found = vscode.workspace.getConfiguration(section).inspect<unknown>(name);
  return { user: found?.globalValue, workspace: found?.workspaceValue };
}

/** The same for one owner. */
export function valueIn(owner: SettingsOwner, name: string): unknown {
  return valuesByOwner(name)[owner];
}

/** @throws the error of VS Code if the settings cannot be written. */
export async function writeSetting(
  owner: SettingsOwner,
  name: string,
  value: unknown,
): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const target = owner === 'user' ? Global : Workspace;
  await vscode.workspace.getConfiguration(section).update(name, value, target);
}

/** The settings of VS Code with patterns of files that it does not show or search. */
export const excludeSettings = ['files.exclude', 'search.exclude'] as const;

export function excludedPatterns(): readonly Readonly<Record<string, unknown>>[] {
  const settings = vscode.workspace.getConfiguration();
  return excludeSettings.map((name) => membersOf(settings.get(name)));
}

/** Reads where a setting has which value, by its full name. */
export function settingsInspector(): Pick<vscode.WorkspaceConfiguration, 'inspect'> {
  return vscode.workspace.getConfiguration();
}

export function logSettings(): LogSettings {
  const settings = vscode.workspace.getConfiguration(section);
  return {
    initialLines: bounded(settings.get('logs.initialLines'), 200, 0, 10_000),
    // VS Code shows nothing of a channel with more than about 120,000 lines at once.
    maxLines: bounded(settings.get('logs.maxLines'), 20_000, 1_000, 100_000),
    showAttributes: settings.get<unknown>('logs.showAttributes') === true,
    bodies: settings.get<unknown>('logs.bodies') === 'raw' ? 'raw' : 'readable',
  };
}

/**
 * The time zone of log times: `utc`, `local` or an IANA name.
 *
 * @param session knows the zone of the workspace, which is UTC until a response names it.
 */
export function logTimeZone({ timeZone }: { readonly timeZone: string | undefined }): string {
  const setting = vscode.workspace.getConfiguration(section).get<unknown>('logs.timeZone');
  if (setting === 'workspace') return timeZone ?? 'utc';
  return setting === 'utc' ? setting : 'local';
}

/** How far in the future the range of a stream ends, in milliseconds. */
export function tailAhead(): number {
  const settings = vscode.workspace.getConfiguration(`${section}.api`);
  return bounded(settings.get('tailAheadHours'), 168, 0, 8784) * hour;
}

/** The most records of an exported file. */
export function maxExportRecords(): number {
  const value = vscode.workspace.getConfiguration(section).get<unknown>('logs.maxExportRecords');
  return bounded(value, 1_000_000, 1_000, 10_000_000);
}

/** Seconds between refreshes of what is shown; 0: only on request. */
export function refreshSeconds(): number {
  const seconds = bounded(ownValue('refresh.intervalSeconds'), 30, 0, 3600);
  return seconds === 0 ? 0 : Math.max(5, seconds);
}

type AlertNotifications = 'off' | 'firing' | 'all';

export function alertNotifications(): AlertNotifications {
  const value = ownValue('alerts.notify');
  return value === 'firing' || value === 'all' ? value : 'off';
}

type DeploymentNotifications = 'mine' | 'all' | 'off';

/** Whose deployments to notify of: those of what was pushed from here, or all of the branch. */
export function deploymentNotifications(): DeploymentNotifications {
  const value = ownValue('deployments.notify');
  return value === 'all' || value === 'off' ? value : 'mine';
}

type LogStatementLinks = 'off' | 'link' | 'count';

/** What is shown above logging calls in code. A folder must not decide it, because counts send requests. */
export function logStatementLinks(): LogStatementLinks {
  const value = ownValue('code.logStatements');
  return value === 'off' || value === 'count' ? value : 'link';
}

type CodeErrors = 'off' | 'marks' | 'marksAndProblems';

/** How errors in logs are shown in code. */
export function codeErrors(): CodeErrors {
  const value = ownValue('code.errors');
  return value === 'off' || value === 'marksAndProblems' ? value : 'marks';
}

/** Whether files in which errors happened have a badge. */
export function decoratesFiles(): boolean {
  return ownValue('code.decorations') !== false;
}

/** Whether to notify of kinds of errors that are new since a deployment. */
export function notifiesOfErrors(): boolean {
  return ownValue('errors.notify') === true;
}

/** Whether to notify when a background activity ends. */
export function notifiesOfActivity(): boolean {
  return ownValue('activity.notify') === true;
}

/** Turns the notifications off that a setting asks for, in the user's settings. */
export async function turnOff(name: NotifySetting): Promise<void> {
  await writeSetting('user', name, notifySettings[name]);
}

/** Whether language models may use the tools. */
export function aiEnabled(): boolean {
  return ownValue('ai.enabled') === true;
}

/** The value of `controlPlane.logs.pathMappings` for a folder: any members, and those of a workspace if it is trusted. */
export function pathMappingSettings(folder: vscode.Uri): Readonly<Record<string, unknown>> {
  return membersOf(
    vscode.workspace.getConfiguration(section, folder).get<unknown>('logs.pathMappings'),
  );
}

const segment = /^[A-Za-z0-9._~-]{1,64}$/;
const parameter = /^[A-Za-z0-9._~[\]-]{1,64}$/;
const operationPath = /^$|^(?:\/[A-Za-z0-9._~{}-]+)*\/\{operationId\}(?:\/[A-Za-z0-9._~-]+)*$/;

export function apiSettings(): ApiSettings {
  const settings = vscode.workspace.getConfiguration(`${section}.api`);
  const text = (name: string, fallback: string, pattern: RegExp): string =>
    matching(settings.get(name), fallback, pattern);
  return {
    timeoutSeconds: bounded(ownValue('api.timeoutSeconds'), 20, 1, 300),
    segments: {
      monitorAlerts: text('segments.monitorAlerts', 'monitor-alerts', segment),
      repositories: text('segments.repositories', 'codehost-b', segment),
      previewReporting: text('segments.previewReporting', 'codehost-a', segment),
    },
    parameters: {
      alertsDeployable: text('parameters.alertsDeployable', 'deployableId', parameter),
      secretsEnvironment: text('parameters.secretsEnvironment', 'environment', parameter),
      repositoriesSearch: text('parameters.repositoriesSearch', 'search', parameter),
      repositoriesPage: text('parameters.repositoriesPage', 'page', parameter),
    },
    operationPath: text('operationPath', '/operations/{operationId}', operationPath),
  };
}

/** What the states of this control plane mean, where that differs from what is assumed. */
export function apiStates(): Readonly<Record<string, unknown>> {
  return membersOf(vscode.workspace.getConfiguration(`${section}.api`).get<unknown>('states'));
}

export function onDidChangeSettings(name: string, listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${section}.${name}`)) listener();
  });
}
