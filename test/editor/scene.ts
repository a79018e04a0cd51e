import { assert } from 'chai';
import * as vscode from 'vscode';
import type { LogQueryFilters, LogRecord } from '../../src/api/types';
import { settings } from '../../.config/settings';
import type { ControlPlaneOptions, ReceivedRequest } from '../control-plane/server';
import type { UiText } from '../host/texts';
import { apiRequestsFromNow } from './begun';
import { attendBoxes, leaveBoxes } from './boxes';
import { refuseReports, startControlPlane, type RemoteControlPlane } from './controlPlane';
import { failuresAreKept } from './failures';
import { answerPick, attend, clickInMessage, followedLogs, leave, type TailInMenu } from './person';
import { connectQuestion, signOutQuestion } from './questions';
import { channelDocument, inChannel, until } from './wait';
import { witness } from './witnesses';
import { type ConnectArgument, connectAs } from '../host/connectAs';

/** A separate control plane for each test, and the actions of its user. */
export interface Scene {
  readonly controlPlane: RemoteControlPlane;
  /** The name of the connection of this test. */
  readonly name: string;
  /** Connects with a key by its name, such as `demo-full`. */
  connect(key?: string, name?: string): Promise<boolean>;
  /** The name of another connection to the same control plane. */
  newName(): string;
  /** Starts another control plane of the same kind, with the connection `theOther`. */
  startOther(): Promise<RemoteControlPlane>;
  connectToOther(key?: string): Promise<boolean>;
  follow(what?: unknown): Promise<boolean>;
  /** Adds records with these members now; a string is a body. Returns them as served. */
  emit(...records: (string | Partial<LogRecord>)[]): Promise<LogRecord[]>;
  /** Waits until a tail (the only one, or the one with this label) has this state. */
  tailIs(state: UiText | RegExp, label?: string): Promise<TailInMenu>;
  /** The requests to paths with this ending, such as `/logs/tail`. */
  requests(path?: string): Promise<ReceivedRequest[]>;
  /** The filters of these requests. */
  filters(path?: string): Promise<LogQueryFilters[]>;
  /** Does something that succeeds, and answers with the filters of the first search that comes of it. */
  searched(
    act: () => Thenable<unknown>,
    isIt?: (filters: LogQueryFilters) => boolean,
  ): Promise<LogQueryFilters>;
  /** What another client gets from the API. */
  get<Answer>(path: string): Promise<Answer>;
  /** Changes a user setting below `controlPlane.`; the next test starts without it. */
  set(setting: string, value: unknown): Promise<void>;
}

/** User settings below `controlPlane.`; undefined is the default. */
type Settings = Readonly<Record<string, unknown>>;

export interface Circumstances {
  /**
   * For read-only tests: they share a control plane and a connection, created in `before` instead
   * of `beforeEach`.
   */
  readonly shared?: boolean;
  /** Settings for all tests. Writing a setting takes longer than most tests, so they stay. */
  readonly settings?: Settings | ((world: RemoteControlPlane['world']) => Settings);
  /** For tests of connecting: there are no connections at first. */
  readonly withoutConnections?: boolean;
}

/** Settings with the first source as `shop`, the first server as `fra`, or all sources under their names. */
export const known = {
  shop: ({ sources }: RemoteControlPlane['world']) => ({
    sources: [{ id: sources[0]?.id, label: 'shop' }],
  }),
  fra: ({ servers }: RemoteControlPlane['world']) => ({
    servers: [{ id: servers[0]?.id, label: 'fra' }],
  }),
  sources: ({ sources }: RemoteControlPlane['world']) => ({
    sources: sources.map(({ id, name }) => ({ id, label: name })),
  }),
} satisfies Record<string, (world: RemoteControlPlane['world']) => Settings>;

/** What the settings of the user or the workspace have for a setting below `controlPlane.` */
export function setTo(
  setting: string,
  owner: 'globalValue' | 'workspaceValue' = 'globalValue',
): unknown {
  return vscode.workspace.getConfiguration('controlPlane').inspect(setting)?.[owner];
}

/** The connection that is selected after each test; it has no key. */
const nowhere = 'nowhere';
/** The connection to the control plane of `startOther`. */
export const theOther = 'the other';

/** How many connection names the tests of this run have used. */
let names = 0;
/** The control planes of all tests use the same ports, so that the connections can stay. */
let port = 0;
let otherPort = 0;

/**
 * Sets the scene for the tests of a `describe`: each has a control plane without generated logs and
 * an unused connection, and starts with the given settings.
 */
