import type { RowsMessage } from '../../../../src/logs/explorer/protocol/messages';
import type { LogRow } from '../../../../src/logs/explorer/protocol/view';

/** Rows with the keys `<from>` to `<from + count - 1>`. */
export function rows(from: number, count: number, rest: Partial<LogRow> = {}): LogRow[] {
  return Array.from({ length: count }, (_, n) => ({
    key: String(from + n),
    at: (from + n) * 1000,
    time: `12:00:${from + n}`,
    severity: 'info',
    workload: 'web-api',
    body: `body ${from + n}`,
    hasContext: true,
    ...rest,
  }));
}

/** A message with rows, of epoch 1. */
export function message(
  change: RowsMessage['change'],
  of: readonly LogRow[],
  rest: Partial<RowsMessage> = {},
): RowsMessage {
  return { kind: 'rows', epoch: 1, change, rows: [...of], dropped: 0, ...rest };
}
