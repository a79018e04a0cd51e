import type { LogPage, LogTailRequest } from '../../src/api/types';
import { BrokenOff, errorObject, Failure } from './failure';
import { Following } from './logs';
import type { Call, Parts } from './parts';
import { unkindly } from './unkind';

const pageRecords = 500;
const scanRecords = 20_000;

/** Something to send after the record of a number: text, an end, or how it breaks off. */
interface Order {
  readonly at: number;
  readonly text?: string;
  readonly failure?: Failure | BrokenOff;
}

export function event(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}

/**
 * An open log stream: pages on demand, until `streamSeconds` have passed. Its controls for a test take
 * effect after the records so far.
 */
export class LogStream {
  /** The name of its key. */
  readonly key: string;
  readonly request: LogTailRequest;
  private readonly following: Following;
  private readonly orders: Order[] = [];
  private isHeld = false;
  private isReset = false;
  private cutAfter = Infinity;
  /** Whether something happened since the stream last looked. */
  private isRung = false;
  private wake: (() => void) | undefined;

  constructor(
    private readonly parts: Parts,
    private readonly call: Call,
  ) {
    const { streams, journal } = parts;
    this.key = call.key.name;
    this.request = call.body as LogTailRequest;
    this.following = new Following(parts, call.key, this.request.filters, this.request.cursor);
    streams.add(this);
    journal.mostStreams = Math.max(journal.mostStreams, streams.size);
    call.signal.addEventListener('abort', () => {
      streams.delete(this);
      this.ring();
    });
  }

  /**
   * Sends, as one piece, pages as `records` events and text unchanged: comments, `retry:`,
   * anything.
   */
  send(...items: readonly (LogPage | string)[]): void {
    const texts = items.map((item) =>
      typeof item === 'string' ? item : event('records', JSON.stringify(item)),
    );
    this.order({ text: texts.join('') });
  }

  /** Sends no records of its own until `release`; the other controls still work. */
  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
    this.ring();
  }

  /** Ends it normally, as after five minutes. */
  end(): void {
    this.order({});
  }

  /** Sends an `error` event, then ends. */
  fail(status: number, code?: string, message?: string): void {
    this.order({ failure: new Failure(status, message, code) });
  }

  /** Closes the connection without an end of the body, now or after this many more bytes. */
  cut(afterBytes?: number): void {
    if (afterBytes === undefined) this.order({ failure: new BrokenOff('cut') });
    else this.cutAfter = afterBytes;
  }

  /** Resets the connection at once; what was not read yet is lost. */
  reset(): void {
    this.isReset = true;
    this.parts.streams.delete(this);
    this.ring();
  }

  /** The page with the records of these numbers, with the cursor after them. */
  page(from: number, to: number): LogPage {
    return this.following.pageOf(from, to);
  }

  /** The text; in bytes from the point where it is cut. */
  async *body(): AsyncGenerator<string | Uint8Array> {
    for await (const piece of this.events()) {
      if (this.cutAfter === Infinity) {
        yield piece;
        continue;
      }
      const bytes = Buffer.from(piece);
      yield bytes.subarray(0, this.cutAfter);
      if (bytes.length >= this.cutAfter) throw new BrokenOff('cut');
      this.cutAfter -= bytes.length;
    }
  }

  private order(one: Omit<Order, 'at'>): void {
    this.orders.push({ ...one, at: this.parts.store.end });
    this.ring();
  }

  private ring(): void {
    this.isRung = true;
    this.wake?.();
  }

  /** Resolves at the next ring or after `ms`; a ring while nothing waits is remembered. */
  private async rung(ms: number): Promise<void> {
    if (!this.isRung) {
      await new Promise<void>((resolve) => {
        const cancel = this.parts.clock.setTimer(resolve, ms);
        this.wake = () => {
          cancel();
          resolve();
        };
      });
    }
    this.isRung = false;
    this.wake = undefined;
  }

  private async *events(): AsyncGenerator<string> {
    const { keys, store, clock, unkind, on, streams, streamSeconds } = this.parts;
    const { key, signal, requestId, fault } = this.call;
    const subscriptions = [store.onDidAppend, keys.onDidChange].map((did) =>
      did(() => this.ring()),
    );
    const started = clock.monotonic();
    const heartbeat = (this.parts.heartbeatSeconds || Infinity) * 1000;
    let lastSent = started;
    let pages = 0;

    try {
      for (;;) {
        const life = started + streamSeconds * 1000 - clock.monotonic();
        if (signal.aborted || life <= 0) return;
        if (fault?.kind === 'errorEvent' && pages >= (fault.afterPages ?? 0)) {
          throw new Failure(fault.status);
        }
        // Access is checked again before each page.
        if (keys.find(key.value) !== key) throw new Failure(401, 'The API key was revoked.');
        if (!key.permissions.has('logs.read')) {
          throw new Failure(403, 'The API key lacks the permission logs.read.');
        }
        if (this.isReset) throw new BrokenOff('reset');
        const [first] = this.orders;
        if (!this.isHeld) {
          const limit = unkind.streamPage ?? pageRecords;
          const { records, behind } = this.following.next(
            limit,
            scanRecords,
            first?.at ?? Infinity,
          );
          if (records.length > 0) {
            const page = on.page(this.following.page(records), this.request);
            if (pages === 0 && fault?.kind === 'partial') page.partial = true;
            const text = event('records', JSON.stringify(unkindly(page, unkind)));
            yield text;
            if (pages === 0 && fault?.kind === 'duplicatePage') yield text;
            pages++;
            lastSent = clock.monotonic();
          }
          if (behind) {
            // Lets other requests run.
            if (records.length === 0) await new Promise<void>((go) => clock.setTimer(go, 0));
            continue;
          }
        }
        if (first) {
          this.orders.shift();
          if (first.failure) throw first.failure;
          if (first.text === undefined) return;
          yield first.text;
          continue;
        }
        const now = clock.monotonic();
        if (now - lastSent >= heartbeat) {
          yield ': heartbeat\n\n';
          lastSent = now;
        }
        await this.rung(Math.max(1, Math.min(life, lastSent + heartbeat - now, 2 ** 31 - 1)));
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const problem = errorObject(requestId, error.code, error.message);
      yield event('error', JSON.stringify(unkindly(problem, unkind)));
    } finally {
      streams.delete(this);
      subscriptions.forEach((one) => one.dispose());
    }
  }
}
