import { type Clock, delay, onAbort } from '../../src/base/clock';
import { BrokenOff } from './failure';
import type { Fault } from './faults';

const encoder = new TextEncoder();

/** Waits this many milliseconds, or until the exchange ends. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return delay(clock, ms, signal).catch(() => undefined);
}

/** Resolves when the exchange ends. */
export function over(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onAbort(signal, resolve));
}

export async function* bytesOf(
  body: string | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of typeof body === 'string' ? [body] : body) {
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
export async function* underFault(
  body: AsyncIterable<Uint8Array>,
  fault: Fault | undefined,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (fault?.kind === 'trickle') {
    for await (const chunk of body) {
      for (let at = 0; at < chunk.length && !signal.aborted; at += fault.bytes) {
        yield chunk.subarray(at, at + fault.bytes);
        await pause(clock, fault.ms, signal);
      }
    }
  } else if (
    fault?.kind === 'reset' ||
    fault?.kind === 'cut' ||
    fault?.kind === 'stall' ||
    fault?.kind === 'end'
  ) {
    let left = fault.afterBytes ?? 0;
    if (left > 0) {
      for await (const chunk of body) {
        yield chunk.subarray(0, left);
        left -= chunk.length;
        if (left <= 0) break;
      }
    }
    if (left > 0) return;
    if (fault.kind === 'stall') await over(signal);
    else if (fault.kind !== 'end') throw new BrokenOff(fault.kind);
  } else {
    yield* body;
  }
}
