import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Direction } from '../../../api/cursors';
import type { LogRecord } from '../../../api/types';
import { Emitter } from '../../../base/event';
import { readStored, StoredValue } from '../../../base/storedValue';
import type { SessionChange } from '../../../connection/session';
import { systemClock } from '../../../vscode/systemClock';
import { contextKey } from '../../../vscode/commands';
import { contextKeys } from '../../../vscode/contributions';
import { describe } from '../../../vscode/errorMessages';
import { showFailure } from '../../../vscode/notifications';
import { logSettings, logTimeZone, onDidChangeSettings, tailAhead } from '../../../vscode/settings';
import { type SearchQuery } from '../../query/searchQuery';
import { readSearch, searchTime } from '../../query/ui/readSearch';
import { type EntryChange, EntryList } from '../entryList';
import { builderFields, builderOperators } from '../editQuery';
import { type ExplorerEvent, ExplorerModel } from '../explorerModel';
import type { ExplorerState } from '../explorerState';
import { DeploymentMarks, histogramOf, TimeCounter } from '../histogram';
import {
  handleMessage,
  type Handlers,
  type Request,
  type StartMessage,
} from '../protocol/messages';
import { type Pin, PinnedRecords, type Pins } from '../pins';
import { PageChannel } from '../protocol/pageChannel';
import { PageError, type SavedPageState } from '../protocol/pageMessages';
import type { HistogramData, View } from '../protocol/view';
import { rowKey } from '../recordRows';
import type { RecordPlace } from '../recordsAround';
import { createLayoutRequests } from './listLayout';
import { pageStrings } from './pageStrings';
import { createPatternRequests } from './patternRequests';
import { deploymentMark, pageView } from './pageView';
import { createHandlers, type RequestServices } from './pageRequests';

const { t } = vscode.l10n;

export interface PanelServices extends RequestServices {
  readonly pins: Pins;
  readonly workspaceState: vscode.Memento;
}

/** What the menu of a row asks for, like its page. */
export type RecordAction = 'trace' | 'context' | 'copyLine' | 'copyJson';

/** Where it is stored whether the histogram is folded. */
const foldedKey = 'logExplorer.isHistogramFolded';

/** How many of the newest records to remember values of, for completions. */
const rememberedAtOnce = 500;

/** The open panel of the Log Explorer: shows a model in its page, and does what the page asks for. */
export class ExplorerPanel {
  private readonly model: ExplorerModel;
  private readonly channel: PageChannel;
  private readonly counter = new TimeCounter(() => logSettings().severity);
  private readonly list = new EntryList(() => logSettings().joinLines);
  private readonly pinned: PinnedRecords;
  private readonly deployments: DeploymentMarks;
  private readonly folded: StoredValue<boolean>;
  private readonly layouts: ReturnType<typeof createLayoutRequests>;
  private readonly patterns: ReturnType<typeof createPatternRequests>;
  private readonly handlers: Handlers;
  private readonly subscriptions: vscode.Disposable;
  /** The key of the record whose details were opened last. */
  private selected: string | undefined;
  /** Counts searches: one may start while the names of another are looked up. */
  private asked = 0;
  private isClosed = false;
  /** Completes a step of the walkthrough. */
  private readonly setSearched = contextKey(contextKeys.searched);
  private readonly closed = new Emitter<void>();

  /** Fires once when it closes, for whatever reason. */
  readonly onDidClose = this.closed.event;

