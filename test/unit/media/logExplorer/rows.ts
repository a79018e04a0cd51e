import type { RowsMessage } from '../../../../media/logExplorer/rowStore';
import type { Row } from '../../../../src/logs/explorer/panel/messages';

/** Rows with the keys `<from>` to `<from + count - 1>`. */
export function rows(from: number, count: number, rest: Partial<Row> = {}): Row[] {
  return Array.from({ length: count }, (_, n) => ({
    key: String(from + n),
    at: (from + n) * 1000,
    time: `12:00:${from + n}`,
    severity: 'info',
    workload: 'web-api',
    body: `body ${from + n}`,
    hasTrace: false,
    hasContext: true,
    ...rest,
  }));
}

/** A message with rows, of epoch 1. */
export function message(
  change: RowsMessage['change'],
  of: readonly Row[],
  rest: Partial<RowsMessage> = {},
): RowsMessage {
  return { kind: 'rows', epoch: 1, change, rows: [...of], dropped: 0, ...rest };
}
