import * as v from 'valibot';
import * as vscode from 'vscode';
import { readStored, StoredValue } from '../../../base/storedValue';
import type { LogRecord } from '../../../api/types';
import { systemClock } from '../../../vscode/clock';
import { describe } from '../../../vscode/errorMessages';
import { showFailure } from '../../../vscode/notifications';
import { onDidChangeSettings, logTimeZone } from '../../../vscode/settings';
import { searchTime } from '../../query/ui/readSearch';
import { builderFields, builderOperators } from '../builderCondition';
import { createTimeCounter, histogramOf } from '../histogram';
import { pageHtml } from '../protocol/html';
import type { Handlers, Request } from '../protocol/messages';
import type { SavedPageState } from '../protocol/pageState';
import { PageChannel, PageError } from '../protocol/pageChannel';
import { keyOf } from '../recordRows';
import type { ExplorerState } from '../explorerState';
import type { ExplorerListener } from '../session';
import { createLayoutRequests } from './listLayout';
import { createPatternRequests } from './patternRequests';
import { createQueryHistory } from './queryHistory';
import type { RecordAction } from './recordDetails';
import { createHandlers, type RequestServices } from './pageRequests';
import { pageStrings } from './pageStrings';
import { viewModel } from './viewModel';

const folder = 'dist/logExplorer';

/** The options of the panel. */
export const panelOptions: vscode.WebviewPanelOptions = {
  retainContextWhenHidden: true,
  // The page finds text in all rows; VS Code would find it only in those on the screen.
  enableFindWidget: false,
};

/** The page can run only its own script and load only its own files. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, folder)],
  };
}

function documentOf(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const uri = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, folder, file)).toString();
  return pageHtml({
    script: uri('page.js'),
    style: uri('page.css'),
    icons: uri('codicon.css'),
    cspSource: webview.cspSource,
    nonce: newNonce(),
    // Without a translation all texts are English.
    language: vscode.l10n.bundle === undefined ? 'en' : vscode.env.language,
    title: vscode.l10n.t('Log Explorer'),
  });
}

function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface PanelServices extends RequestServices {
  readonly workspaceState: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  /** Called with every state of the search. */
  readonly noteState: (state: ExplorerState) => void;
  readonly savedPageState: SavedPageState;
  /** The query that a panel starts with. */
  readonly firstQuery: () => string;
}

/** Where it is stored whether the histogram is folded. */
const foldedKey = 'logExplorer.isHistogramFolded';

/** How many of the newest records to learn values from, for completions. */
const learnt = 500;

/** An open panel. */
export interface PanelController {
  reveal(): void;
  /** Runs the first query if nothing was searched for yet. */
  start(): void;
  /** Shows a query in the query bar, and runs it if asked to. */
  show(query: string, run: boolean): void;
  /** Acts on a record that it shows. @throws Error with a message for the user. */
  act(action: RecordAction, key: string): unknown;
  /** A record that it shows; without a key, the one whose details were opened last. */
  recordOf(key?: string): LogRecord | undefined;
  dispose(): void;
}

/** Handles a request. @throws what its handler throws. */
function handle(handlers: Handlers, request: Request): unknown {
  // The handler of the kind takes its request; TypeScript cannot know that.
  const handler = handlers[request.kind] as (request: Request) => unknown;
  return handler(request);
}

function pageErrorText({ kind, cause }: PageError): string {
  return kind === 'invalidMessage'
    ? vscode.l10n.t(
        'The Log Explorer does not understand its own page. Close it and open it again.',
      )
    : vscode.l10n.t('A part of the logs cannot be shown: {0}', describe(cause));
}