export function setScene(
  options: Omit<ControlPlaneOptions, 'clock' | 'port'> = {},
  { shared = false, settings = {}, withoutConnections = false }: Circumstances = {},
): Scene {
  const [enter, exit] = shared ? [before, after] : [beforeEach, afterEach];
  let controlPlane: RemoteControlPlane;
  let other: RemoteControlPlane | undefined;
  let afterSignOut: () => string[];
  let name = '';
  const newName = (): string => `test ${++names}`;
  /** @param wanted may be in use. */
  const start = (wanted: number): Promise<RemoteControlPlane> => {
    const quiet = { live: false, historyRecords: 0, ...options };
    return startControlPlane({ ...quiet, port: wanted }).catch(() => startControlPlane(quiet));
  };

  enter(async function () {
    name = newName();
    controlPlane = await start(port);
    const { url, world } = controlPlane;
    port = portOf(controlPlane);
    await settle({
      ...(withoutConnections ? {} : { connections: connectionsTo(url, countTests(this)) }),
      ...(typeof settings === 'function' ? settings(world) : settings),
    });
    witness('Requests', async () =>
      (await controlPlane.admin.requests())
        .slice(-5)
        .map((one) => `${one.method} ${one.url} ${one.status ?? '…'}`),
    );
    attend();
    attendBoxes();
  });
  if (shared) {
    beforeEach(() => {
      attend();
      attendBoxes();
    });
    afterEach(async () => {
      await failuresAreKept();
      await refuseReports(controlPlane.admin);
    });
  }

  exit(() =>
    all([
      failuresAreKept,
      () => clickInMessage(signOutQuestion, 'Sign Out'),
      () => vscode.commands.executeCommand('controlPlane.signOut'),
      () => (afterSignOut = apiRequestsFromNow()),
      () => (withoutConnections ? update('connections', undefined) : goNowhere()),
      () => until('nothing is followed', async () => (await followedLogs()).length === 0),
      cleared,
      leave,
      leaveBoxes,
      closeEditors,
      // Visible views would request what they show in the next test.
      // Not the Explorer: it reveals the last file, which a test may have deleted.
      () => vscode.commands.executeCommand('workbench.view.scm'),
      () => assert.isEmpty(afterSignOut(), 'requests after the sign-out'),
      () => controlPlane.close(),
      () => other?.close(),
      () => (other = undefined),
    ]),
  );

  const requests = async (path = ''): Promise<ReceivedRequest[]> =>
    (await controlPlane.admin.requests()).filter(
      // A browser sends a preflight request first.
      ({ method, url }) => method !== 'OPTIONS' && url.endsWith(path),
    );
  const filters = async (path = '/logs/query'): Promise<LogQueryFilters[]> =>
    (await requests(path)).map(
      // The control plane accepts only such a request.
      ({ body = '{}' }) => (JSON.parse(body) as { filters: LogQueryFilters }).filters,
    );

  return {
    get controlPlane() {
      return controlPlane;
    },
    get name() {
      return name;
    },
    async connect(key = 'demo-full', connection = name) {
      const apiKey = controlPlane.keys[key];
      if (apiKey === undefined) throw new Error(`The control plane has no key ${key}.`);
      const { url: baseUrl } = controlPlane;
      return connectAgreeing({ name: connection, baseUrl, apiKey });
    },
    newName,
    async startOther() {
      other = await start(otherPort);
      otherPort = portOf(other);
      return other;
    },
    async connectToOther(key = 'demo-full') {
      if (other === undefined) throw new Error('There is no other control plane.');
      return connectAgreeing({
        ...{ name: theOther, baseUrl: other.url, apiKey: other.keys[key] ?? '' },
      });
    },
    follow: (what = {}) => run('followLogs', what),
    emit: (...records) =>
      controlPlane.admin.emit(
        records.map((record) => (typeof record === 'string' ? { body: record } : record)),
      ),
    tailIs: (state, label) =>
      until(`${label ?? 'the tail'} is ${String(state)}`, async () => {
        const tails = await followedLogs();
        const tail = label === undefined ? tails[0] : tails.find((one) => one.label === label);
        if (!tail) return undefined;
        const is = typeof state === 'string' ? tail.state === state : state.test(tail.state);
        return is ? tail : undefined;
      }),
    requests,
    filters,
    async searched(act, isIt = () => true) {
      const { length } = await filters();
      assert.isTrue(await act());
      return until('a search', async () => (await filters()).slice(length).find(isIt));
    },
    async get<Answer>(path: string) {
      const { url, keys } = controlPlane;
      const headers = { authorization: `Bearer ${keys['demo-full'] ?? ''}` };
      // The embedded control plane follows the contract.
      return (await (await fetch(`${url}/v1/api${path}`, { headers })).json()) as Answer;
    },
    set: update,
  };
}

