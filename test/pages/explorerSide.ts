import type { LogRecord } from '../../src/api/types';
import {
  applyEdit,
  builderFields,
  builderOperators,
  modelOf,
  shownRange,
} from '../../src/logs/explorer/editQuery';
import { readableDetails } from '../../src/logs/explorer/details';
import { TimeCounter } from '../../src/logs/explorer/histogram';
import type { Handlers, QueryModel, Request } from '../../src/logs/explorer/protocol/messages';
import { PageChannel } from '../../src/logs/explorer/protocol/pageChannel';
import {
  defaultLayout,
  type HistogramData,
  type ListLayout,
  type View,
} from '../../src/logs/explorer/protocol/view';
import { findPatterns, RecordPatterns } from '../../src/logs/explorer/recordPatterns';
import { fieldValueOf } from '../../src/logs/explorer/recordFields';
import {
  capabilitiesOf,
  createReadColumns,
  createRowFormat,
  rowKey,
} from '../../src/logs/explorer/recordRows';
import { completionsAt } from '../../src/logs/query/completion';
import { recentFor } from '../../src/logs/query/remembered';
import { traceWaterfall } from '../../src/logs/explorer/waterfall';
import { systemClock } from '../../src/vscode/systemClock';
import { pageTexts } from '../browser/explorer/pageTexts';
import { emptyView } from '../unit/logs/explorer/emptyView';
import { sampleRecord } from '../unit/logs/sampleRecord';
import type { PanelSide } from './pageScene';

const hour = 3_600_000;

/** The parts of a record that a test is about; the others are those of a sample. */
export type RecordParts = Partial<LogRecord>;

/**
 * A panel of the Log Explorer whose searches find the records of a test at once. Queries, rows and details are those of
 * the extension; what it says besides is what the test says. It keeps what the page asks for.
 */
export class ExplorerSide implements PanelSide {
  readonly asked: Request[] = [];
  /** The queries that ran, the newest first. */
  readonly searches: string[] = [];
  /** What the panel says of the rest of the range. */
  rest: HistogramData['rest'];
  /** The deployments that the histogram marks. */
  deployments: HistogramData['deployments'];
  /** Why requests are refused. */
  refusal: string | undefined;
  private records: readonly LogRecord[] = [];
  private members: Partial<View> = {};
  private layout: ListLayout = defaultLayout;
  private epoch = 1;
  private events = 0;
  private readonly counter = new TimeCounter();
  private readonly channel: PageChannel;

  constructor(post: (message: unknown) => Promise<unknown>) {
    this.channel = new PageChannel(
      {
        start: () => ({
          kind: 'start',
          strings: pageTexts,
          locale: 'en',
          isFolded: undefined,
          layout: this.layout,
          fields: builderFields,
          operators: builderOperators,
        }),
        view: () => this.view(),
        layout: () => this.layout,
        epoch: () => this.epoch,
        records: () => this.records,
        rowOf: (record) => this.rowFormat()(record),
        handlers: () => this.handlers,
        describe: (error) => (error instanceof Error ? error.message : String(error)),
        warn: (error) => {
          throw error;
        },
      },
      post,
      systemClock,
    );
  }

  receive(message: unknown): void {
    this.channel.receive(message);
  }

  dispose(): void {
    this.channel.dispose();
  }

  /** What the panel says besides the records; stays until it says otherwise. */
  show(members: Partial<View>): void {
    this.members = { ...this.members, ...members };
    this.channel.viewChanged();
  }

  /** Searches find these records, oldest first; they are a second apart, and the newest is of now. */
  find(...found: readonly RecordParts[]): void {
    this.replace(this.recordsOf(found));
  }

  /** These records come after the newest, as they do while the page follows. */
  add(...found: readonly RecordParts[]): void {
    const records = this.recordsOf(found);
    this.records = [...this.records, ...records];
    this.counter.added(records, [], this.records);
    this.channel.added('newer', records, 0);
    this.channel.viewChanged();
  }

  /** Marks the records with these bodies as pinned. */
  pin(...bodies: readonly string[]): void {
    const pinned = this.records.filter(({ body }) => bodies.includes(body));
    this.show({ pins: pinned.map(rowKey) });
  }

  /** Selects the record with a body. */
  select(body: string): void {
    const record = this.records.find((one) => one.body === body);
    if (record !== undefined) this.channel.select(rowKey(record));
  }

  /** Shows another layout than that of the page, like the picker of columns does. */
  layOut(layout: ListLayout): void {
    this.layout = layout;
    this.channel.layoutChanged();
    this.channel.updated(this.records);
  }

  /** The requests of a kind. */
  of<Kind extends Request['kind']>(kind: Kind): Extract<Request, { readonly kind: Kind }>[] {
    return this.asked.filter(
      (request): request is Extract<Request, { readonly kind: Kind }> => request.kind === kind,
    );
  }

  private recordsOf(found: readonly RecordParts[]): readonly LogRecord[] {
    const now = Date.now();
    return found.map((parts, index) =>
      sampleRecord({
        eventId: `event-${++this.events}`,
        timestamp: new Date(now - (found.length - index) * 1000).toISOString(),
        severity: 'info',
        containerId: 'c'.repeat(64),
        ...parts,
      }),
    );
  }

  private replace(records: readonly LogRecord[]): void {
    this.records = records;
    this.counter.replaced(records);
    this.epoch++;
    this.channel.replaced(records);
  }

  private rowFormat(): ReturnType<typeof createRowFormat> {
    const fields = this.layout.columns.map(({ field }) => field);
    const style = { bodies: 'readable', severity: 'server' } as const;
    return createRowFormat('utc', style, createReadColumns(fields, 'utc'));
  }

