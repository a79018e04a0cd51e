import * as vscode from 'vscode';
import { isAccessLost } from '../../../api/errors';
import type { LogRecord } from '../../../api/types';
import { onAbort } from '../../../base/clock';
import { Emitter } from '../../../base/event';
import type { SessionChange } from '../../../connection/session';
import { promptToConnect, type Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { pauseEvery, systemClock } from '../../../vscode/systemClock';
import { commands, schemes } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { describe, UserError } from '../../../vscode/errorMessages';
import { hasChat } from '../../../vscode/extensionHost';
import { ReadonlyDocuments } from '../../../vscode/readonlyDocuments';
import { logSettings } from '../../../vscode/settings';
import { commitOf } from '../../errors/deployedCode';
import { PlaceFinder } from '../../errors/errorPlaces';
import { placeFinder } from '../../errors/ui/workspaceErrors';
import type { MarkedFiles } from '../../errors/ui/markedFiles';
import { unambiguousNames } from '../../query/searchQuery';
import { queryNames } from '../../query/ui/readSearch';
import { searchTextOf } from '../../record/patterns';
import { lookBudget, type SourceFiles } from '../../record/ui/sourceFiles';
import {
  type ComparedPlace,
  comparedPlaces,
  type ComparedSpot,
  type ComparedPair,
  queryOfSide,
  type Compared,
  Comparison,
} from '../comparison';
import { applyEdit } from '../editQuery';
import { createProgressReporter, type LoadState } from '../liveSearch';
import type { PatternChange } from '../patternChanges';
import {
  type ComparisonHandlers,
  type ComparisonRequest,
  type ComparisonView,
  readComparisonMessage,
  type SideName,
  type ToComparison,
} from '../protocol/comparisonMessages';
import { PageError, PageMessages } from '../protocol/pageMessages';
import { rowKey } from '../recordRows';
import { comparisonText, apartRows, comparisonView, type ComparisonWords } from './comparisonView';
import type { LogExplorer } from './logExplorer';
import { pageStrings } from './pageStrings';
import { openBeside } from './recordDetails';
import { copyComparisonLink } from './searchLinks';

const { t } = vscode.l10n;

export interface ComparisonServices {
  readonly session: Session;
  readonly names: Names;
  readonly data: ConnectionData;
  readonly files: SourceFiles;
  readonly marked: MarkedFiles;
  readonly explorer: LogExplorer;
  readonly diagnostics: Diagnostics;
  readonly extensionUri: vscode.Uri;
}

/** For how many patterns lines of the workspace are looked for. */
const mostPlaced = 100;

/** What is shown: for the chat. */
export interface ShownComparison {
  readonly pair: ComparedPair;
  readonly result: Compared;
}

/** The open panel of a comparison: reads it, shows it in its page, and does what the page asks for. */
export class ComparisonPanel {
  private readonly channel: PageMessages<ComparisonRequest, ToComparison>;
  private readonly texts = new ReadonlyDocuments(schemes.comparisons, () =>
    t('This comparison is no longer available.'),
  );
  private readonly subscriptions: vscode.Disposable;
  private comparison: Comparison | undefined;
  private pair: ComparedPair | undefined;
  private places: ReadonlyMap<string, readonly ComparedPlace[]> = new Map();
  private reading: AbortController | undefined;
  private loading: LoadState | undefined;
  private failure: unknown;
  private epoch = 0;
  private canAsk = false;
  private isClosed = false;
  private readonly closed = new Emitter<void>();
  private readonly handlers: ComparisonHandlers = {
    choose: () => vscode.commands.executeCommand(commands.compareLogs, this.chosenFrom()),
    read: () => this.read(),
    cancel: () => {
      this.reading?.abort();
      this.reading = undefined;
      this.loading = undefined;
      this.channel.viewChanged();
    },
    records: ({ side, key }) => this.showRecords(side, key),
    apart: ({ key }) => this.apartOf(key),
    openCode: ({ key }) => this.openCode(this.changeOf(key)),
    openAsText: () => this.openAsText(),
    copyLink: () =>
      copyComparisonLink(this.services.session, this.services.names, this.comparedPair()),
    askChat: () => vscode.commands.executeCommand(commands.askChatAboutComparison),
    help: ({ action }) =>
      action === 'connect' ? promptToConnect() : this.services.diagnostics.show(),
  };

  /** Fires once when it closes, for whatever reason. */
  readonly onDidClose = this.closed.event;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly services: ComparisonServices,
  ) {
    const { session, diagnostics, data } = services;
    const { webview } = panel;
    this.channel = new PageMessages<ComparisonRequest, ToComparison>(
      {
        start: () => ({ kind: 'start', strings: pageStrings(), locale: vscode.env.language }),
        shown: () => ({ kind: 'view', view: this.view() }),
        read: readComparisonMessage,
        handlers: () => this.handlers,
        describe: (error) => (error instanceof PageError ? pageErrorText(error) : describe(error)),
        warn: (error) => diagnostics.error(t('Log Comparison'), error),
      },
      (message) => webview.postMessage(message),
      systemClock,
    );
    this.subscriptions = vscode.Disposable.from(
      this.texts,
      webview.onDidReceiveMessage((message: unknown) => this.channel.receive(message)),
      session.onDidChange((change) => this.sessionChanged(change)),
      data.onDidChange(() => this.channel.viewChanged()),
      panel.onDidDispose(() => this.close()),
    );
    void hasChat().then((has) => {
      this.canAsk = has;
      this.channel.viewChanged();
    });
  }

  /** What is shown, once it was read. */
  get shown(): ShownComparison | undefined {
    const { pair, comparison } = this;
    const result = comparison?.result;
    return pair && result && { pair, result };
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Compares something else. Resolves when it was read, or could not be. */
  async compare(pair: ComparedPair): Promise<void> {
    this.drop();
    this.pair = pair;
    await this.read();
  }

  /** The newest record of a shown pattern, by its key. */
  recordOf(key: string): LogRecord | undefined {
    const records = this.comparison?.result?.changes.map(newestOf) ?? [];
    return records.find((record) => record !== undefined && rowKey(record) === key);
  }

  dispose(): void {
    this.close();
    this.panel.dispose();
  }

  private close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.drop();
    this.subscriptions.dispose();
    this.channel.dispose();
    this.closed.fire();
  }

  /** Removes all that was read. */
  private drop(): void {
    this.reading?.abort();
    this.reading = undefined;
    this.loading = undefined;
    this.failure = undefined;
    this.comparison = undefined;
    this.places = new Map();
    this.texts.clear();
    this.epoch++;
    this.channel.viewChanged();
  }

  private sessionChanged(change: SessionChange): void {
    this.drop();
    // Another control plane does not know these apps.
    if (change === 'connection' || change === 'forgotten') this.pair = undefined;
    else if (this.services.session.signedIn !== undefined) void this.read();
  }

  private async read(): Promise<void> {
    const { session } = this.services;
    const { pair } = this;
    await session.ready;
    const { signedIn } = session;
    if (pair === undefined || pair !== this.pair || signedIn === undefined) return;
    if (this.reading !== undefined) return;
    const reading = (this.reading = new AbortController());
    const release = onAbort(signedIn.signal, () => reading.abort(signedIn.signal.reason));
    const isMine = (): boolean => this.reading === reading;
    this.comparison ??= new Comparison(signedIn.client, pair, pauseEvery(), logSettings());
    this.failure = undefined;
    this.loading = { records: 0, wait: undefined };
    this.channel.viewChanged();
    const { onProgress, onWait } = createProgressReporter((state) => {
      if (!isMine()) return;
      this.loading = state;
      this.channel.viewChanged();
    });
    try {
      const result = await this.comparison.read({
        signal: reading.signal,
        onRecords: (records) => onProgress({ records }),
        onWait,
      });
      if (!isMine()) return;
      this.loading = undefined;
      this.channel.viewChanged();
      const places = await this.placesOf(result, reading.signal);
      if (isMine()) this.places = places;
    } catch (error) {
      if (!isMine() || reading.signal.aborted) return;
      // What the key may not read must no longer be shown.
      if (isAccessLost(error)) this.drop();
      this.failure = error;
      this.services.diagnostics.error(t('Log Comparison'), error);
    } finally {
      release();
      if (isMine()) {
        this.reading = undefined;
        this.loading = undefined;
      }
      this.channel.viewChanged();
    }
  }

  /** The lines of the workspace that patterns point at. */
  private async placesOf(
    { changes }: Compared,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly ComparedPlace[]>> {
    const { files, marked, data } = this.services;
    const finder = new PlaceFinder(placeFinder(files));
    const budget = lookBudget();
    const spots = new Map<string, readonly ComparedSpot[]>();
    for (const change of changes.slice(0, mostPlaced)) {
      const record = newestOf(change);
      if (record === undefined) continue;
      const { deploymentId, workloadId } = record;
      const places = await finder.of(record, budget);
      signal.throwIfAborted();
      const those = places.map(({ file, line }) => ({ file, line, deploymentId, workloadId }));
      if (those.length > 0) spots.set(change.key, those);
    }
    return comparedPlaces(spots, {
      commitOf: (spot) => commitOf(data.store, spot),
      mappingOf: (file, sha) => marked.mappingOf(file, sha),
      pathOf: (file) => vscode.workspace.asRelativePath(vscode.Uri.parse(file)),
      t,
      signal,
    });
  }

  private get words(): ComparisonWords {
    const { names, data } = this.services;
    // Also those of several, such as a commit that several apps run: it is what people know them by.
    return { nameOf: (kind, id) => names.nameOf(kind, id), timeFormat: data.context.timeFormat };
  }

  private view(): ComparisonView {
    const { pair, comparison, loading, failure, places, epoch } = this;
    return comparisonView(
      {
        session: this.services.session.state.kind,
        pair,
        loading,
        failure,
        places,
        epoch,
        result: comparison?.result,
        canRead: comparison?.canRead === true,
        hasChat: this.canAsk,
      },
      this.words,
    );
  }

  private chosenFrom(): { readonly query: string } | undefined {
    return this.pair && { query: queryOfSide(this.pair.now) };
  }

  /** @throws UserError if nothing is compared. */
  private comparedPair(): ComparedPair {
    if (this.pair === undefined) throw new UserError(t('Nothing is compared yet.'));
    return this.pair;
  }

  /** @throws UserError if the pattern is gone. */
  private changeOf(key: string): PatternChange {
    const change = this.comparison?.result?.changes.find((one) => one.key === key);
    if (change === undefined) throw new UserError(t('This pattern is no longer shown.'));
    return change;
  }

  private showRecords(side: SideName, key: string | undefined): void {
    const { session, names, explorer } = this.services;
    const nameOf = unambiguousNames(names);
    let query = queryOfSide(this.comparedPair()[side], nameOf);
    if (key !== undefined) {
      const change = this.changeOf(key);
      const record = change[side].last ?? newestOf(change);
      const value = record && searchTextOf(change.template, record);
      if (value !== undefined) {
        const edited = applyEdit(query, { kind: 'search', value }, queryNames(session, names));
        // The query may have a text of its own: then all records of the side are shown.
        if (edited.ok) query = edited.text;
      }
    }
    explorer.open(query);
  }

  private async apartOf(key: string): Promise<ReturnType<typeof apartRows>> {
    const { comparison } = this;
    this.changeOf(key);
    const apart = (await comparison?.apartOf(key)) ?? [];
    // The records may be gone by now.
    return comparison === this.comparison ? apartRows(apart, this.words) : [];
  }

  private async openCode(change: PatternChange): Promise<void> {
    const [place] = this.places.get(change.key) ?? [];
    const record = newestOf(change);
    if (place !== undefined) await openBeside(vscode.Uri.parse(place.file), place);
    else if (record !== undefined) {
      const recordKey = rowKey(record);
      await vscode.commands.executeCommand(commands.goToLogStatement, { recordKey });
    }
  }

  private async openAsText(): Promise<void> {
    const { shown } = this;
    if (shown === undefined) throw new UserError(t('Nothing is compared yet.'));
    const lifetime = this.services.session.signedIn?.signal;
    const text = comparisonText(shown.pair, shown.result, this.places, this.words);
    await this.texts.show(`${t('Log Comparison')}.txt`, text, lifetime);
  }
}

function newestOf({ now, before }: PatternChange): LogRecord | undefined {
  return now.last ?? before.last;
}

function pageErrorText({ kind, cause }: PageError): string {
  return kind === 'invalidMessage'
    ? t('The page is out of date. Close it and open it again.')
    : t('A part of the comparison cannot be shown: {0}', describe(cause));
}
