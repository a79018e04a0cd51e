import { assert } from 'chai';
import type { LogRecord } from '../../../../../src/api/types';
import {
  createPageRpc,
  type Handlers,
  type PageSource,
} from '../../../../../src/logs/explorer/protocol/rpc';
import { readToPage, type ToPage } from '../../../../../src/logs/explorer/protocol/messages';
import {
  defaultLayout,
  type LogRow,
  type View,
} from '../../../../../src/logs/explorer/protocol/view';
import { settle } from '../../../fakeClock';
import { sampleRecord } from '../../sampleRecord';

const emptyView: View = {
  epoch: 0,
  state: 'idle',
  query: '',
  canGoBack: false,
  older: { text: '', canLoad: false },
  newer: { text: '', canLoad: false },
  serverNow: 0,
  cannotFollow: '',
  notices: [],
  summary: '',
};

function records(count: number, from = 0): LogRecord[] {
  return Array.from({ length: count }, (_, index) =>
    sampleRecord({ eventId: `event-${from + index}` }),
  );
}

function rowOf({ eventId: key }: LogRecord): LogRow {
  return { key, at: 0, time: '', severity: 'info', workload: '', body: '', hasContext: false };
}

/** A page that notes what it was told, and a panel with an epoch and records of its own. */
function setUp(
  handlers: Partial<Record<keyof Handlers, (request: never) => unknown>> = {},
  arrive: () => Promise<unknown> = () => Promise.resolve(true),
) {
  const told: ToPage[] = [];
  const warnings: string[] = [];
  const timers: (() => void)[] = [];
  const panel = { epoch: 0, summary: '', records: [] as readonly LogRecord[] };
  const source: PageSource = {
    handlers: handlers as unknown as Handlers,
    start: () => ({
      kind: 'start',
      strings: {},
      isFolded: false,
      layout: defaultLayout,
      locale: 'en',
      fields: [],
      operators: [],
    }),
    view: () => ({ ...emptyView, epoch: panel.epoch, summary: panel.summary }),
    layout: () => ({ ...defaultLayout, time: 'both' }),
    epoch: () => panel.epoch,
    records: () => panel.records,
    rowOf,
    describe: (error) => `because ${String(error)}`,
    warn: (message) => warnings.push(message),
  };
  const rpc = createPageRpc({
    source,
    post(message) {
      // As the frame does it: what is no JSON does not come through.
      const arrived = readToPage(JSON.parse(JSON.stringify(message)));
      assert.isDefined(arrived, JSON.stringify(message).slice(0, 200));
      told.push(arrived);
      return arrive();
    },
    after(_, call) {
      timers.push(call);
      return { cancel: () => timers.splice(timers.indexOf(call), 1) };
    },
  });
  return {
    rpc,
    told,
    warnings,
    panel,
    /** What was told since it was asked last. */
    news: async () => {
      await settle();
      return told.splice(0);
    },
    runTimers: () => timers.splice(0).forEach((call) => call()),
    ask: (id: number, request: unknown) => rpc.receive({ kind: 'request', id, request }),
    ready: () => rpc.receive({ kind: 'ready' }),
  };
}

const kinds = (messages: readonly ToPage[]): string[] => messages.map(({ kind }) => kind);
const keysOf = (messages: readonly ToPage[]): string[] =>
  messages.flatMap((message) =>
    message.kind === 'rows' ? message.rows.map(({ key }) => key) : [],
  );

