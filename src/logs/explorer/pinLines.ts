import type { ControlPlaneClient } from '../../api/client';
import { fetchPages } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import type { Translate } from '../../base/textFormat';
import type { TimeFormat } from '../../base/timeFormat';
import type { LogLine } from '../record/logLine';
import { type Pin, pinKey } from './pins';

/** How many records of one millisecond of a container are looked at. */
const mostOfMoment = 1000;

/**
 * Reads a pinned record again; undefined if the control plane does not have it any more, or does not let
 * the key read it.
 *
 * @throws what the client throws, and the signal's reason.
 */
export async function loadPinned(
  client: Pick<ControlPlaneClient, 'queryLogs'>,
  pin: Pin,
  signal: AbortSignal,
): Promise<LogRecord | undefined> {
  const at = Date.parse(pin.timestamp);
  const filters = {
    containerIds: [pin.containerId],
    from: new Date(at).toISOString(),
    to: new Date(at + 1).toISOString(),
  };
  const { records } = await fetchPages({
    client,
    start: { filters, direction: 'older' },
    target: mostOfMoment,
    signal,
    priority: 'person',
  });
  return records.find((record) => pinKey(record) === pinKey(pin));
}

/** A pin with its record; undefined if that is gone. */
export type ReadPin = readonly [pin: Pin, record: LogRecord | undefined];

/** Pinned records as lines for a report: in the order of time, with the time between them and their notes. */
export function pinLines(
  read: readonly ReadPin[],
  time: Pick<TimeFormat, 'duration'>,
  t: Translate,
): readonly LogLine[] {
  let before = NaN;
  return read.flatMap(([pin, record]) => {
    const { timestamp, source, note } = pin;
    const at = Date.parse(timestamp);
    const gap = at > before ? time.duration(at - before) : undefined;
    before = at;
    const line = (text: string, level: 'info' | 'warning' = 'info'): LogLine => ({
      timestamp,
      level,
      text,
    });
    return [
      ...(gap === undefined ? [] : [line(t('{0} later', gap))]),
      record ??
        line(
          t(
            'This record of {0} was not found. It may be deleted, or the API key may not read it.',
            source,
          ),
          'warning',
        ),
      ...(note === '' ? [] : [line(t('Note: {0}', note))]),
    ];
  });
}
