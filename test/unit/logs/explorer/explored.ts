import { assert } from 'chai';
import type { Clock } from '../../../../src/base/clock';
import type { LogRecord } from '../../../../src/api/types';
import { ExplorerModel } from '../../../../src/logs/explorer/explorerModel';
import type { LiveSearchServices } from '../../../../src/logs/explorer/liveSearch';
import type { ExplorerState } from '../../../../src/logs/explorer/explorerState';
import { parseSearch, type SearchQuery } from '../../../../src/logs/query/searchQuery';
import { seededRandom } from '../../../control-plane/random';
import type { FakeClock } from '../../fakeClock';
import type { InMemoryControlPlane } from '../../../control-plane/inMemory';
import { clientOf, refusal } from '../logServer';
import { numbersOf, searched } from './searched';

/** An explorer on a server in this process, and everything it reported. */
export interface Explored {
  readonly clock: FakeClock;
  readonly server: InMemoryControlPlane;
  readonly explorer: ExplorerModel;
  /** The reported changes of records, in order. */
  readonly events: string[];
  readonly states: ExplorerState[];
  /** The API key; undefined: none. */
  key: string | undefined;
  isConnected: boolean;
  /** The server refuses every query from now on. */
  readonly refuse: (status: number) => void;
  /** The server answers every query again, and unchanged. */
  readonly accept: () => void;
  /** Runs a query and waits for its first page. */
  readonly run: (query?: string) => Promise<void>;
  /** Runs an action and waits for its effects that need no time. */
  readonly after: (act: () => void) => Promise<void>;
  /** The numbers of the records in the list. */
  readonly numbers: () => number[];
  /** Timers of the explorer. */
  readonly liveTimers: number;
}

/** @param off how far the clock of the explorer's machine is ahead of the server's, in milliseconds. */
export function explored(
  records = 0,
  { off = 0, ...options }: Partial<LiveSearchServices> & { readonly off?: number } = {},
): Explored {
  const { clock, server } = searched(records);
  const own: Clock = { ...clock, now: () => clock.now() + off };
  const events: string[] = [];
  const states: ExplorerState[] = [];
  /** The list of a listener that applies every change. */
  let shown: string[] = [];
  const ids = (all: readonly LogRecord[]): string[] => numbersOf(all).map(String);
  const client = clientOf(server, own, { token: () => self.key });
  const source = { client, readKey: () => Promise.resolve(self.key) };
  const explorer = new ExplorerModel(
    () => (self.isConnected ? source : undefined),
    () => ({ now: client.serverNow(), timeZone: 'UTC' }),
    {
      clock: own,
      random: seededRandom(1),
      pageTarget: { first: 5, more: 4 },
      ...options,
    },
  );
  explorer.onDidHappen((event) => {
    if (event.kind === 'changed') {
      const { state } = event;
      assert.notStrictEqual(state, states.at(-1));
      assert.equal(state.count, shown.length);
      states.push(state);
      return;
    }
    if (event.kind === 'replaced') {
      shown = ids(event.records);
      assert.equal(event.state.epoch, explorer.epoch);
      events.push(`replace ${span(shown)}`);
    } else {
      const { direction, records: added, dropped, all } = event;
      shown = direction === 'older' ? [...ids(added), ...shown] : [...shown, ...ids(added)];
      assert.deepEqual(shown.splice(0, dropped.length), ids(dropped));
      assert.deepEqual(ids(all), shown);
      const lost = dropped.length > 0 ? ` dropped ${dropped.length}` : '';
      events.push(`${direction} ${span(ids(added))}${lost}`);
    }
    assert.deepEqual(ids(explorer.records), shown);
  });
  const self: Explored = {
    clock,
    server,
    explorer,
    events,
    states,
    key: server.key,
    isConnected: true,
    refuse(status) {
      server.on.query = () => {
        throw refusal(status);
      };
    },
    accept() {
      server.on.query = () => undefined;
    },
    run: (query = 'last:1h') => self.after(() => explorer.run(query, searchOf(query, clock.now()))),
    async after(act) {
      act();
      await clock.advance(0);
    },
    numbers: () => numbersOf(explorer.records),
    get liveTimers() {
      return clock.liveTimers - server.liveTimers;
    },
  };
  return self;
}

export function searchOf(query: string, now = Date.UTC(2026, 10, 20, 12)): SearchQuery {
  const result = parseSearch(query, { now, timeZone: 'UTC' });
  if (!result.ok) assert.fail(JSON.stringify(result.errors));
  return result.query;
}

/** How it follows: `none` if it does not. */
export function followingOf({ explorer }: Explored): string {
  return explorer.state.following?.state.kind ?? 'none';
}

/** Ends all streams: as after five minutes, or with an error. */
export function endStreams({ server }: Explored, status?: number): void {
  for (const stream of server.open) {
    if (status === undefined) stream.end();
    else stream.fail(status);
  }
}

/** `3-7` for ids that are consecutive numbers, otherwise all of them. */
function span(ids: readonly string[]): string {
  const first = Number(ids[0]);
  const isRun = ids.length > 1 && ids.every((id, index) => Number(id) === first + index);
  return isRun ? `${first}-${ids.at(-1)}` : ids.length === 0 ? '-' : ids.join();
}