witness('Followed', followedLogs);
witness('In the log channel', () => channelDocument('logs')?.getText().split('\n').slice(-5));
witness('Editors', () =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)),
);

const settingNames = Object.keys(settings).map((name) => name.replace('controlPlane.', ''));

// The next run must not find the settings of these tests; a desktop would keep them.
after(() => settle(undefined));

async function update(setting: string, value: unknown): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('controlPlane').update(setting, value, Global);
}

/** Makes these the only user settings, or removes all; writes only differences. */
async function settle(wanted: Settings | undefined): Promise<void> {
  // An open file requests errors: only where a test is about that.
  const usual: Settings = { 'logs.timeZone': 'utc', 'code.errors': 'off' };
  const all: Settings = wanted === undefined ? {} : { ...usual, ...wanted };
  const configuration = vscode.workspace.getConfiguration('controlPlane');
  for (const name of settingNames) {
    const is = configuration.inspect(name)?.globalValue;
    if (JSON.stringify(is) !== JSON.stringify(all[name])) await update(name, all[name]);
  }
}

/** One for each test and some more, so that the tests of this run need not write the setting. */
function connectionsTo(baseUrl: string, count: number): object[] {
  const all = Array.from({ length: count + 20 }, (_, index) => `test ${index + 1}`);
  return [
    ...[nowhere, ...all].map((name) => ({ name, baseUrl })),
    ...(otherPort === 0 ? [] : [{ name: theOther, baseUrl: `http://127.0.0.1:${otherPort}` }]),
  ];
}

function portOf({ url }: RemoteControlPlane): number {
  return Number(new URL(url).port);
}

/** The number of tests in this run. */
function countTests({ test }: Mocha.Context): number {
  let suite = test?.parent;
  while (suite?.parent) suite = suite.parent;
  return suite?.total() ?? 0;
}

async function goNowhere(): Promise<void> {
  answerPick((items) => items.find(({ label }) => label === nowhere));
  await vscode.commands.executeCommand('controlPlane.switchConnection');
}

async function closeEditors(): Promise<void> {
  if (vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0)) return;
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/**
 * Runs every step, so that a failing one does not affect later tests; then throws the first error.
 */
async function all(steps: (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Connects, also with another key than the one before. */
export async function connectAgreeing(argument: ConnectArgument): Promise<boolean> {
  const { name = '', baseUrl } = argument;
  const stopClicking = clickInMessage(connectQuestion(name, baseUrl), 'Connect');
  try {
    return await connectAs(argument);
  } finally {
    stopClicking();
  }
}

/** Runs a command of the extension that returns whether it did something. */
async function run(command: string, argument: unknown): Promise<boolean> {
  return vscode.commands.executeCommand<boolean>(`controlPlane.${command}`, argument);
}

/** A parsed line of the log channel; `more` has the continuation lines of the body. */
export interface Line {
  time: string;
  level: string;
  source: string;
  text: string;
  more: string[];
}

/** Parses the text of the log channel in the format of the Output panel. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (const raw of text.split('\n')) {
    const found =
      /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \[(trace|debug|info|warning|error)\] \[([^\]]*)\] (.*)$/s.exec(
        raw,
      );
    const [, time = '', level = '', source = '', rest = ''] = found ?? [];
    if (found) lines.push({ time, level, source, text: rest, more: [] });
    else if (raw !== '') {
      assert.isTrue(raw.startsWith('    '), `a line without a record: ${raw}`);
      lines.at(-1)?.more.push(raw.slice(4));
    }
  }
  return lines;
}

/** The lines of workloads, without those of the extension. */
export function recordsOf(text: string): Line[] {
  return linesOf(text).filter(({ source }) => source !== 'control plane');
}

/**
 * Waits until the channel has this many lines of workloads (containing this text); returns them.
 */
export async function shown(count: number, having = ''): Promise<Line[]> {
  return inChannel('logs', (text) => {
    const records = recordsOf(text).filter((line) => line.text.includes(having));
    return records.length >= count ? records : undefined;
  });
}

/** The texts of these lines. */
export async function shownTexts(count: number): Promise<string[]> {
  return (await shown(count)).map(({ text }) => text);
}

/** Waits until the channel contains nothing of the previous connection. */
export async function cleared(): Promise<void> {
  if (channelDocument('logs') === undefined) return;
  await inChannel('logs', (text) => text === '' || undefined);
}

/** Waits until a line of the extension contains this. */
export async function marker(text: string | RegExp): Promise<Line> {
  return inChannel('logs', (all) =>
    linesOf(all).find(
      (line) =>
        line.source === 'control plane' &&
        (typeof text === 'string' ? line.text.includes(text) : text.test(line.text)),
    ),
  );
}