  private view(): View {
    const { epoch, records, members } = this;
    const [query = ''] = this.searches;
    const histogram = this.histogram();
    return {
      ...emptyView,
      state: 'ready',
      epoch,
      serverNow: Date.now(),
      query,
      older: { text: 'Start of the range', canLoad: false },
      newer: { text: 'Load newer records', canLoad: true },
      summary: `${records.length} records loaded`,
      ...(histogram && { histogram }),
      ...members,
    };
  }

  /** The bars of the six hours before now. */
  private histogram(): HistogramData | undefined {
    if (this.records.length === 0) return undefined;
    const to = Date.parse(this.records.at(-1)?.timestamp ?? '');
    const counted = this.counter.count('utc', { from: to - 6 * hour, to });
    if (counted === undefined) return undefined;
    const loaded = { from: counted.starts[0] ?? 0, to: counted.starts.at(-1) ?? 0 };
    const { rest, deployments } = this;
    return {
      ...{ ...counted, timeZone: 'UTC', loaded },
      ...{ ...(rest && { rest }), ...(deployments && { deployments }) },
    };
  }

  private run(text: string): void {
    this.searches.unshift(text);
    this.replace(this.records);
  }

  private parse(text: string): QueryModel {
    const {
      query: _,
      hasNames: _names,
      problems,
      unresolved,
      pasted,
      ...parts
    } = modelOf(text, names());
    const errors = [
      ...problems.map(({ start, end, problem }) => ({ start, end, message: problem.kind })),
      ...unresolved.map(({ start, end, name }) => ({ start, end, message: name })),
    ];
    const note = pasted && {
      message: `There is no field ${pasted.fields.join()}.`,
      fix: { label: 'Put It in Quotes', text: pasted.quoted },
    };
    return { ...parts, ...(note && { note }), errors, shownRange: shownRange(parts.range, 'utc') };
  }

  private edited(text: string, edit: Parameters<typeof applyEdit>[1]): QueryModel {
    const result = applyEdit(text, edit, names());
    if (!result.ok) throw new Error(`Not possible: ${JSON.stringify(edit)}`);
    return this.parse(result.text);
  }

  private recordOf(key: string): LogRecord {
    const record = this.records.find((one) => rowKey(one) === key);
    if (record === undefined) throw new Error('This record is no longer shown.');
    return record;
  }

  private keep(request: Request): void {
    this.asked.push(request);
    if (this.refusal !== undefined) throw new Error(this.refusal);
  }

  private readonly keeps = (request: Request): void => this.keep(request);

  private readonly handlers: Handlers = {
    parse: (request) => {
      this.keep(request);
      const model = this.parse(request.text);
      if (request.run === true && model.errors.length === 0) this.run(request.text);
      return model;
    },
    edit: (request) => {
      this.keep(request);
      return this.edited(request.text, request.edit);
    },
    complete: ({ text, offset }) => ({
      ...completionsAt(text, Math.min(offset, text.length), knowledge),
      recent: recentFor(this.searches, text),
    }),
    details: (request) => {
      this.keep(request);
      const record = this.recordOf(request.key);
      const { body, ...rest } = readableDetails(record, { timeZone: 'utc', filter: {} });
      return {
        ...rest,
        facts: [['Deployment', '1111111 · 2 hr. ago']],
        // There is no workspace with the files of the frames.
        body: body.map(({ text }) => ({ text })),
        ...capabilitiesOf(record),
      };
    },
    narrow: (request) => {
      this.keep(request);
      const found = fieldValueOf(this.recordOf(request.key), request.field);
      if (found === undefined) throw new Error('There is no such value.');
      return this.edited(request.text, { kind: request.how, ...found });
    },
    layOut: (request) => {
      this.keep(request);
      this.layout = request.layout;
      this.channel.updated(this.records);
    },
    patterns: async (request) => {
      this.keep(request);
      const { records } = this;
      const pause = (): Promise<void> => Promise.resolve();
      const found = await findPatterns(records, new RecordPatterns(), pause, () => true);
      const patterns = (found ?? []).map(({ first, last, counts, ...rest }) => {
        const times = `${first.timestamp} to ${last.timestamp}`;
        return { ...rest, counts: [...counts], times, shortTimes: times, isHidden: false };
      });
      return { patterns, count: patterns.length, records: records.length };
    },
    waterfall: async (request) => {
      this.keep(request);
      const pause = (): Promise<void> => Promise.resolve();
      return (await traceWaterfall(this.records, 'server', pause, () => true)) ?? null;
    },
    narrowPattern: (request) => {
      this.keep(request);
      return { note: '' };
    },
    ...{ older: this.keeps, newer: this.keeps, loadWhole: this.keeps, cancel: this.keeps },
    ...{ follow: this.keeps, pause: this.keeps, stop: this.keeps, back: this.keeps },
    ...{ copyJson: this.keeps, copyLine: this.keeps, copyValue: this.keeps },
    ...{ openFrame: this.keeps, runCommand: this.keeps, reveal: this.keeps },
    ...{ trace: this.keeps, context: this.keeps, save: this.keeps, copyLink: this.keeps },
    ...{ compare: this.keeps, export: this.keeps, openAsText: this.keeps, help: this.keeps },
    ...{ foldHistogram: this.keeps, showBars: this.keeps, pickColumns: this.keeps },
  };
}

function names(): Parameters<typeof modelOf>[1] {
  return { when: { now: Date.now(), timeZone: 'UTC' }, resolve: () => [] };
}

/** What completions know of the workspace: nothing. */
const knowledge: Parameters<typeof completionsAt>[2] = {
  names: () => [],
  values: () => [],
  attributes: () => [],
  attributeValues: () => [],
};
