import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import { TimeFormat } from '../../../../src/base/timeFormat';
import type { SessionState } from '../../../../src/connection/connections';
import { loadPinned, pinLines } from '../../../../src/logs/explorer/pinLines';
import {
  mostPins,
  type Pin,
  PinnedRecords,
  pinKey,
  Pins,
  readPins,
} from '../../../../src/logs/explorer/pins';
import { createRowFormat } from '../../../../src/logs/explorer/recordRows';
import { createFormatter } from '../../../../src/logs/record/logLine';
import { sampleRecord } from '../sampleRecord';
import { searched } from './searched';

const containerId = 'c'.repeat(64);
const noon = Date.UTC(2026, 10, 20, 12);
const format = (text: string, ...values: readonly (string | number)[]): string =>
  text.replaceAll(/\{(\d)\}/g, (_, index) => String(values[Number(index)]));

function recordAt(seconds: number, change: Partial<LogRecord> = {}): LogRecord {
  const timestamp = new Date(noon + seconds * 1000).toISOString();
  return sampleRecord({ eventId: `event-${seconds}`, containerId, timestamp, ...change });
}

/** The pins of a connection that can be switched. */
function pinned() {
  const values = new Map<string, unknown>();
  const listeners: (() => void)[] = [];
  const session = {
    state: stateOf('https://one.example'),
    onDidChange: (listener: () => void) => {
      listeners.push(listener);
      return { dispose: () => undefined };
    },
    use(origin: string) {
      session.state = stateOf(origin);
      for (const listener of listeners) listener();
    },
  };
  const storage = {
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => {
      values.set(key, JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
  };
  return { pins: new Pins(session, storage), session, storage, values };
}

function stateOf(origin: string): SessionState {
  return { kind: 'signedOut', connection: { name: 'c', baseUrl: origin, origin } };
}

const idsOf = (pins: readonly Pin[]): string[] => pins.map(({ eventId }) => eventId);

describe('pins', () => {
  it('are kept in the order of time, with their notes, for each connection', () => {
    const { pins, session, storage } = pinned();
    for (const seconds of [3, 1, 2]) assert.equal(pins.toggle(recordAt(seconds)), 'pinned');
    pins.setNote(pins.all[1]!, 'here it began');
    const again = new Pins(session, storage);
    assert.deepEqual(idsOf(again.all), ['event-1', 'event-2', 'event-3']);
    assert.deepEqual(
      again.all.map(({ note }) => note),
      ['', 'here it began', ''],
    );
    session.use('https://two.example');
    assert.isEmpty(pins.all);
    session.use('https://one.example');
    assert.equal(pins.toggle(recordAt(2)), 'removed');
    assert.deepEqual(idsOf(pins.all), ['event-1', 'event-3']);
  });

  it('have no note of blanks, and none without a pin', () => {
    const { pins, values } = pinned();
    pins.toggle(recordAt(1));
    const [pin] = pins.all;
    pins.setNote(pin!, '  it began \t');
    assert.equal(pins.all[0]?.note, 'it began');
    pins.setNote(pin!, '   ');
    assert.equal(pins.all[0]?.note, '');
    assert.equal(readPins([{ ...pin, note: '  ' }])?.[0]?.note, '');
    pins.toggle(pin!);
    const before = JSON.stringify([...values]);
    pins.setNote(pin!, 'too late');
    assert.equal(JSON.stringify([...values]), before);
  });

  it('keep nothing that a record says', () => {
    const { pins, values } = pinned();
    const secrets = { body: 'secret body', attributes: { token: 'secret value' } };
    pins.toggle(recordAt(1, secrets));
    const stored = JSON.stringify([...values]);
    assert.include(stored, 'event-1');
    assert.notInclude(stored, 'secret');
  });

  it('are bounded, and only of records that can be found again', () => {
    const { pins } = pinned();
    for (let seconds = 0; seconds < mostPins; seconds++) pins.toggle(recordAt(seconds));
    assert.equal(pins.toggle(recordAt(mostPins)), 'full');
    assert.equal(pins.toggle(recordAt(0)), 'removed');
    assert.equal(pins.toggle(recordAt(1000, { containerId: 'web-1' })), 'nowhere');
    assert.equal(pins.toggle(recordAt(1000, { timestamp: 'yesterday' })), 'nowhere');
    const [pin] = pins.all;
    assert.isEmpty(readPins([{ ...pin, note: 1 }, { ...pin, containerId: '' }, 'text', null]));
  });

  it('follow one on another, from the last to the first, and from a record that was pinned or is no longer', () => {
    const { pins, session } = pinned();
    const next = (): string | undefined => pins.goToNext()?.eventId;
    assert.isUndefined(next());
    for (const seconds of [1, 5, 3]) pins.toggle(recordAt(seconds));
    assert.deepEqual(
      [next(), next(), next(), next()],
      ['event-5', 'event-1', 'event-3', 'event-5'],
    );
    pins.toggle(recordAt(3));
    assert.deepEqual([next(), next()], ['event-5', 'event-1']);
    session.use('https://two.example');
    assert.isUndefined(next());
    session.use('https://one.example');
    assert.equal(next(), 'event-1', 'another connection starts anew');
  });
});

describe('pinned records of a list', () => {
  /** 100,000 records that count how often they are looked at. */
  function list() {
    let looks = 0;
    const records = Array.from({ length: 100_000 }, (_, index) => {
      const record = recordAt(index / 1000, { eventId: `event-${index}` });
      const { eventId } = record;
      Object.defineProperty(record, 'eventId', {
        get() {
          looks++;
          return eventId;
        },
      });
      return record;
    });
    const looked = (act: () => void): number => {
      const before = looks;
      act();
      return looks - before;
    };
    return { records, looked };
  }

  it('cost nothing if nothing is pinned, else one look at what comes, and no row anew', () => {
    const { pins } = pinned();
    const { records, looked } = list();
    let changes = 0;
    const shown = new PinnedRecords(
      pins,
      () => records,
      () => changes++,
    );
    assert.equal(
      looked(() => shown.replaced()),
      0,
    );
    assert.equal(
      looked(() => shown.added(records)),
      0,
    );

    const record = records[50_000]!;
    const rowOf = createRowFormat('utc', { bodies: 'readable', severity: 'server' });
    const before = rowOf(record);
    pins.toggle(record);
    assert.deepEqual([shown.all, changes], [[record], 1]);
    assert.deepEqual(rowOf(record), before);
    assert.equal(
      looked(() => shown.replaced()),
      records.length,
    );
    assert.equal(
      looked(() => shown.added(records.slice(-10))),
      10,
    );
    assert.strictEqual(shown.find(pins.all[0]!), record);
    shown.dropped(records.slice(0, 50_001));
    assert.isEmpty(shown.all);
  });
});

describe('pins as text', () => {
  const time = new TimeFormat(
    () => ({}),
    () => 'UTC',
    () => 0,
    'en',
  );

  it('have the time between them and notes, and say which record is gone', async () => {
    const { server, client } = searched();
    const [first, , third] = server.append(3, { containerId, body: 'what it says' });
    const { pins } = pinned();
    const gone = { ...recordAt(0), eventId: 'gone', timestamp: '2026-11-20T11:50:00.000Z' };
    for (const record of [gone, third!, first!]) pins.toggle(record);
    pins.setNote(pins.all[0]!, 'it began');
    const { signal } = new AbortController();
    const read = await Promise.all(
      pins.all.map(async (pin) => [pin, await loadPinned(client, pin, signal)] as const),
    );
    const line = createFormatter({ timeZone: 'utc', showAttributes: false });
    const text = pinLines(read, time, format).map(line);
    assert.lengthOf(server.queries, 3);
    assert.match(text[0]!, /^2026-11-20 11:40:00\.000 .* what it says\n$/);
    assert.match(text[1]!, /Note: it began\n$/);
    assert.match(text[2]!, /20 ms later\n$/);
    assert.match(text[3]!, /what it says\n$/);
    assert.match(text[4]!, / 9 min 59 sec later\n$/);
    assert.match(text[5]!, /\[warning\] .* This record of .* was not found\./);
    assert.lengthOf(text, 6);
    assert.equal(pinKey(read[0]![0]), pinKey(first!));
  });
});
