import type { LogPage, LogTailRequest } from '../../src/api/types';

import { BrokenOff, codeOf, errorObject, Failure } from './failure';
import type { Fault } from './faults';
import { followLogs, type Following } from './logs';
import type { Call, LogStream, Parts } from './parts';
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

/** Opens a log stream: pages on demand, until `streamSeconds` have passed. */
export function openStream(
  parts: Parts,
  call: Call,
): { stream: LogStream; body: AsyncIterable<string | Uint8Array> } {
  const { key, signal } = call;
  const request = call.body as LogTailRequest;
  const following = followLogs(parts, key, request.filters, request.cursor);
  const orders: Order[] = [];
  const bell = createBell(parts);
  let isHeld = false;
  let reset: BrokenOff | undefined;
  let cutAfter = Infinity;

  const order = (one: Omit<Order, 'at'>): void => {
    orders.push({ ...one, at: parts.store.end });
    bell.ring();
  };
  const stream: LogStream = {
    key: key.name,
    request,
    get isOpen() {
      return parts.streams.has(stream);
    },
    send: (...items) =>
      order({
        text: items
          .map((item) => (typeof item === 'string' ? item : event('records', JSON.stringify(item))))
          .join(''),
      }),
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      bell.ring();
    },
    end: () => order({}),
    fail: (status, code, message) => order({ failure: new Failure(status, message, code) }),
    cut(afterBytes) {
      if (afterBytes === undefined) order({ failure: new BrokenOff('cut') });
      else cutAfter = afterBytes;
    },
    reset() {
      reset = new BrokenOff('reset');
      parts.streams.delete(stream);
      bell.ring();
    },
    page: (from, to) => following.pageOf(from, to),
  };
  parts.streams.add(stream);
  signal.addEventListener('abort', () => {
    parts.streams.delete(stream);
    bell.ring();
  });

  const control: Control = {
    next: () => {
      if (reset) throw reset;
      const [first] = orders;
      return { end: first?.at ?? Infinity, first, isHeld };
    },
    done: () => void orders.shift(),
    closed: () => void parts.streams.delete(stream),
  };

  /** The text; in bytes from the point where it is cut. */
  async function* body(): AsyncGenerator<string | Uint8Array> {
    for await (const piece of events(parts, call, following, control, bell)) {
      if (cutAfter === Infinity) {
        yield piece;
        continue;
      }
      const bytes = Buffer.from(piece);
      yield bytes.subarray(0, cutAfter);
      if (bytes.length >= cutAfter) throw new BrokenOff('cut');
      cutAfter -= bytes.length;
    }
  }
  return { stream, body: body() };
}

interface Control {
  /** What to do next, and after which record. */
  next(): { end: number; first: Order | undefined; isHeld: boolean };
  done(): void;
  closed(): void;
}

interface Bell {
  readonly ring: () => void;
  /** Resolves at the next ring or after `ms`; a ring while nothing waits is remembered. */
  readonly wait: (ms: number) => Promise<void>;
}

function createBell({ clock }: Parts): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async wait(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const cancel = clock.setTimer(resolve, ms);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
      rung = false;
      wake = undefined;
    },
  };
}

/** The text of a stream, with the faults of its pages applied. */
async function* events(
  parts: Parts,
  { key, body, signal, requestId, fault: asked }: Call,
  following: Following,
  control: Control,
  bell: Bell,
): AsyncGenerator<string> {
  const { keys, store, journal, clock, unkind, on } = parts;
  const request = body as LogTailRequest;
  const stopListening = [store.onDidAppend(bell.ring), keys.onDidChange(bell.ring)];
  const started = clock.monotonic();
  const heartbeat = parts.heartbeatSeconds > 0 ? parts.heartbeatSeconds * 1000 : Infinity;
  let lastSent = started;
  let pages = 0;
  let lastCursor = request.cursor;
  let fault = asked;
  /** The fault of this page, once. */
  const due = (): Fault | undefined => {
    if (fault === undefined) return undefined;
    if (pages < ('afterPages' in fault ? (fault.afterPages ?? 0) : 0)) return undefined;
    const now = fault;
    fault = undefined;
    return now;
  };

  try {
    for (;;) {
      const life = started + parts.streamSeconds * 1000 - clock.monotonic();
      if (signal.aborted || life <= 0) return;
      applyToKey(parts, key.name, fault, due);
      if (keys.find(key.value) !== key) throw new Failure(401, 'The API key was revoked.');
      if (!key.permissions.has('logs.read')) {
        throw new Failure(403, 'The API key lacks the permission logs.read.');
      }

      const { end, first, isHeld } = control.next();
      if (!isHeld) {
        const limit = unkind.streamPage ?? pageRecords;
        const { records, behind } = following.next(limit, scanRecords, end);
        if (records.length > 0) {
          const page = on.page(following.page(records), request);
          journal.gave(records);
          const cursor = page.followCursor;
          yield* pageEvents(page, due(), lastCursor, (one) => unkindly(one, unkind));
          lastCursor = cursor;
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
        control.done();
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
      await bell.wait(Math.max(1, Math.min(life, lastSent + heartbeat - now, 2 ** 31 - 1)));
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const problem = errorObject(requestId, error.code, error.message);
    yield event('error', JSON.stringify(unkindly(problem, unkind)));
  } finally {
    control.closed();
    stopListening.forEach((stop) => stop());
  }
}

/** The faults that apply before a page. */
function applyToKey(
  { keys }: Parts,
  name: string,
  fault: Fault | undefined,
  due: () => Fault | undefined,
): void {
  if (
    fault?.kind !== 'revokeKey' &&
    fault?.kind !== 'accessRevision' &&
    fault?.kind !== 'errorEvent'
  ) {
    return;
  }
  const now = due();
  if (now?.kind === 'revokeKey') keys.revoke(name);
  if (now?.kind === 'accessRevision') keys.change(name);
  if (now?.kind === 'errorEvent') {
    throw new Failure(now.status, now.message, now.code ?? codeOf(now.status));
  }
}

function* pageEvents(
  page: LogPage,
  fault: Fault | undefined,
  lastCursor: string | undefined,
  changed: (page: LogPage) => object,
): Generator<string> {
  const records = (one: LogPage): string => event('records', JSON.stringify(changed(one)));
  switch (fault?.kind) {
    case 'malformedJson': {
      const text = JSON.stringify(page);
      yield event('records', text.slice(0, -1 - Math.floor(text.length / 3)));
      return;
    }
    case 'wrongSchema':
      yield event('records', JSON.stringify({ ...page, records: {}, followCursor: undefined }));
      return;
    case 'duplicatePage':
      yield records(page);
      yield records(page);
      return;
    case 'sameCursor':
      yield records({ ...page, followCursor: lastCursor ?? page.followCursor });
      return;
    case 'partial':
      yield records({ ...page, partial: true });
      return;
    default:
      yield records(page);
  }
}
