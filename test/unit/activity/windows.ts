import { actionKinds } from '../../../src/actions/generated/actionKinds';
import { cleanUpKind, type CleanUpEntry } from '../../../src/actions/kinds/cleanUp';
import { Activity, type ResendChoice } from '../../../src/activity/activity';
import type { ActivityEntry } from '../../../src/activity/activityEntry';
import type { ActivityStorage } from '../../../src/activity/activityStorage';
import { EntryKinds, isOfKind } from '../../../src/activity/entryKind';
import type { ControlPlaneClient } from '../../../src/api/client';
import type { Clock } from '../../../src/base/clock';
import type { HistoryReader } from '../../../src/commits/commitFacts';
import { Polling } from '../../../src/data/polling';
import { Store } from '../../../src/data/store';
import { usualStyle } from '../../../src/logs/record/recordStyle';
import { pushKind } from '../../../src/pushes/pushKind';
import type { FakeClock } from '../fakeClock';
import { fakeClient, scheduled } from '../data/fakeClient';
import { uuid } from '../trees/treeText';

/** All kinds, as the extension has them. */
export const kinds = new EntryKinds([...actionKinds, pushKind]);

export type CleanUpOrphansRequest = Parameters<ControlPlaneClient['cleanUpOrphans']>[0];

export const connection = { name: 'shop', baseUrl: 'https://control-plane.example' };
export const server = uuid(1);
export const request = { serverId: server, serverName: 'fra-app-1', items: ['old-api', 'tmp'] };
export const operationId = uuid(700);

/** Shared by several windows: entries as stored on disk. */
export interface Disk extends ActivityStorage {
  /** As text, by id. */
  readonly files: Map<string, string>;
  /** Events in order: `write <id> <progress>`. */
  readonly log: string[];
  /** How many of the next writes fail. */
  failing: number;
  /** Writes as another window does. */
  keep(entry: ActivityEntry): Promise<void>;
}

export function createDisk(): Disk {
  const files = new Map<string, string>();
  const log: string[] = [];
  const parse = (text: string | undefined): unknown => {
    try {
      return JSON.parse(text ?? '');
    } catch {
      return undefined;
    }
  };
  const disk: Disk = {
    files,
    log,
    failing: 0,
    readAll: () => Promise.resolve([...files.values()].map(parse)),
    read: (id) => Promise.resolve(parse(files.get(id))),
    write(id, entry) {
      if (disk.failing > 0) {
        disk.failing--;
        return Promise.reject(new Error('The disk is full.'));
      }
      files.set(id, JSON.stringify(entry));
      log.push(`write ${entry.progress.kind}`);
      return Promise.resolve();
    },
    remove(id) {
      files.delete(id);
      return Promise.resolve();
    },
    keep: (entry) => disk.write(entry.id, entry),
  };
  return disk;
}

export interface Window {
  readonly activity: Activity;
  readonly store: Store;
  readonly polling: Polling;
  readonly client: ControlPlaneClient;
  /** The clean-ups that the user was asked about. */
  readonly asked: ActivityEntry[];
  /** The answer of the user; no answer if `silent`. */
  answer: ResendChoice | 'silent';
  readonly failures: unknown[];
  /** How far the clock of the server is ahead, in milliseconds. */
  serverAhead: number;
  /** What Git says of the repository of a push. */
  history: HistoryReader | undefined;
  open(): Promise<void>;
}

let ids = 1000;

/** A window of the editor with this disk, which has the focus. A client that is not whole gets a scheduler. */
export function openWindow(
  clock: Clock,
  disk: ActivityStorage,
  given: Partial<ControlPlaneClient>,
  random: () => number = () => 0.5,
  intervalSeconds = 0,
): Window {
  const isWhole = given.serverNow !== undefined;
  const client = {
    ...(isWhole ? fakeClient(given) : scheduled(fakeClient(given), clock, random)),
    serverNow: () => clock.now() + made.serverAhead,
  };
  const store = new Store(clock);
  store.reset(client);
  const polling = new Polling(store, clock, () => intervalSeconds);
  polling.setFocused(true);
  const asked: ActivityEntry[] = [];
  const failures: unknown[] = [];
  const newId = (): string => uuid(ids++);
  const activity = new Activity(
    kinds,
    disk,
    { store, polling, historyOf: () => made.history, logStyle: usualStyle, clock, random },
    (entry) => {
      asked.push(entry);
      return made.answer === 'silent' ? new Promise(() => undefined) : Promise.resolve(made.answer);
    },
    newId,
  );
  activity.setFocused(true);
  activity.onDidFail((error) => failures.push(error));
  const made: Window = {
    store,
    polling,
    client,
    asked,
    failures,
    answer: 'silent',
    serverAhead: 0,
    history: undefined,
    activity,
    open: () => made.activity.open(connection, client),
  };
  return made;
}

/** As `openWindow`, connected to the connection of all these tests. */
export async function openedWindow(
  clock: FakeClock,
  disk: ActivityStorage,
  given: Partial<ControlPlaneClient>,
): Promise<Window> {
  const window = openWindow(clock, disk, given);
  await clock.run(window.open());
  return window;
}

/** Starts a clean-up and waits until its entry matches. */
export async function startedCleanUp(
  clock: FakeClock,
  window: Window,
  wanted: (entry: ActivityEntry) => boolean,
): Promise<CleanUpEntry> {
  const id = await clock.run(window.activity.start(cleanUpKind, request));
  const entry = await clock.run(until(window, id, wanted));
  if (!isOfKind(entry, cleanUpKind)) throw new Error(`The entry is a ${entry.kind}.`);
  return entry;
}

export const isOver = ({ progress }: ActivityEntry): boolean => progress.kind === 'over';

/** Resolves with an entry once it matches. */
export function until(
  { activity }: Window,
  id: string,
  wanted: (entry: ActivityEntry) => boolean,
): Promise<ActivityEntry> {
  return new Promise((resolve) => {
    const end = activity.onDidChange(look);
    function look(): void {
      const entry = activity.find(id);
      if (entry === undefined || !wanted(entry)) return;
      end.dispose();
      resolve(entry);
    }
    look();
  });
}

/** The progress of an entry, as text. */
export function progressOf(entry: ActivityEntry | undefined): string {
  if (entry === undefined) return 'gone';
  const { progress } = entry;
  return 'why' in progress ? `${progress.kind} ${progress.why}` : progress.kind;
}
