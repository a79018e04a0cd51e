import { assert } from 'chai';
import * as vscode from 'vscode';
import type { LogRecord } from '../../../src/api/types';
import type { Handlers } from '../../../src/logs/explorer/protocol/messages';
import { ExplorerModel, type ShownLogs } from '../../../src/logs/explorer/explorerModel';
import { createHandlers, type PanelHandlers } from '../../../src/logs/explorer/ui/pageRequests';
import { rowKey } from '../../../src/logs/explorer/recordRows';
import { pageView } from '../../../src/logs/explorer/ui/pageView';
import { searchTime } from '../../../src/logs/query/ui/readSearch';
import { QueryMemory } from '../../../src/logs/query/ui/queryMemory';
import type { Diagnostics } from '../../../src/vscode/diagnostics';
import { clientOptions, type Session } from '../../../src/connection/ui/session';
import { SourceFiles } from '../../../src/logs/record/ui/sourceFiles';
import { signInto, typedKey } from '../../../src/connection/session';
import { makeConnection } from '../../../src/connection/connections';
import { Names } from '../../../src/data/knownNames';
import { ConnectionData } from '../../../src/data/ui/connectionData';
import { uiPattern, uiText } from '../../host/texts';
import { systemClock } from '../../../src/vscode/systemClock';
import { covers } from '../../unit/covers';
import { startControlPlane, type RemoteControlPlane } from '../controlPlane';
import { until } from '../wait';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
// eslint-disable-next-line no-control-regex -- that is what it is about
const controls = /[\0-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;
const noRecords = uiPattern('No records between {0} and {1}.');
const hostile = 'a b"c,d [x](command:y)\u001b[31m\u202e\u009b';

/** What a page asks of its panel, with the real explorer and a control plane behind it. */
describe('requests of the page of the Log Explorer', () => {
  let controlPlane: RemoteControlPlane;
  let memory: QueryMemory;
  let data: ConnectionData;
  let explorer: ExplorerModel;
  let ask: Omit<Handlers, keyof PanelHandlers>;
  /** The records that are not hidden by their pattern; undefined: all. */
  let inList: readonly LogRecord[] | undefined;
  let opened: ShownLogs[];

  beforeEach(async () => {
    controlPlane = await startControlPlane({ live: false, historyRecords: 0 });
    const connection = makeConnection('requests', controlPlane.url);
    assert.isDefined(connection);
    const keys = typedKey(connection, controlPlane.keys['demo-full'] ?? '');
    const options = clientOptions({ request: () => undefined } as unknown as Diagnostics);
    const session = {
      state: { kind: 'signedIn', connection },
      signedIn: signInto(connection, keys, options).signedIn,
      ready: Promise.resolve(),
      timeZone: undefined,
      serverNow: () => systemClock.now(),
      onDidChange: () => new vscode.Disposable(() => undefined),
      onDidDescribe: () => new vscode.Disposable(() => undefined),
    } as unknown as Session;
    const names = new Names();
    const stored = new Map<string, unknown>();
    const workspaceState = {
      get: (key: string) => stored.get(key),
      update: (key: string, value: unknown) => Promise.resolve(stored.set(key, value)),
    } as unknown as vscode.Memento;
    memory = new QueryMemory(session, names, workspaceState);
    data = new ConnectionData(session, workspaceState);
    explorer = new ExplorerModel(
      () => session.signedIn,
      () => searchTime(session),
      { clock: systemClock, random: Math.random },
    );
    explorer.onDidHappen((event) => {
      if (event.kind !== 'changed') memory.remember(event.records);
    });
    inList = undefined;
    opened = [];
    const texts = {
      openAsText(logs: ShownLogs) {
        opened.push(logs);
        return Promise.resolve();
      },
    };
    const services = { session, names, memory, data, files: new SourceFiles(), texts };
    ask = createHandlers(
      services as never,
      explorer,
      (text, query) => {
        explorer.run(text, query);
        memory.searches.add(text);
      },
      { entryOf: (record) => record },
      () => inList ?? explorer.records,
      () => undefined,
    );
  });
  afterEach(async () => {
    explorer.dispose();
    memory.dispose();
    data.dispose();
    await controlPlane.close();
  });

  const run = (text: string) => ask.parse({ kind: 'parse', text, run: true });
  /** Searches, and waits until this many records are there. */
  async function search(query: string, count: number): Promise<readonly LogRecord[]> {
    await run(query);
    return found(count);
  }
  const found = (count: number): Promise<readonly LogRecord[]> =>
    until(
      `${count} records`,
      () =>
        explorer.state.loading === undefined &&
        explorer.records.length === count &&
        explorer.records,
    );
  /** The key of the row of a record. */
  const keyIn = (records: readonly LogRecord[], sent: LogRecord | undefined): string =>
    rowKey(records.find(({ eventId }) => eventId === sent?.eventId) ?? assert.fail('Not found.'));
  const emit = (...records: Partial<LogRecord>[]) => controlPlane.admin.emit(records);
  const view = () =>
    pageView(explorer, explorer.state, {
      session: 'signedIn',
      serverNow: 0,
      hidden: 0,
      focus: undefined,
      pins: [],
      unlikeServer: 0,
      timeZone: 'utc',
      histogram: undefined,
      now: 0,
    });
  async function refusal(act: () => unknown): Promise<string> {
    try {
      await act();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return assert.fail('It was not refused.');
  }
  const clipboard = async (act: unknown): Promise<string> => {
    await act;
    return vscode.env.clipboard.readText();
  };

  it('parse a query and offer corrections, but edit no wrong one', async () => {
    const typed = await ask.parse({ kind: 'parse', text: '-wrkload:web "wrkload"' });
    assert.deepEqual(
      typed.errors.map(({ message, fix }) => [message, fix]),
      [
        [
          uiText('There is no field {0}.', 'wrkload'),
          { label: uiText('Did you mean {0}?', 'workload'), text: '-workload:web "wrkload"' },
        ],
      ],
    );
    const pasted = await ask.parse({ kind: 'parse', text: 'std::bad_alloc last:6h' });
    assert.isEmpty(pasted.errors);
    assert.deepEqual(pasted.note, {
      message: uiText('There is no field {0}, so this is searched for as text.', 'std'),
      fix: { label: uiText('Put It in Quotes'), text: '"std::bad_alloc" last:6h' },
    });
    const unknown = await ask.parse({ kind: 'parse', text: 'workload:unknown-name' });
    assert.match(
      unknown.errors[0]?.message ?? '',
      uiPattern('No recent workload has the name {0}. You can use an ID instead.', 'unknown-name'),
    );
    assert.match(
      await refusal(() =>
        ask.edit({ kind: 'edit', text: 'severity:', edit: { kind: 'removeChip', index: 0 } }),
      ),
      uiPattern('Fix the query first: {0}'),
    );
  });

  it('return a record as it was sent, whatever it contains', async () => {
    const body = `failed\n    at total (/app/web-api/src/orders.ts:12:9)\u001b[31m\n\n`;
    const [sent] = await emit({ body, attributes: { [hostile]: hostile }, traceId: trace });
    assert.isDefined(sent);
    const key = keyIn(await search('last:1h', 1), sent);
    const details = await ask.details({ kind: 'details', key });
    const [attribute] = details.attributes;
    assert.notInclude(JSON.stringify(details), '\\u001b');
    assert.isTrue(details.hasTrace);
    const field = attribute?.field ?? '';
    const value = await clipboard(ask.copyValue({ kind: 'copyValue', key, field }));
    assert.include(value, '\\u{1b}');
    assert.notMatch(value, controls);
    const json = await clipboard(ask.copyJson({ kind: 'copyJson', key }));
    assert.deepEqual(JSON.parse(json), sent);
    assert.notMatch(json, controls);
    const line = await clipboard(ask.copyLine({ kind: 'copyLine', key }));
    assert.match(line, /\] failed\n {8}at total \S+:12:9\)$/);
    const narrowed = await ask.narrow({ kind: 'narrow', text: '', key, field, how: 'only' });
    assert.deepEqual(narrowed.errors, []);
    await search(narrowed.text, 1);
    const gone = { kind: 'copyJson', key: 'unknown' } as const;
    assert.equal(
      await refusal(() => ask.copyJson(gone)),
      uiText('This record is no longer shown.'),
    );
  });

  it(`of a record with any event id are answered ${covers('F58', 'editor')}`, async () => {
    for (const [index, eventId] of ['x'.repeat(2000), '\u202e"'].entries()) {
      const [sent] = await emit({ eventId, body: `odd ${index}` });
      const key = keyIn(await search(`"odd ${index}" last:1h`, 1), sent);
      const details = await ask.details({ kind: 'details', key });
      assert.equal(details.fields.find(({ field }) => field === 'severity')?.value, sent?.severity);
    }
  });

  it('open a source file only if it is in the workspace', async () => {
    const [sent] = await emit({ body: 'at x (/app/web-api/src/nowhere.ts:1:1)' });
    const key = keyIn(await search('last:1h', 1), sent);
    const { body } = await ask.details({ kind: 'details', key });
    assert.isEmpty(body.filter(({ frame }) => frame !== undefined));
    for (const frame of [0, 1, 99]) {
      assert.equal(
        await refusal(() => ask.openFrame({ kind: 'openFrame', key, frame })),
        uiText('This file is not in the workspace.'),
      );
    }
  });

  it('export what is shown', async () => {
    assert.equal(
      await refusal(() => ask.export({ kind: 'export' })),
      uiText('Run a search first.'),
    );
    await emit({}, {});
    await search('severity:info,warn,error,debug,trace,fatal,unknown last:1h', 2);
    const { records, filters } = explorer.shownLogs ?? assert.fail('Nothing is shown.');
    assert.lengthOf(records, 2);
    assert.isBelow(Date.parse(filters.from), Date.now());
    // All of them, and all but those that their pattern hides.
    await ask.openAsText({ kind: 'openAsText' });
    inList = records.slice(1);
    await ask.openAsText({ kind: 'openAsText' });
    assert.deepEqual(
      opened.map((logs) => logs.records),
      [records, records.slice(1)],
    );
    assert.isFalse(opened[1]?.isAll);
  });

  it('show a failure with code and request id, and what helps', async () => {
    assert.equal(view().state, 'idle');
    await controlPlane.admin.fault({
      kind: 'status',
      status: 400,
      code: 'odd_request',
      message: 'no [x](command:y)',
    });
    await run('last:1h');
    const { failure, state } = await until(
      'a failure',
      () => view().failure !== undefined && view(),
    );
    assert.equal(state, 'failed');
    assert.match(failure?.message ?? '', /no \[x\] \(command:y\) \(odd_request, .*req_/);
    assert.equal(failure?.help, 'diagnostics');
    await emit({});
    await search('last:1h', 1);
    assert.include(view(), { state: 'ready', cannotFollow: '' });
    const message = 'no <b>logs</b>';
    await controlPlane.admin.fault({ kind: 'status', status: 400, code: 'odd_request', message });
    await run('severity:info last:1h');
    const former = await until('another failure', () => view().failure !== undefined && view());
    assert.include(former, { state: 'ready', query: 'severity:info last:1h' });
    assert.deepEqual(former.notices, [
      {
        level: 'warning',
        text: uiText('These are the results of the previous search: {0}', 'last:1h'),
      },
    ]);
    await search('last:1h', 1);
    assert.isEmpty(view().notices);
    assert.isUndefined(view().failure);
    assert.match(view().summary, uiPattern('{0} record loaded', 1));
    await search('from:2020-01-01 to:2020-01-02', 0);
    // It is said only once that nothing was found.
    assert.match(view().summary, noRecords);
    assert.deepEqual(view().older, { text: '', canLoad: false });
    assert.match(view().cannotFollow, /2020-01-02/);
    const headers = { 'retry-after': '60' };
    await controlPlane.admin.fault({ kind: 'status', status: 429, headers });
    await run('last:1h');
    const waits = uiPattern(
      '{0}. Rate limit reached. Retrying in {1} s, at {2}.',
      ...[uiText('{0} records', 0), /6\d/, /\d.*/],
    );
    await until('it says what it waits for', () => waits.test(view().progress ?? ''));
    await ask.cancel({ kind: 'cancel' });
    await until('it is cancelled', () => view().progress === undefined);
    assert.match(view().summary, noRecords);
  });
});
