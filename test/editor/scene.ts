import { assert } from 'chai';
import * as vscode from 'vscode';
import type { LogRecord } from '../../src/api/types';
import type { ControlPlaneOptions, ReceivedRequest } from '../control-plane/server';
import { startControlPlane, type RemoteControlPlane } from './controlPlane';
import { attend, followedLogs, leave, type TailInMenu } from './person';
import { channelDocument, inChannel, until } from './wait';

/** A control plane of its own for each test, and what a person does with it. */
export interface Scene {
  readonly controlPlane: RemoteControlPlane;
  /** The name of the connection of this test. */
  readonly name: string;
  /** Connects with a key by its name, such as `demo-full`. */
  connect(key?: string, name?: string): Promise<boolean>;
  follow(what?: unknown): Promise<boolean>;
  /** Adds records with these members now; a text is a body. Returns them as they are served. */
  emit(...records: (string | Partial<LogRecord>)[]): Promise<LogRecord[]>;
  /** Waits until a tail (the only one, or the one of this label) is in this state. */
  tailIs(state: string | RegExp, label?: string): Promise<TailInMenu>;
  /** What the control plane has received at an end of a path, such as `/logs/tail`. */
  requests(path?: string): Promise<ReceivedRequest[]>;
  /** Changes a user setting below `controlPlane.` until the end of the test. */
  set(setting: string, value: unknown): Promise<void>;
}

let scenes = 0;

// Once for all tests: writing settings takes longer than most of them.
before(() => update('logs.timeZone', 'utc'));
after(() => update('logs.timeZone', undefined));

async function update(setting: string, value: unknown): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('controlPlane').update(setting, value, Global);
}

/**
 * Sets the scene for the tests of a `describe`: each gets a quiet control plane, and leaves neither
 * connection, key, tails nor settings behind. Tests that only look may share one, since a connection
 * takes longer than they do.
 */
export function setScene(
  options: Omit<ControlPlaneOptions, 'now'> = {},
  { shared = false } = {},
): Scene {
  const [enter, exit] = shared ? [before, after] : [beforeEach, afterEach];
  let controlPlane: RemoteControlPlane;
  let name = '';
  const changed = new Set<string>();

  const set = async (setting: string, value: unknown): Promise<void> => {
    changed.add(setting);
    await update(setting, value);
  };

  enter(async () => {
    name = `test ${++scenes}`;
    controlPlane = await startControlPlane({ live: false, historyRecords: 0, ...options });
    attend();
  });

  exit(() =>
    all([
      () => vscode.commands.executeCommand('controlPlane.signOut'),
      forgetConnections,
      () => until('nothing is followed', async () => (await followedLogs()).length === 0),
      cleared,
      leave,
      ...[...changed].map((setting) => () => update(setting, undefined)),
      () => changed.clear(),
      () => controlPlane.close(),
    ]),
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
      return run('connect', { name: connection, baseUrl, apiKey });
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
    requests: async (path = '') =>
      (await controlPlane.admin.requests()).filter(
        // A browser asks for leave first.
        ({ method, url }) => method !== 'OPTIONS' && url.endsWith(path),
      ),
    set,
  };
}

/** Takes every step, so that no later test suffers from one that fails; then tells of the first. */
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

async function forgetConnections(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('controlPlane');
  const isSet = settings.inspect('connections')?.globalValue !== undefined;
  if (isSet) await update('connections', undefined);
}

/** Runs a command of the extension that answers whether it did something. */
async function run(command: string, argument: unknown): Promise<boolean> {
  return vscode.commands.executeCommand<boolean>(`controlPlane.${command}`, argument);
}

/** A line of the log channel in parts; lines that go on with a body are in `more`. */
export interface Line {
  time: string;
  level: string;
  source: string;
  text: string;
  more: string[];
}

/** Reads the text of the log channel in the form that the Output panel understands. */
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
      assert.isTrue(raw.startsWith('    '), `a line of nobody: ${raw}`);
      lines.at(-1)?.more.push(raw.slice(4));
    }
  }
  return lines;
}

/** The lines of workloads; what the extension itself says is left out. */
export function recordsOf(text: string): Line[] {
  return linesOf(text).filter(({ source }) => source !== 'control plane');
}

/** Waits until the channel has as many lines of workloads (with this text in them); returns them. */
export async function shown(count: number, having = ''): Promise<Line[]> {
  return inChannel('Control Plane Logs', (text) => {
    const records = recordsOf(text).filter((line) => line.text.includes(having));
    return records.length >= count ? records : undefined;
  });
}

/** Waits until nothing of a connection that was left stands in the channel any more. */
export async function cleared(): Promise<void> {
  if (channelDocument('Control Plane Logs') === undefined) return;
  await inChannel('Control Plane Logs', (text) => text === '' || undefined);
}

/** Waits until a line of the extension itself contains this. */
export async function marker(text: string | RegExp): Promise<Line> {
  return inChannel('Control Plane Logs', (all) =>
    linesOf(all).find(
      (line) =>
        line.source === 'control plane' &&
        (typeof text === 'string' ? line.text.includes(text) : text.test(line.text)),
    ),
  );
}
