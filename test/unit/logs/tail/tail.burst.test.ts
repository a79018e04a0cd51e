import { assert } from 'chai';
import type { Clock } from '../../../../src/base/clock';
import { Tail } from '../../../../src/logs/tail/tail';
import type { TailState } from '../../../../src/logs/tail/types';
import { idAt, startControlPlane, type ControlPlane } from '../../../control-plane/server';
import { fastClock, realClock } from '../../api/realClock';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { clientOf } from '../logServer';

const bufferRecords = 50_000;
const seconds = shortOrLong(2, 10);
const quiet = shortOrLong(1, 60);

describe('a burst over a real connection', () => {
  let server: ControlPlane;
  let tail: Tail;
  let appended: number;
  let isAppending: boolean;
  let shown: number;
  let dropped: number;
  let markers: number;
  let states: TailState['kind'][];
  /** The most records that waited in the buffer. */
  let most: number;
  let onReceive: () => void;

  beforeEach(async () => {
    server = await startControlPlane({ live: false, historyRecords: 0, heartbeatSeconds: 0 });
    appended = shown = dropped = markers = most = 0;
    isAppending = false;
    states = [];
    onReceive = () => undefined;
  });
  afterEach(async () => {
    tail.stop();
    await server.close();
    assert.deepEqual(server.admin.reports(), []);
  });

  /** Resolves when there is a stream. */
  async function follow(clock: Clock = realClock): Promise<void> {
    const random = (): number => 0;
    const client = clientOf(server, clock, { random, timeoutSeconds: 10_000 });
    tail = new Tail(
      { client, clock, random, readKey: () => Promise.resolve('key') },
      { filter: {}, initialLines: 100 },
    );
    tail.onDidChange((what) => {
      if (what === 'state') states.push(tail.state.kind);
      if (what === 'records') onReceive();
    });
    const opened = new Promise<void>((resolve) => (server.on.open = () => resolve()));
    tail.start();
    await opened;
  }

  /** Writes this many records every tenth of a second. */
  async function append(records: number, seconds: number): Promise<void> {
    isAppending = true;
    const start = performance.now();
    for (let tenth = 0; tenth < seconds * 10; tenth++) {
      appended += server.append(records).length;
      await wait(start + (tenth + 1) * 100 - performance.now());
    }
    isAppending = false;
  }

  const hasAll = (): boolean => !isAppending && tail.counters.received === appended;
  const untaken = (): number => {
    const { received, handedOn, dropped: gone } = tail.counters;
    return received - handedOn - gone;
  };
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  /** Takes records. Each must follow all that were shown or dropped before. */
  function take(maxRecords?: number): void {
    for (const output of tail.take(maxRecords)) {
      if (output.kind === 'dropped') {
        dropped += output.count;
        markers++;
      }
      if (output.kind !== 'records') continue;
      for (const { eventId } of output.records) {
        if (eventId !== idAt(shown + dropped)) assert.fail(`${eventId} at ${shown + dropped}`);
        shown++;
      }
    }
  }

  function assertAllAccountedFor(): void {
    assert.equal(shown + dropped, appended);
    const { received, handedOn, dropped: counted, connects } = tail.counters;
    assert.deepEqual([received, handedOn, counted, connects], [appended, shown, dropped, 1]);
    assert.deepEqual(states, ['connecting', 'live']);
  }

  it(`is shown as far as the reader can follow 100,000 records a second, with an exact count of dropped ones ${covers('F36', 'connection')}`, async function () {
    this.timeout(120_000);
    await follow();
    const goesOn = append(10_000, seconds);
    // Takes its time, like a channel that formats the records.
    while (!hasAll()) {
      await wait(5);
      take(100);
      most = Math.max(most, untaken());
    }
    await goesOn;
    assert.equal(appended, seconds * 100_000);
    assert.isAbove(dropped, appended / 2);
    assert.isAbove(markers, 1);
    assert.isAtMost(most, bufferRecords);
    take();
    assertAllAccountedFor();
  });

  it(`is read to its end, within limits, while no records are taken for ${quiet} s ${covers('F37', 'connection')}`, async function () {
    this.timeout(120_000);
    let notified = 0;
    onReceive = () => notified++;
    await follow();
    const goesOn = append(shortOrLong(10_000, 1000), quiet);
    while (!hasAll()) {
      await wait(5);
      most = Math.max(most, untaken());
    }
    await goesOn;
    assert.isAtMost(most, bufferRecords);
    assert.isAbove(notified, 0);
    take();
    assert.equal(markers, 1);
    assert.equal(shown, bufferRecords);
    assertAllAccountedFor();
  });

  it(`does not count as silence while the event loop is blocked ${covers('F37', 'connection')}`, async () => {
    const speed = 500;
    await follow(fastClock(speed));
    // Longer than a stream may be silent.
    const blocked = Math.ceil(100_000 / speed);
    for (let round = 0; round < 5; round++) {
      server.append(500);
      appended += 500;
      // The server writes it, and it is not read yet.
      for (let turn = 0; turn < 100; turn++) await new Promise((go) => process.nextTick(go));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blocked);
      await new Promise<void>((resolve) => {
        onReceive = () => {
          take();
          if (shown === appended) resolve();
        };
        onReceive();
      });
    }
    assertAllAccountedFor();
  });
});
