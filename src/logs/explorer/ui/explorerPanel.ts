import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Direction } from '../../../api/cursors';
import type { LogRecord } from '../../../api/types';
import { Emitter } from '../../../base/event';
import { readStored, StoredValue } from '../../../base/storedValue';
import { clipboardText, sanitiseJson } from '../../../base/untrustedText';
import type { SessionChange } from '../../../connection/session';
import { promptToConnect, type Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import type { ConnectionData } from '../../../data/ui/connectionData';
import type { Views } from '../../../trees/ui/views';
import { systemClock } from '../../../vscode/systemClock';
import { contextKey } from '../../../vscode/commands';
import { commands, contextKeys } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { describe, UserError } from '../../../vscode/errorMessages';
import { showFailure } from '../../../vscode/notifications';
import { logSettings, logTimeZone, onDidChangeSettings, tailAhead } from '../../../vscode/settings';
import { completionsAt } from '../../query/completion';
import { recentFor } from '../../query/remembered';
import { unambiguousNames, type SearchQuery } from '../../query/searchQuery';
import type { QueryMemory } from '../../query/ui/queryMemory';
import {
  describeQueryError,
  describeQueryErrors,
  describeUnresolved,
  fixableError,
  pastedNote,
} from '../../query/ui/queryText';
import { queryNames, readSearch, searchTime } from '../../query/ui/readSearch';
import { entryRecords } from '../../record/joinRecords';
import { createFormatter } from '../../record/logLine';
import type { SourceFiles } from '../../record/ui/sourceFiles';
import type { DetailsOptions } from '../details';
import { type EntryChange, EntryList } from '../entryList';
import {
  applyEdit,
  type EditRefusal,
  modelOf,
  type ParsedQuery,
  builderFields,
  builderOperators,
  shownRange,
} from '../editQuery';
import { type ExplorerEvent, ExplorerModel, type ShownLogs } from '../explorerModel';
import type { ExplorerState } from '../explorerState';
import { DeploymentMarks, histogramOf, TimeCounter } from '../histogram';
import {
  type Edit,
  handleMessage,
  type Handlers,
  type QueryModel,
  type Request,
  type StartMessage,
} from '../protocol/messages';
import { PageChannel } from '../protocol/pageChannel';
import { PageError, type SavedPageState } from '../protocol/pageMessages';
import type { HistogramData, View } from '../protocol/view';
import { fieldValueOf } from '../recordFields';
import { capabilitiesOf, rowKey } from '../recordRows';
import { exportShownLogs, type LogTexts } from './exportLogs';
import { createLayoutRequests } from './listLayout';
import { pageStrings } from './pageStrings';
import { createPatternRequests } from './patternRequests';
import { openFrame, type RecordAction, recordDetails, revealRow } from './recordDetails';
import { copySearchLink } from './searchLinks';
import { saveSearch } from './searchList';
import { deploymentMark, pageView } from './pageView';

const { t } = vscode.l10n;

interface RequestServices {
  readonly session: Session;
  readonly names: Names;
  readonly memory: QueryMemory;
  readonly data: ConnectionData;
  readonly views: Views;
  readonly files: SourceFiles;
  readonly texts: LogTexts;
  readonly diagnostics: Diagnostics;
}

export interface PanelServices extends RequestServices {
  readonly workspaceState: vscode.Memento;
}

/** Where it is stored whether the histogram is folded. */
const foldedKey = 'logExplorer.isHistogramFolded';

/** How many of the newest records to remember values of, for completions. */
const rememberedAtOnce = 500;

/** The open panel of the Log Explorer: shows a model in its page, and does what the page asks for. */
export class ExplorerPanel {
  private readonly model: ExplorerModel;
  private readonly channel: PageChannel;
  private readonly counter = new TimeCounter(undefined, undefined, () => logSettings().severity);
  private readonly list = new EntryList(() => logSettings().joinLines);
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
    const mine = ++this.asked;
    await session.ready;
    // The page shows how to connect.
    if (session.state.kind !== 'signedIn') return;
    try {
      const query = await readSearch(text, session, names, session.signedIn);
      if (mine !== this.asked) return;
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
        this.counter.replaced(records);
        this.deployments.replaced(records, state.search?.filter);
        this.layouts.update();
        this.listReplaced(state);
        return;
      }
      case 'added': {
        const { direction, records, dropped, all } = event;
        this.remember(records);
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

/** The requests that change only what the panel shows. */
export type PanelHandlers = Pick<
  Handlers,
  'patterns' | 'narrowPattern' | 'layOut' | 'pickColumns' | 'foldHistogram' | 'showBars'
>;

/**
 * Creates the handlers for the requests of the page, which shows the messages of errors.
 *
 * @param run runs a parsed query.
 * @param list the entries of all records.
 * @param inList the entries that the list shows: some can be hidden by their pattern.
 * @param showQuery shows a query in the query bar.
 */
export function createHandlers(
  services: RequestServices,
  explorer: ExplorerModel,
  run: (text: string, query: SearchQuery) => void,
  list: Pick<EntryList, 'entryOf'>,
  inList: () => readonly LogRecord[],
  showQuery: (text: string) => void,
): Omit<Handlers, keyof PanelHandlers> {
  const { session, names, memory, data, views, files, texts, diagnostics } = services;

  const recordOf = (key: string): LogRecord => {
    const record = explorer.recordOf(key);
    if (record === undefined) throw new UserError(t('This record is no longer shown.'));
    return record;
  };
  const entryOf = (key: string): LogRecord => list.entryOf(recordOf(key));
  const shownLogs = (): ShownLogs => {
    const logs = explorer.shownLogs;
    if (logs === undefined) throw new UserError(t('Run a search first.'));
    // The list changes while these are written.
    const records = inList().flatMap(entryRecords);
    return { ...logs, records, isAll: logs.isAll && records.length === logs.records.length };
  };
  const detailsOptions = (): DetailsOptions => ({
    timeZone: logTimeZone(session),
    filter: explorer.state.search?.filter ?? {},
    nameOf: unambiguousNames(names),
  });
  const edit = (text: string, change: Edit): QueryModel => {
    const result = applyEdit(text, change, queryNames(session, names));
    if (!result.ok) throw new UserError(refusalText(text, result.reason));
    return queryModel(parse(result.text), logTimeZone(session));
  };
  let parsed: ParsedQuery | undefined;
  /** Parses a query once: what has no names means the same when it runs. An error may be one of its time. */
  const parse = (text: string): ParsedQuery => {
    if (parsed?.text !== text || parsed.hasNames || parsed.query === undefined) {
      parsed = modelOf(text, queryNames(session, names));
    }
    return parsed;
  };
  const copy = async (text: string): Promise<void> => vscode.env.clipboard.writeText(text);

  return {
    parse({ text, run: isToRun }) {
      const parts = parse(text);
      if (isToRun === true && parts.query !== undefined) run(text, parts.query);
      return queryModel(parts, logTimeZone(session));
    },
    edit: ({ text, edit: change }) => edit(text, change),
    complete({ text, offset }) {
      const at = Math.min(offset, text.length);
      const { start, end, items } = completionsAt(text, at, memory.knowledge);
      const recent = recentFor(memory.searches.all, text);
      return { start, end, items, recent };
    },
    older: () => explorer.load('older'),
    newer: () => explorer.load('newer'),
    loadWhole: () => explorer.loadWhole(),
    cancel: () => explorer.cancel(),
    follow: () => explorer.follow(),
    pause: () => explorer.pause(),
    stop: () => explorer.stopFollowing(),
    details: ({ key }) => recordDetails(entryOf(key), detailsOptions(), files),
    copyJson({ key }) {
      const records = entryRecords(entryOf(key));
      const json = JSON.stringify(records.length === 1 ? records[0] : records, null, 2);
      return copy(sanitiseJson(json));
    },
    copyLine({ key }) {
      const { showAttributes, severity } = logSettings();
      const timeZone = logTimeZone(session);
      const format = createFormatter({ timeZone, showAttributes, severity });
      // Some programs end a record with line breaks.
      return copy(format(entryOf(key)).trimEnd());
    },
    copyValue: ({ key, field }) =>
      copy(clipboardText(fieldValueOf(recordOf(key), field)?.value ?? '')),
    narrow({ text, key, field, how }) {
      const found = fieldValueOf(recordOf(key), field);
      if (found === undefined) throw new UserError(t('The record has no value for this field.'));
      return edit(text, { kind: how, ...found });
    },
    openFrame: ({ key, frame }) => openFrame(entryOf(key), detailsOptions(), files, frame),
    async goToStatement({ key: recordKey }) {
      await vscode.commands.executeCommand(commands.goToLogStatement, { recordKey });
    },
    reveal: ({ key, what }) => revealRow(data, views, recordOf(key), what),
    trace({ key }) {
      const record = recordOf(key);
      if (!capabilitiesOf(record).hasTrace) throw new UserError(t('This record has no trace.'));
      explorer.trace(record);
      showQuery(explorer.query);
    },
    context: ({ key }) => explorer.showContext(recordOf(key)),
    back() {
      explorer.back();
      showQuery(explorer.query);
    },
    save: ({ text }) => saveSearch(session, services.diagnostics, text),
    copyLink: ({ text }) => copySearchLink(session, services.names, text),
    async compare({ text, outer: range, at }) {
      const outer = range && edit(text, { kind: 'range', range }).text;
      await vscode.commands.executeCommand(commands.compareLogs, { query: text, outer, at });
    },
    export: () => exportShownLogs(services, shownLogs()),
    openAsText: () => texts.openAsText(shownLogs()),
    async help({ action }) {
      if (action === 'diagnostics') diagnostics.show();
      else await promptToConnect();
    },
  };
}

/** The parts of a query, with messages for its errors. */
function queryModel(
  { query, hasNames, problems, unresolved, pasted, ...parts }: ParsedQuery,
  timeZone: string,
): QueryModel {
  return {
    ...parts,
    shownRange: shownRange(parts.range, timeZone),
    ...(pasted && {
      note: {
        message: pastedNote(pasted),
        fix: { label: t('Put It in Quotes'), text: pasted.quoted },
      },
    }),
    errors: [
      ...problems.map((error) => fixableError(parts.text, error)),
      ...unresolved.map(({ start, end, ...name }) => ({
        start,
        end,
        message: describeUnresolved([{ start, end, ...name }]),
      })),
    ],
  };
}

/** Why a query cannot be changed. */
function refusalText(text: string, refusal: EditRefusal): string {
  switch (refusal.kind) {
    case 'query':
      return t('Fix the query first: {0}', describeQueryErrors(text, refusal.errors));
    case 'edit':
      return refusal.errors.map(describeQueryError).join(' ');
    case 'cannotSay':
      return t('The control plane cannot combine this filter with the query.');
    case 'gone':
      return t('The query no longer contains this part.');
  }
}
