import { readSavedTails } from '../../../../src/logs/tail/savedTails';
import { Tail } from '../../../../src/logs/tail/tail';
import { Tails, type TailStorage } from '../../../../src/logs/tail/tails';
import type { InMemoryControlPlane } from '../../../control-plane/inMemory';
import { seededRandom } from '../../../control-plane/random';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { clientOf, logServer } from '../logServer';
import { idsOf } from './followed';

/** What windows keep for the next one. */
export interface Memory {
  connection?: string;
  stored?: unknown;
}

/** Where tails are saved; without a connection no later window restores them. */
export function storageOf(memory: Memory = {}): TailStorage {
  return {
    connection: () => memory.connection,
    read: () => Promise.resolve(readSavedTails(memory.stored)),
    write(state) {
      memory.stored = JSON.parse(JSON.stringify(state));
      return Promise.resolve();
    },
  };
}

export interface WindowTails {
  readonly clock: FakeClock;
  readonly server: InMemoryControlPlane;
  readonly tails: Tails;
  /** The ids of the records that were taken, in order. */
  readonly ids: string[];
  /** The changes of the tails, such as `label: live → paused`. */
  readonly log: string[];
  /** What was told, because time has passed. */
  readonly ticks: { readonly at: number; readonly rates: readonly number[] }[];
  /** Takes all that there is; returns the ids by the label of their tail. */
  readonly readAll: () => Record<string, string[]>;
}

/** The tails of a window on a control plane in this process, whose channel shows so many records. */
export function windowTails({
  initialLines = 0,
  shownAtMost = 1000,
  memory,
  of,
}: {
  readonly initialLines?: number;
  readonly shownAtMost?: number;
  readonly memory?: Memory;
  /** The window before, whose control plane it uses. Default: a new one. */
  readonly of?: Pick<WindowTails, 'clock' | 'server'>;
} = {}): WindowTails {
  const clock = of?.clock ?? fakeClock();
  const server = of?.server ?? logServer({ clock, heartbeatSeconds: 15 });
  const client = clientOf(server, clock);
  const random = seededRandom(1);
  const readKey = (): Promise<string> => Promise.resolve(server.key);
  const tails = new Tails(
    clock,
    (filter, position) =>
      new Tail(
        { client, clock, random, readKey },
        { filter, initialLines, ...(position && { position }) },
      ),
    () => shownAtMost,
    storageOf(memory),
  );
  tails.onDidTick(() =>
    self.ticks.push({ at: clock.monotonic(), rates: tails.all.map((one) => one.rate) }),
  );
  tails.onDidChange(({ followed: { label, tail }, previous }) =>
    self.log.push(`${label}: ${previous?.kind ?? 'new'} → ${tail.state.kind}`),
  );
  const self: WindowTails = {
    clock,
    server,
    tails,
    ids: [],
    log: [],
    ticks: [],
    readAll() {
      const read: Record<string, string[]> = {};
      for (let next = tails.read(500); next !== undefined; next = tails.read(500)) {
        const found = idsOf(next.outputs);
        (read[next.followed.label] ??= []).push(...found);
        self.ids.push(...found);
        tails.didShow(next);
        next.followed.tail.markRead();
      }
      return read;
    },
  };
  return self;
}