  /** @param firstQuery the query that it starts with. */
  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly services: PanelServices,
    private readonly savedPageState: Pick<SavedPageState<unknown>, 'remember'>,
    private readonly firstQuery: () => string,
  ) {
    const { session } = services;
    const { webview } = panel;
    this.folded = new StoredValue(services.workspaceState, foldedKey, (isFolded) =>
      readStored(v.boolean(), isFolded),
    );
    this.deployments = new DeploymentMarks(services.data.store, systemClock);
    this.model = new ExplorerModel(
      () => session.signedIn,
      () => searchTime(session),
      { clock: systemClock, ahead: tailAhead, random: Math.random },
    );
    this.channel = new PageChannel(
      {
        start: () => this.startMessage(),
        view: () => this.view(),
        layout: () => this.layouts.layout,
        epoch: () => this.model.epoch,
        records: () => this.patterns.filter.records,
        rowOf: (record) => this.layouts.rowOf(record),
        handlers: () => this.handlers,
        describe: (error) => (error instanceof PageError ? pageErrorText(error) : describe(error)),
        warn: ({ message, cause }) =>
          services.diagnostics.warn(cause ? `${message}. ${describe(cause)}` : message),
      },
      (message) => webview.postMessage(message),
      systemClock,
    );
    this.pinned = new PinnedRecords(
      services.pins,
      () => this.model.records,
      () => this.channel.viewChanged(),
    );
    this.layouts = createLayoutRequests(
      session,
      services.names,
      services.memory,
      services.workspaceState,
      () => this.updateRows(),
      () => this.channel.layoutChanged(),
    );
    const requests = createHandlers(
      services,
      this.model,
      (text, query) => this.run(text, query),
      this.list,
      () => this.patterns.filter.records,
      (query) => this.channel.showQuery(query),
    );
    this.patterns = createPatternRequests(services.session, this.model, requests.edit, () =>
      this.channel.replaced(this.patterns.filter.records),
    );
    this.handlers = {
      ...requests,
      ...this.patterns.handlers,
      ...this.layouts.handlers,
      foldHistogram: ({ isFolded }) => this.folded.set(isFolded),
      showBars: ({ areShown }) => {
        this.deployments.show(areShown);
        this.channel.viewChanged();
      },
      details: (request) => {
        this.selected = request.key;
        return requests.details(request);
      },
    };
    // Updates the seconds of a wait and the histogram.
    const ticker = setInterval(() => {
      if (this.model.state.following !== undefined) this.channel.viewChanged();
    }, 1000);
    this.subscriptions = vscode.Disposable.from(
      this.model.onDidHappen((event) => this.modelChanged(event)),
      webview.onDidReceiveMessage((message: unknown) => this.channel.receive(message)),
      session.onDidChange((change) => this.sessionChanged(change)),
      services.data.store.onDidChange(() => this.channel.viewChanged()),
      onDidChangeSettings('logs.timeZone', () => this.updateRows()),
      onDidChangeSettings('logs.bodies', () => this.updateRows()),
      onDidChangeSettings('logs.severity', () => {
        this.counter.replaced(this.model.records);
        this.updateRows();
      }),
      onDidChangeSettings('logs.joinLines', () => this.listReplaced(this.model.state)),
      this.pinned,
      panel.onDidDispose(() => this.close()),
      { dispose: () => clearInterval(ticker) },
    );
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** The query of the results; undefined before the first search. */
  get query(): string | undefined {
    return this.model.state.search === undefined ? undefined : this.model.query;
  }

  /** Runs the first query if nothing was searched for yet. */
  async start(): Promise<void> {
    const { session } = this.services;
    await session.ready;
    if (session.state.kind !== 'signedIn' || this.model.state.search !== undefined) return;
    const query = this.firstQuery();
    this.channel.showQuery(query);
    await this.search(query, false);
  }

  /** Shows a query in the query bar, and runs it if asked to. */
  show(query: string, isToRun: boolean): void {
    this.savedPageState.remember();
    this.channel.showQuery(query);
    if (isToRun) void this.search(query, true);
  }

  /** Shows a record with those around it. */
  async showRecord(place: RecordPlace): Promise<void> {
    this.asked++;
    await this.services.session.ready;
    this.model.showRecord(place);
  }

  /** Selects a pinned record, and shows it with those around it if the list does not have it. */
  goToPin(pin: Pin): void {
    const record = this.pinned.find(pin);
    const entry = record && this.list.entryOf(record);
    if (entry === undefined || !this.patterns.filter.records.includes(entry)) {
      void this.showRecord(pin);
    } else this.channel.select(rowKey(entry));
  }

  /** Acts on a record that it shows. @throws Error with a message for the user. */
  act(kind: RecordAction, key: string): unknown {
    // The menu had the focus; not every version of VS Code gives it back to a page.
    this.panel.reveal();
    return handleMessage<Request>(this.handlers, { kind, key });
  }

  /** A record that it shows; without a key, the one whose details were opened last. */
  recordOf(key = this.selected): LogRecord | undefined {
    const record = key === undefined ? undefined : this.model.recordOf(key);
    return record && this.list.entryOf(record);
  }

  dispose(): void {
    this.close();
    this.panel.dispose();
  }

  private close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.asked++;
    this.subscriptions.dispose();
    this.channel.dispose();
    this.model.dispose();
    this.closed.fire();
  }

  /** @param isWritten whether it is a query that the user wrote. */
  private run(text: string, query: SearchQuery, isWritten = true): void {
    this.asked++;
    this.savedPageState.remember();
    this.model.run(text, query);
    if (isWritten) this.services.memory.searches.add(text);
  }

  /** Runs a query as soon as its names are known, unless another one runs meanwhile. */
  private async search(text: string, isWritten: boolean): Promise<void> {
    const { session, names, diagnostics } = this.services;
    const request = ++this.asked;
    await session.ready;
    // The page shows how to connect.
    if (session.state.kind !== 'signedIn') return;
    try {
      const query = await readSearch(text, session, names, session.signedIn);
      if (request !== this.asked) return;
      this.run(text, query, isWritten);
    } catch (error) {
      if (this.isClosed) return;
      void showFailure(diagnostics, t('Could not search the logs.'), error);
    }
  }

  private modelChanged(event: ExplorerEvent): void {
    const { channel } = this;
    switch (event.kind) {
      case 'changed':
        if (hasFirstPage(event.state)) this.setSearched(true);
        channel.viewChanged();
        return;
      case 'replaced': {
        const { records, state } = event;
        this.remember(records);
        this.pinned.replaced();
        this.counter.replaced(records);
        this.deployments.replaced(records, state.search?.filter);
        this.layouts.update();
        this.listReplaced(state);
        return;
      }
      case 'added': {
        const { direction, records, dropped, all } = event;
        this.remember(records);
        this.pinned.dropped(dropped);
        this.pinned.added(records);
        this.counter.added(records, dropped, all);
        this.deployments.added(records);
        const change = this.list.added(direction, records, dropped, all);
        if (change === undefined) this.showList(this.model.state);
        else this.showChange(direction, change);
        // The time zone of the workspace may be another one now.
        if (this.layouts.timeZone !== logTimeZone(this.services.session)) this.updateRows();
      }
    }
  }

  private listReplaced(state: ExplorerState): void {
    this.list.replaced(this.model.records);
    this.showList(state);
  }

  private showList({ context, search }: ExplorerState): void {
    const { filter } = this.patterns;
    filter.replaced(this.list.entries, context ?? search);
    this.channel.replaced(filter.records);
  }

  private showChange(direction: Direction, { added, dropped, grown }: EntryChange): void {
    const { filter } = this.patterns;
    const shown = filter.added(direction, added, dropped, this.list.entries, grown);
    if (shown === undefined) this.channel.replaced(filter.records);
    else {
      this.channel.grown(shown.grown);
      this.channel.added(direction, shown.added, shown.dropped);
    }
  }

  private sessionChanged(change: SessionChange): void {
    if (change === 'key') this.model.keyChanged();
    else {
      // The records of the earlier connection or key are gone.
      this.asked++;
      this.model.clear();
      if (change === 'connection' || change === 'forgotten') {
        this.channel.layoutChanged();
        this.channel.showQuery('', true);
      }
      // A connection of the settings gets its key only later; without one, nothing starts.
      void this.start();
    }
    this.channel.viewChanged();
  }

  private remember(records: readonly LogRecord[]): void {
    const { memory, names } = this.services;
    const newest = records.slice(-rememberedAtOnce);
    memory.remember(newest);
    for (const { workloadId, workloadName } of newest) {
      names.remember('workload', workloadId, workloadName);
    }
  }

  private updateRows(): void {
    this.layouts.update();
    this.channel.updated(this.patterns.filter.records);
  }

  private startMessage(): StartMessage {
    return {
      kind: 'start',
      strings: pageStrings(),
      locale: vscode.env.language,
      isFolded: this.folded.value,
      layout: this.layouts.layout,
      fields: builderFields,
      operators: builderOperators,
    };
  }

  private histogram(
    state: ExplorerState,
    timeZone: string,
    now: number,
  ): HistogramData | undefined {
    const data = histogramOf(this.counter, state, timeZone, now);
    if (data === undefined) return undefined;
    const range = { from: data.starts[0] ?? now, to: data.starts.at(-1) ?? now };
    const deployments = this.deployments.in(range).map((one) => deploymentMark(one, timeZone));
    return deployments.length === 0 ? data : { ...data, deployments };
  }

  private view(): View {
    const { model } = this;
    const { session } = this.services;
    const { state } = model;
    const timeZone = logTimeZone(session);
    const { now } = searchTime(session);
    return pageView(model, state, {
      session: session.state.kind,
      serverNow: now,
      isFromFolder: model.query !== '' && model.query === this.firstQuery(),
      hidden: this.patterns.filter.hidden,
      focus: model.focus && rowKey(this.list.entryOf(model.focus)),
      pins: this.pinned.all.map((record) => rowKey(this.list.entryOf(record))),
      unlikeServer: this.counter.unlikeServer,
      timeZone,
      histogram: this.histogram(state, timeZone, now),
      now: systemClock.monotonic(),
    });
  }
}

function pageErrorText({ kind, cause }: PageError): string {
  return kind === 'invalidMessage'
    ? t('The Log Explorer does not understand its own page. Close it and open it again.')
    : t('A part of the logs cannot be shown: {0}', describe(cause));
}

/** Whether the first page of a search is shown. */
function hasFirstPage({ search, loading, failure, count, older }: ExplorerState): boolean {
  const isShown = search !== undefined && failure === undefined && loading?.direction !== 'first';
  // The first page may be empty if there are no records.
  return isShown && (count > 0 || older.kind === 'reached');
}
