import type { Clock } from '../../src/base/clock';
import { BrokenOff } from './failure';
import type { Fault } from './faults';

const encoder = new TextEncoder();

/** Waits this many milliseconds, or until the exchange ends. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const over = (): void => {
      cancel();
      signal.removeEventListener('abort', over);
      resolve();
    };
    const cancel = clock.setTimer(over, Math.min(ms, 2 ** 31 - 1));
    signal.addEventListener('abort', over);
  });
}

/** Resolves when the exchange ends. */
export function over(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

export async function* bytesOf(
  body: string | Uint8Array | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  for await (const piece of pieces) {
    yield typeof piece === 'string' ? encoder.encode(piece) : piece;
  }
}

/** Whether the fault applies before there are headers. */
export function isBeforeHeaders(
  fault: Fault | undefined,
): fault is Fault & { kind: 'reset' | 'cut' | 'stall' } {
  return (
    (fault?.kind === 'reset' || fault?.kind === 'cut' || fault?.kind === 'stall') &&
    fault.afterBytes === undefined
  );
}

/**
 * The body with the fault of the connection applied; other faults do not change it. Sends exactly
 * the bytes up to the limit; a shorter body is unchanged.
 *
 * @throws BrokenOff if the connection must break.
 */
export function underFault(
  body: AsyncIterable<Uint8Array>,
  fault: Fault | undefined,
  clock: Clock,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  switch (fault?.kind) {
    case 'trickle':
      return trickled(body, fault, clock, signal);
    case 'reset':
    case 'cut':
    case 'stall':
    case 'end':
      return ended(body, fault.kind, fault.afterBytes ?? 0, signal);
    default:
      return body;
  }
}

async function* trickled(
  body: AsyncIterable<Uint8Array>,
  { bytes, ms }: Fault & { kind: 'trickle' },
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length && !signal.aborted; at += bytes) {
      yield chunk.subarray(at, at + bytes);
      await pause(clock, ms, signal);
    }
  }
}

async function* ended(
  body: AsyncIterable<Uint8Array>,
  kind: 'reset' | 'cut' | 'end' | 'stall',
  afterBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let left = afterBytes;
  if (left > 0) {
    for await (const chunk of body) {
      yield chunk.subarray(0, left);
      left -= chunk.length;
      if (left <= 0) break;
    }
  }
  if (left > 0) return;
  if (kind === 'stall') await over(signal);
  else if (kind !== 'end') throw new BrokenOff(kind);
}
