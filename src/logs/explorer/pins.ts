import * as v from 'valibot';
import type { LogRecord } from '../../api/types';
import { type Disposable, Emitter } from '../../base/event';
import { listOf, readStored, type Storage } from '../../base/storedValue';
import { cut } from '../../base/untrustedText';
import type { HasConnection } from '../../connection/connections';
import { StoredPerConnection } from '../../connection/perConnection';
import { recordSource } from '../record/logLine';
import { hasContext, type RecordPlace } from './recordsAround';

/**
 * A record that a person has pinned: where it is, who logged it, and what the person wrote. What it says is not kept:
 * a body can have anything in it, the storage of VS Code is not for secrets, and another key may not be allowed to
 * read it. It is read again when it is shown.
 */
export interface Pin extends RecordPlace {
  /** The name of the workload. */
  readonly source: string;
  /** Empty if there is none. */
  readonly note: string;
}

/** How many pins a connection has at most. */
export const mostPins = 200;
/** In UTF-16 units. */
export const longestNote = 500;
const longestSource = 100;
const longestId = 512;

const storedPins = listOf(
  v.pipe(
    v.object({
      eventId: v.pipe(v.string(), v.nonEmpty(), v.maxLength(longestId)),
      containerId: v.string(),
      timestamp: v.string(),
      source: v.pipe(v.string(), v.maxLength(longestSource)),
      note: v.pipe(v.string(), v.maxLength(longestNote), v.trim()),
    }),
    v.transform((pin): Pin => ({ ...pin, ingestedAt: pin.timestamp })),
    v.check((pin) => hasContext(pin)),
  ),
  mostPins,
);

/** Reads what was stored; pins that cannot be found again are left out. */
export function readPins(stored: unknown): readonly Pin[] | undefined {
  return readStored(storedPins, stored);
}

type Identity = Pick<LogRecord, 'eventId' | 'containerId'>;

/** Identifies a record among all of a control plane. */
export function pinKey({ eventId, containerId }: Identity): string {
  return `${containerId} ${eventId}`;
}

/** What became of a record: `full` if there are as many pins as can be, `nowhere` if it could not be found again. */
export type Pinned = 'pinned' | 'removed' | 'full' | 'nowhere';

interface PinSession extends HasConnection {
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** The pinned records of the connection, in the order of time. */
export class Pins {
  private readonly changes = new Emitter<void>();
  private readonly stored: StoredPerConnection<readonly Pin[]>;
  private readonly subscription: Disposable;
  private known: ReadonlyMap<string, Pin> | undefined;
  /** The pin that was gone to last, or the record that was pinned since, or is no longer. */
  private last: RecordPlace | undefined;

  readonly onDidChange = this.changes.event;

  constructor(session: PinSession, storage: Storage) {
    this.stored = new StoredPerConnection(session, storage, 'pins', readPins);
    this.subscription = session.onDidChange(() => {
      this.last = undefined;
      this.changed();
    });
  }

  /** Oldest first. */
  get all(): readonly Pin[] {
    return [...this.byKey.values()];
  }

  /** By `pinKey`. */
  get byKey(): ReadonlyMap<string, Pin> {
    return (this.known ??= new Map(
      [...(this.stored.value ?? [])].sort(byTime).map((pin) => [pinKey(pin), pin]),
    ));
  }

  /** Pins a record, or removes its pin. */
  toggle(record: LogRecord | Pin): Pinned {
    this.last = record;
    const key = pinKey(record);
    if (this.byKey.has(key)) {
      this.set(this.all.filter((pin) => pinKey(pin) !== key));
      return 'removed';
    }
    if (this.byKey.size >= mostPins) return 'full';
    const { eventId, containerId, timestamp } = record;
    const source =
      'source' in record ? record.source : cut(recordSource(record), longestSource - 1);
    const [pin] = readPins([{ eventId, containerId, timestamp, source, note: '' }]) ?? [];
    if (pin === undefined) return 'nowhere';
    this.set([...this.all, pin]);
    return 'pinned';
  }

  /** A blank note is none. */
  setNote(pin: Pin, text: string): void {
    const key = pinKey(pin);
    const note = text.trim();
    if (!this.byKey.has(key)) return;
    this.set(this.all.map((one) => (pinKey(one) === key ? { ...one, note } : one)));
  }

  /** Goes to the first pin after the last one, or to the first of all. */
  goToNext(): Pin | undefined {
    const { all, last } = this;
    const next = (last && all.find((pin) => byTime(last, pin) < 0)) ?? all[0];
    this.last = next;
    return next;
  }

  dispose(): void {
    this.subscription.dispose();
    this.changes.dispose();
  }

  private set(pins: readonly Pin[]): void {
    this.stored.set(pins.length === 0 ? undefined : pins);
    this.changed();
  }

  private changed(): void {
    this.known = undefined;
    this.changes.fire();
  }
}

function byTime(a: RecordPlace, b: RecordPlace): number {
  const apart = Date.parse(a.timestamp) - Date.parse(b.timestamp);
  if (apart !== 0) return apart;
  // Of one millisecond: the digits behind it, and an order that is always the same.
  const [first, second] = [`${a.timestamp} ${pinKey(a)}`, `${b.timestamp} ${pinKey(b)}`];
  return first < second ? -1 : first === second ? 0 : 1;
}

/**
 * The pinned records among those of a list. Only a list with pins is looked at, once; then what comes. Rows do not say
 * whether they are pinned, so that none is made or sent again.
 */
export class PinnedRecords {
  private readonly found = new Map<string, LogRecord>();
  private readonly subscription: Disposable;

  /** @param records those of the list, whenever it is asked for. */
  constructor(
    private readonly pins: Pick<Pins, 'byKey' | 'onDidChange'>,
    private readonly records: () => readonly LogRecord[],
    changed: () => void,
  ) {
    this.subscription = pins.onDidChange(() => {
      this.replaced();
      changed();
    });
  }

  get all(): readonly LogRecord[] {
    return [...this.found.values()];
  }

  find(pin: Identity): LogRecord | undefined {
    return this.found.get(pinKey(pin));
  }

  /** The whole list changed, or the pins did. */
  replaced(): void {
    this.found.clear();
    this.added(this.records());
  }

  added(records: readonly LogRecord[]): void {
    const { byKey } = this.pins;
    if (byKey.size === 0) return;
    for (const record of records) {
      const key = pinKey(record);
      if (byKey.has(key)) this.found.set(key, record);
    }
  }

  /** Records left the list. */
  dropped(records: readonly LogRecord[]): void {
    if (this.found.size === 0) return;
    for (const record of records) this.found.delete(pinKey(record));
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
