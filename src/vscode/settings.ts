import * as vscode from 'vscode';
import type { OwnValues } from '../api/assumptions';
import { openSettings } from '../api/generated/descriptionForms';
import type { ApiSettings } from '../api/operation';
import type { OpenSetting } from '../api/serverDescription';
import { hour } from '../base/clock';
import { membersOf } from '../base/json';
import { type NotifySetting, notifySettings } from './contributions';
import { type Choices, choices, integers, texts } from './generated/settings';
import { type IntegerRule, isTextOf, readChoice, readInteger } from './settingRules';

export const section = 'controlPlane';

interface LogSettings {
  readonly initialLines: number;
  readonly maxLines: number;
  readonly showAttributes: boolean;
  /** How bodies are shown; see `BodyStyle` of `logs/record/readableBody.ts`. */
  readonly bodies: Choices['logs.bodies'];
  /** Which severity is shown; see `SeveritySource` of `logs/record/shownSeverity.ts`. */
  readonly severity: Choices['logs.severity'];
  /** Whether records that are one stack trace or one cut line are one entry. */
  readonly joinLines: boolean;
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

/** The value in effect, or the user's own of what no folder may change. */
function valueOf(name: string, scope: IntegerRule['scope']): unknown {
  return scope === 'application'
    ? ownValue(name)
    : vscode.workspace.getConfiguration(section).get(name);
}

function integer(name: keyof typeof integers): number {
  return readInteger(integers[name], valueOf(name, integers[name].scope));
}

function choice<Name extends keyof Choices>(name: Name): Choices[Name] {
  return readChoice(choices[name], valueOf(name, choices[name].scope));
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
  return {
    initialLines: integer('logs.initialLines'),
    // VS Code shows nothing of a channel with more than about 120,000 lines at once.
    maxLines: integer('logs.maxLines'),
    showAttributes: choice('logs.showAttributes'),
    bodies: choice('logs.bodies'),
    severity: choice('logs.severity'),
    joinLines: choice('logs.joinLines'),
  };
}

/**
 * The time zone of log times: `utc`, `local` or an IANA name.
 *
 * @param session knows the zone of the workspace, which is UTC until a response names it.
 */
export function logTimeZone({ timeZone }: { readonly timeZone: string | undefined }): string {
  const setting = choice('logs.timeZone');
  return setting === 'workspace' ? (timeZone ?? 'utc') : setting;
}

/** How far in the future the range of a stream ends, in milliseconds. */
export function tailAhead(): number {
  return integer('api.tailAheadHours') * hour;
}

/** The most records of an exported file. */
export function maxExportRecords(): number {
  return integer('logs.maxExportRecords');
}

/** Seconds between refreshes of what is shown; 0: only on request. */
export function refreshSeconds(): number {
  const seconds = integer('refresh.intervalSeconds');
  return seconds === 0 ? 0 : Math.max(5, seconds);
}

export function alertNotifications(): Choices['alerts.notify'] {
  return choice('alerts.notify');
}

/** Whose deployments to notify of: those of what was pushed from here, or all of the branch. */
export function deploymentNotifications(): Choices['deployments.notify'] {
  return choice('deployments.notify');
}

/** What is shown above logging calls in code. A folder must not decide it, because counts send requests. */
export function logStatementLinks(): Choices['code.logStatements'] {
  return choice('code.logStatements');
}

/** How errors in logs are shown in code. */
export function codeErrors(): Choices['code.errors'] {
  return choice('code.errors');
}

/** Whether files in which errors happened have a badge. */
export function decoratesFiles(): boolean {
  return choice('code.decorations');
}

/** Whether to notify of kinds of errors that are new since a deployment. */
export function notifiesOfErrors(): boolean {
  return choice('errors.notify');
}

/** Whether to notify when a background activity ends. */
export function notifiesOfActivity(): boolean {
  return choice('activity.notify');
}

/** Turns the notifications off that a setting asks for, in the user's settings. */
export async function turnOff(name: NotifySetting): Promise<void> {
  await writeSetting('user', name, notifySettings[name]);
}

/** Whether language models may use the tools. */
export function aiEnabled(): boolean {
  return choice('ai.enabled');
}

/** Whether the control plane's own MCP server is offered to the chat. */
export function mcpEnabled(): boolean {
  return choice('ai.mcp');
}

/** The path of that server below the base URL. */
export function mcpPath(): string {
  const rule = texts['ai.mcpPath'];
  const value = valueOf('ai.mcpPath', rule.scope);
  return isTextOf(rule, value) ? value : rule.default;
}

/** The value of `controlPlane.logs.pathMappings` for a folder: any members, and those of a workspace if it is trusted. */
export function pathMappingSettings(folder: vscode.Uri): Readonly<Record<string, unknown>> {
  return membersOf(
    vscode.workspace.getConfiguration(section, folder).get<unknown>('logs.pathMappings'),
  );
}

/** Not in package.json: a report shows what a pattern of it lets through. */
const operationPath = /^$|^(?:\/[A-Za-z0-9._~{}-]+)*\/\{operationId\}(?:\/[A-Za-z0-9._~-]+)*$/;

export function apiSettings(): ApiSettings {
  return { timeoutSeconds: integer('api.timeoutSeconds'), own: ownValues() };
}

/** What is set of what the contract leaves open, also if it is the default. Asks VS Code once, which takes long for it. */
function ownValues(): OwnValues {
  const { user, workspace } = valuesByOwner('api');
  // VS Code ignores restricted settings of an untrusted folder; this holds even in an editor that does not.
  const owners = vscode.workspace.isTrusted ? [workspace, user] : [user];
  const own: Partial<Record<OpenSetting, string>> = {};
  for (const name of Object.keys(openSettings) as OpenSetting[]) {
    const value = owners.map((of) => valueBelow(of, name)).find((one) => one !== undefined);
    if (!isTextOf(texts[`api.${name}`], value)) continue;
    if (name !== 'operationPath' || operationPath.test(value)) own[name] = value;
  }
  return own;
}

/** The value of a setting in the object of its section. */
function valueBelow(section: unknown, name: string): unknown {
  return name.split('.').reduce((at, part) => membersOf(at)[part], section);
}

/** What the states of this control plane mean, where that differs from what is assumed. */
export function apiStates(): Readonly<Record<string, unknown>> {
  return membersOf(vscode.workspace.getConfiguration(section).get<unknown>('api.states'));
}

/** In which evaluation states alert rules of this control plane fire, where that differs from what is assumed. */
export function apiFiringStates(): Readonly<Record<string, unknown>> {
  return membersOf(vscode.workspace.getConfiguration(section).get<unknown>('api.firingStates'));
}

/** The setting of VS Code that turns off all its AI features. */
const aiFeatures = 'chat.disableAIFeatures';

/** Whether the user wants AI features in VS Code at all. */
export function hasAiFeatures(): boolean {
  return vscode.workspace.getConfiguration().get(aiFeatures) !== true;
}

export function onDidChangeAiFeatures(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(aiFeatures)) listener();
  });
}

export function onDidChangeSettings(name: string, listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${section}.${name}`)) listener();
  });
}
