import type {
  ApartRow,
  ChangeRow,
  ComparisonRequest,
  ComparisonView,
} from '../../../../src/logs/explorer/protocol/comparisonMessages';
import type { ComparisonHost } from '../../../../media/logComparison/panel';

export const apartRow: ApartRow = {
  field: 'attr.region',
  value: 'eu-central',
  share: 0.9,
  otherShare: 0.1,
  shareText: '90 %',
  otherShareText: '10 %',
};

/** The key of the pattern of a row. */
export const keyOfRow = (template: string): string => `key of ${template}`;

export function changeRow(template: string, members: Partial<ChangeRow> = {}): ChangeRow {
  return {
    key: keyOfRow(template),
    template,
    change: 'new',
    words: 'New',
    severity: 'error',
    counts: { now: '30', before: '0' },
    times: { now: [1, 0.5], before: [0, 0] },
    ...members,
  };
}

const sides = {
  now: { name: 'Now', text: 'the last hour', query: 'last:1h' },
  before: { name: 'Before', text: 'the hour before', query: 'from:11:00 to:12:00' },
};

/** What the panel says of two sides with these patterns. */
export function shownComparison(members: Partial<ComparisonView> = {}): ComparisonView {
  return {
    state: 'ready',
    epoch: 1,
    sides,
    summary: '220 records',
    canRead: false,
    hasChat: true,
    notices: [],
    apart: [],
    rows: [changeRow('payment failed'), changeRow('cache warmed up')],
    rest: '',
    ...members,
  };
}

/** A panel that answers what sets patterns apart, and keeps what it was asked. */
export function comparisonPanel(apartOf: (key: string) => Promise<readonly ApartRow[]>) {
  const asked: ComparisonRequest[] = [];
  const ask = (kind: string, rest: object): Promise<unknown> => {
    const request = { kind, ...rest } as ComparisonRequest;
    asked.push(request);
    return request.kind === 'apart' ? apartOf(request.key) : Promise.resolve(null);
  };
  return { asked, ask: ask as ComparisonHost['ask'] };
}

/** Texts are their ids, with the values behind them. */
export const idsAsTexts = (id: string, ...values: readonly (string | number)[]): string =>
  [id, ...values].join(' ');