/** @param onClose called once when it closes, for whatever reason. */
export function createPanelController(
  panel: vscode.WebviewPanel,
  services: PanelServices,
  onClose: () => void,
): PanelController {
  const { session, memory, names, diagnostics, extensionUri, workspaceState } = services;
  const counter = createTimeCounter();
  const folded = new StoredValue(workspaceState, foldedKey, (isFolded) =>
    readStored(v.boolean(), isFolded),
  );
  const layouts = createLayoutRequests(services, {
    onNewColumns: () => updateRows(),
    onPick: () => rpc.layoutChanged(),
  });
  const updateRows = (): void => {
    layouts.update();
    rpc.updated(patterns.filter.records);
  };

  const listener: ExplorerListener = {
    onDidChange(state) {
      services.noteState(state);
      rpc.viewChanged();
    },
    onDidReplace(records) {
      learn(records.slice(-learnt));
      counter.replaced(records);
      const { context, search } = explorer.state;
      patterns.filter.replaced(records, context ?? search);
      layouts.update();
      rpc.replaced(patterns.filter.records);
    },
    onDidAdd(change, records, dropped) {
      learn(records.slice(-learnt));
      counter.added(records, dropped, explorer.records);
      const shown = patterns.filter.added(change, records, dropped, explorer.records);
      if (shown === undefined) rpc.replaced(patterns.filter.records);
      else rpc.added(change, shown.added, shown.dropped);
      // The time zone of the workspace may be another one now.
      if (layouts.timeZone !== logTimeZone(session)) updateRows();
    },
  };
  const learn: typeof memory.learn = (records) => {
    memory.learn(records);
    for (const { workloadId, workloadName } of records) {
      names.learn('workload', workloadId, workloadName);
    }
  };
  const history = createQueryHistory(services, listener);
  const { explorer } = history;

  /** The key of the record whose details were opened last. */
  let selected: string | undefined;
  const own = createHandlers(
    services,
    history,
    () => patterns.filter.records,
    (query) => rpc.showQuery(query),
  );
  const patterns = createPatternRequests(services, history, own.edit, () => {
    rpc.replaced(patterns.filter.records);
  });
  const handlers: Handlers = {
    ...own,
    ...patterns.handlers,
    ...layouts.handlers,
    foldHistogram({ isFolded }) {
      void folded.set(isFolded);
    },
    details(request) {
      selected = request.key;
      return own.details(request);
    },
    async parse(request) {
      const model = await own.parse(request);
      // A query with errors does not run.
      if (request.run === true && model.errors.length === 0) services.savedPageState.remember();
      return model;
    },
    run(request) {
      services.savedPageState.remember();
      return own.run(request);
    },
  };
  const rpc = new PageChannel(
    {
      start: () => ({
        kind: 'start',
        strings: pageStrings(),
        locale: vscode.env.language,
        isFolded: folded.value === true,
        layout: layouts.layout,
        fields: builderFields,
        operators: builderOperators,
      }),
      view() {
        const { state, records } = explorer;
        const timeZone = logTimeZone(session);
        return viewModel(state, {
          session: session.state.kind,
          serverNow: searchTime(session).now,
          query: history.query,
          previous: history.previous,
          canGoBack: history.canGoBack,
          focus: history.focus,
          records,
          shown: patterns.filter.records.length,
          timeZone,
          histogram: histogramOf(counter, state, timeZone),
          now: systemClock.monotonic(),
        });
      },
      layout: () => layouts.layout,
      epoch: () => explorer.state.epoch,
      records: () => patterns.filter.records,
      rowOf: (record) => layouts.rowOf(record),
      handle: (request) => handle(handlers, request),
      describe: (error) => (error instanceof PageError ? pageErrorText(error) : describe(error)),
      warn: (error) => diagnostics.warn(`${error.message}. ${describe(error.cause ?? '')}`),
    },
    (message) => panel.webview.postMessage(message),
    systemClock,
  );

  // Updates the seconds of a wait and the histogram.
  const ticker = setInterval(() => {
    if (explorer.state.following !== undefined) rpc.viewChanged();
  }, 1000);

  async function run(how: 'run' | 'start', query: string): Promise<void> {
    await session.ready;
    // The page shows how to connect.
    if (session.state.kind !== 'signedIn') return;
    try {
      await history[how](query);
    } catch (error) {
      if (isClosed) return;
      void showFailure(diagnostics, vscode.l10n.t('Could not search the logs.'), error);
    }
  }

  const start = (): void => {
    if (session.state.kind !== 'signedIn' || explorer.state.search !== undefined) return;
    const query = services.firstQuery();
    services.savedPageState.remember();
    rpc.showQuery(query);
    void run('start', query);
  };

  const subscriptions = vscode.Disposable.from(
    panel.webview.onDidReceiveMessage((message: unknown) => rpc.receive(message)),
    session.onDidChange((change) => {
      if (change === 'key') explorer.keyChanged();
      else {
        // The records of the earlier connection or key are gone.
        history.clear();
        if (change === 'connection') {
          rpc.layoutChanged();
          rpc.showQuery('', true);
        }
        // A connection of the settings gets its key only later; without one, nothing starts.
        start();
      }
      rpc.viewChanged();
    }),
    ...['logs.timeZone', 'logs.bodies'].map((setting) => onDidChangeSettings(setting, updateRows)),
    panel.onDidDispose(() => close()),
  );
  let isClosed = false;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    clearInterval(ticker);
    subscriptions.dispose();
    rpc.dispose();
    history.dispose();
    onClose();
  };

  panel.iconPath = {
    light: vscode.Uri.joinPath(extensionUri, 'media/log-explorer-light.svg'),
    dark: vscode.Uri.joinPath(extensionUri, 'media/log-explorer-dark.svg'),
  };
  panel.webview.html = documentOf(panel.webview, extensionUri);

  return {
    reveal: () => panel.reveal(),
    start: () => void session.ready.then(start),
    show(query, isToRun) {
      services.savedPageState.remember();
      rpc.showQuery(query);
      if (isToRun) void run('run', query);
    },
    act: (kind, key) => handle(handlers, { kind, key }),
    recordOf: (key = selected) => explorer.records.find((one) => keyOf(one) === key),
    dispose() {
      close();
      panel.dispose();
    },
  };
}
