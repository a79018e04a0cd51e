import { assert } from 'chai';
import type { Clock } from '../../../../src/base/clock';
import { idAt } from '../../../control-plane/server';
import { scaled } from '../../../host/slowness';
import { fastClock, realClock } from '../../api/realClock';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { loopbackTails, type LoopbackTail } from './loopbackTails';

const bufferRecords = 50_000;
const seconds = shortOrLong(2, 10);
const quiet = shortOrLong(1, 60);

describe('a burst over a real connection', () => {
  const loopback = loopbackTails();
  let followed: LoopbackTail;
  let appended: number;
  let isAppending: boolean;
  let shown: number;
  let dropped: number;
  let markers: number;
  /** The most records that waited in the buffer. */
  let most: number;
  let onReceive: () => void;

  beforeEach(() => {
    appended = shown = dropped = markers = most = 0;
    isAppending = false;
    onReceive = () => undefined;
  });

  /** Resolves when there is a stream. */
  async function follow(clock: Clock = realClock): Promise<void> {
    followed = loopback.follow({ clock, takes: false });
    const { tail } = followed;
    tail.onDidChange((what) => {
      if (what === 'records') onReceive();
    });
    const opened = new Promise<void>((resolve) => (loopback.server.on.open = () => resolve()));
    tail.start();
    await opened;
  }

  /** Writes this many records every tenth of a second. */
  async function append(records: number, seconds: number): Promise<void> {
    isAppending = true;
    const start = performance.now();
    for (let tenth = 0; tenth < seconds * 10; tenth++) {
      appended += loopback.server.append(records).length;
      await wait(start + (tenth + 1) * 100 - performance.now());
    }
    isAppending = false;
  }

  const hasAll = (): boolean => !isAppending && followed.tail.counters.received === appended;
  const untaken = (): number => {
    const { received, handedOn, dropped: gone } = followed.tail.counters;
    return received - handedOn - gone;
  };
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  /** Takes records. Each must follow all that were shown or dropped before. */
  function take(maxRecords?: number): void {
    for (const output of followed.tail.take(maxRecords)) {
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
    const { received, handedOn, dropped: counted, connects } = followed.tail.counters;
    assert.deepEqual([received, handedOn, counted, connects], [appended, shown, dropped, 1]);
    assert.deepEqual(
      followed.states.map(({ kind }) => kind),
      ['connecting', 'live'],
    );
  }

  it(`is shown as far as the reader can follow 100,000 records a second, with an exact count of dropped ones ${covers('F36', 'connection')}`, async function () {
    this.timeout(scaled(120_000));
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
    this.timeout(scaled(120_000));
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
      appended += loopback.server.append(500).length;
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
