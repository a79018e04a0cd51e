import {
  type ApartRow,
  type ChangeRow,
  type ComparisonHandlers,
  type ComparisonRequest,
  type ComparisonView,
  readComparisonMessage,
  type ToComparison,
} from '../../src/logs/explorer/protocol/comparisonMessages';
import { PageMessages } from '../../src/logs/explorer/protocol/pageMessages';
import { systemClock } from '../../src/vscode/systemClock';
import { pageTexts } from '../browser/explorer/pageTexts';
import type { PanelSide } from './pageScene';

/** A panel that shows what a test says, and keeps what the page asks for. */
export class ComparisonSide implements PanelSide {
  readonly asked: ComparisonRequest[] = [];
  /** Errors of ours: none are expected. */
  readonly warnings: Error[] = [];
  /** What sets a pattern apart. */
  apartOf: (key: string) => readonly ApartRow[] = () => [];
  /** Why requests are refused. */
  refusal: string | undefined;
  private readonly channel: PageMessages<ComparisonRequest, ToComparison>;

  constructor(
    post: (message: unknown) => Promise<unknown>,
    private view: ComparisonView = comparisonWith(),
  ) {
    this.channel = new PageMessages<ComparisonRequest, ToComparison>(
      {
        start: () => ({ kind: 'start', strings: pageTexts, locale: 'en' }),
        shown: () => ({ kind: 'view', view: this.view }),
        read: readComparisonMessage,
        handlers: () => this.handlers,
        describe: (error) => (error instanceof Error ? error.message : String(error)),
        warn: (error) => this.warnings.push(error),
      },
      post,
      systemClock,
    );
  }

  receive(message: unknown): void {
    this.channel.receive(message);
  }

  show(members: Partial<ComparisonView>): void {
    this.view = comparisonWith(members);
    this.channel.viewChanged();
  }

  dispose(): void {
    this.channel.dispose();
  }

  private readonly handlers: ComparisonHandlers = {
    choose: (request) => this.keep(request),
    read: (request) => this.keep(request),
    cancel: (request) => this.keep(request),
    records: (request) => this.keep(request),
    apart: (request) => {
      this.keep(request);
      return this.apartOf(request.key);
    },
    openCode: (request) => this.keep(request),
    openAsText: (request) => this.keep(request),
    copyLink: (request) => this.keep(request),
    askChat: (request) => this.keep(request),
    help: (request) => this.keep(request),
  };

  private keep(request: ComparisonRequest): void {
    this.asked.push(request);
    if (this.refusal !== undefined) throw new Error(this.refusal);
  }
}

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

/** What the panel says of two sides with two patterns. */
export function comparisonWith(members: Partial<ComparisonView> = {}): ComparisonView {
  return {
    state: 'ready',
    epoch: 1,
    sides: {
      now: { name: 'Now', text: 'the last hour', query: 'last:1h' },
      before: { name: 'Before', text: 'the hour before', query: 'from:11:00 to:12:00' },
    },
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