describe('messages to the page of the Log Explorer', () => {
  it('are sent when the page is ready', async () => {
    const { rpc, panel, news, ready } = setUp();
    panel.records = records(2);
    rpc.viewChanged();
    rpc.replaced(panel.records);
    rpc.showQuery('severity:error');
    assert.deepEqual(await news(), []);
    ready();
    const messages = await news();
    assert.deepEqual(kinds(messages), ['start', 'query', 'view', 'rows']);
    assert.deepEqual(keysOf(messages), ['event-0', 'event-1']);
  });

  it('are all sent again to a reloaded page', async () => {
    const { panel, news, ready, ask } = setUp({
      parse: () => new Promise(() => undefined),
    });
    ready();
    await news();
    panel.records = records(1);
    ready();
    assert.deepEqual(kinds(await news()), ['start', 'view', 'rows']);
    ask(1, { kind: 'parse', text: '' });
    assert.deepEqual(await news(), []);
  });

  it('do not pile up for a page that takes none, which gets all rows in the end (F37)', async () => {
    let take = (): void => undefined;
    const isTaken = new Promise<void>((resolve) => (take = resolve));
    const { rpc, panel, news, ready, runTimers } = setUp({}, () => isTaken);
    ready();
    for (let count = 1; count <= 3000; count++) {
      panel.records = [...panel.records, ...records(1, count)];
      rpc.added('newer', panel.records.slice(-1), 0);
      rpc.viewChanged();
      runTimers();
    }
    await news();
    take();
    const messages = await news();
    assert.isBelow(messages.length, 300);
    const last = messages
      .map((one) => one.kind === 'rows' && one.change === 'replace')
      .lastIndexOf(true);
    const keys = keysOf(messages.slice(last));
    assert.sameMembers(
      keys,
      panel.records.map(({ eventId }) => eventId),
    );
  });

  it('answer requests or say why they are refused', async () => {
    const { news, ready, ask } = setUp({
      parse: ({ text }: { text: string }) => ({ text }),
      run: () => Promise.reject(new Error('no')),
      back() {
        throw new Error('never');
      },
    });
    ready();
    await news();
    ask(7, { kind: 'parse', text: 'x' });
    ask(8, { kind: 'run', text: 'x' });
    ask(9, { kind: 'back' });
    assert.sameDeepMembers(await news(), [
      { kind: 'answer', id: 7, value: { text: 'x' } },
      { kind: 'refusal', id: 8, message: 'because Error: no' },
      { kind: 'refusal', id: 9, message: 'because Error: never' },
    ]);
  });

  it('do not answer requests of an earlier page', async () => {
    let resolve: (value: null) => void = () => undefined;
    const { news, ready, ask } = setUp({ run: () => new Promise((done) => (resolve = done)) });
    ready();
    ask(1, { kind: 'run', text: '' });
    await news();
    ready();
    await news();
    resolve(null);
    assert.deepEqual(await news(), []);
  });

  it('are not sent for unknown messages, which are logged (F58)', async () => {
    let calls = 0;
    const count = () => calls++;
    const { warnings, news, ready, ask, rpc } = setUp({ copyValue: count, parse: count });
    ready();
    await news();
    const wrong: unknown[] = [
      undefined,
      null,
      'ready',
      { kind: 'request', id: -1, request: { kind: 'parse', text: '' } },
      { kind: 'request', id: 1, request: { kind: 'constructor' } },
      { kind: 'request', id: 1, request: { kind: 'parse', text: 7 } },
      { kind: 'request', id: 1, request: { kind: 'parse', text: 'x'.repeat(65_537) } },
      { kind: 'request', id: 1, request: { kind: 'copyValue', key: 'k' } },
      { kind: 'eval', code: '1' },
    ];
    for (const one of wrong) rpc.receive(one);
    assert.lengthOf(warnings, wrong.length);
    assert.equal(calls, 0);
    assert.deepEqual(await news(), []);
    ask(1, { kind: 'parse', text: '' });
    assert.equal(calls, 1);
  });

  it('contain at most 2,000 rows, the newest first, each once', async () => {
    const { rpc, panel, news, ready } = setUp();
    ready();
    await news();
    panel.epoch = 1;
    panel.records = records(4500);
    rpc.replaced(panel.records);
    const messages = await news();
    assert.deepEqual(kinds(messages), ['view', 'rows', 'rows', 'rows']);
    let shown: string[] = [];
    for (const message of messages) {
      if (message.kind !== 'rows') continue;
      assert.isAtMost(message.rows.length, 2000);
      const keys = message.rows.map(({ key }) => key);
      shown = message.change === 'replace' ? keys : [...keys, ...shown];
    }
    assert.deepEqual(
      shown,
      panel.records.map(({ eventId }) => eventId),
    );
  });

  it('wait until rows have arrived, but not for views', async () => {
    const arrivals: ((value: unknown) => void)[] = [];
    const { panel, news, ready } = setUp({}, () => new Promise((done) => arrivals.push(done)));
    panel.records = records(2001);
    ready();
    assert.deepEqual(kinds(await news()), ['start', 'view', 'rows']);
    assert.deepEqual(await news(), []);
    for (const arrive of arrivals) arrive(true);
    assert.deepEqual(keysOf(await news()), ['event-0']);
  });

  it('say once how many rows were dropped', async () => {
    const { rpc, news, ready } = setUp();
    ready();
    await news();
    rpc.added('newer', records(2500), 2400);
    const dropped = (await news()).map((message) => message.kind === 'rows' && message.dropped);
    assert.deepEqual(dropped, [2400, 0]);
    rpc.replaced([]);
    const [, rows] = await news();
    assert.deepEqual(rows, { kind: 'rows', epoch: 0, change: 'replace', rows: [], dropped: 0 });
  });

  it('show the same rows differently, each once, without the ones of an earlier update', async () => {
    const { rpc, panel, news, ready } = setUp();
    panel.records = records(4500);
    ready();
    await news();
    rpc.updated(panel.records);
    rpc.updated(panel.records);
    const messages = await news();
    assert.deepEqual(kinds(messages), ['view', 'view', 'rows', 'rows', 'rows']);
    const changes = messages.flatMap((one) => (one.kind === 'rows' ? [one.change] : []));
    assert.deepEqual(changes, ['update', 'update', 'update']);
    assert.lengthOf(new Set(keysOf(messages)), 4500);
  });

  it('contain the layout if the panel changed it', async () => {
    const { rpc, news, ready } = setUp();
    ready();
    await news();
    rpc.layoutChanged();
    assert.deepEqual(await news(), [
      { kind: 'layout', layout: { ...defaultLayout, time: 'both' } },
    ]);
  });

  it('contain no rows of an older epoch', async () => {
    const { rpc, panel, news, ready } = setUp();
    ready();
    await news();
    rpc.added('older', records(3), 0);
    panel.epoch = 1;
    rpc.replaced([]);
    assert.deepEqual(keysOf(await news()), []);
  });

  it('contain the first view at once and later ones together', async () => {
    const { rpc, panel, news, ready, runTimers } = setUp();
    ready();
    await news();
    rpc.viewChanged();
    assert.deepEqual(kinds(await news()), ['view']);
    for (const summary of ['1', '2', '3']) {
      panel.summary = summary;
      rpc.viewChanged();
    }
    assert.deepEqual(await news(), []);
    runTimers();
    const [view, ...more] = await news();
    assert.equal(view?.kind === 'view' && view.view.summary, '3');
    assert.deepEqual(more, []);
    runTimers();
    assert.deepEqual(await news(), []);
  });

  it('end with the panel', async () => {
    const { rpc, news, ready, ask } = setUp({ run: () => null });
    ready();
    await news();
    rpc.viewChanged();
    ask(1, { kind: 'run', text: '' });
    rpc.dispose();
    rpc.replaced(records(1));
    assert.deepEqual(await news(), []);
  });
});
