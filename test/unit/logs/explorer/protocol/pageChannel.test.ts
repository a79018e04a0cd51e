import { assert } from 'chai';
import type { LogRecord } from '../../../../../src/api/types';
import type { Handlers, ToPage } from '../../../../../src/logs/explorer/protocol/messages';
import {
  PageChannel,
  type PageSource,
} from '../../../../../src/logs/explorer/protocol/pageChannel';
import { PageError } from '../../../../../src/logs/explorer/protocol/pageMessages';
import { defaultLayout, type LogRow } from '../../../../../src/logs/explorer/protocol/view';
import { covers } from '../../../covers';
import { settle } from '../../../fakeClock';
import { emptyView } from '../emptyView';
import { sampleRecord } from '../../sampleRecord';

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
  const posted: ToPage[] = [];
  const warnings: unknown[] = [];
  const timers: (() => void)[] = [];
  const panel = { epoch: 0, summary: '', records: [] as readonly LogRecord[], breaksAt: '' };
  const source: PageSource = {
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
    rowOf(record) {
      if (record.eventId === panel.breaksAt) throw new Error('odd');
      return rowOf(record);
    },
    handlers: () => handlers as Handlers,
    describe: (error) => (error instanceof PageError ? error.kind : `because ${String(error)}`),
    warn: ({ cause }) => warnings.push(cause),
  };
  const post = (message: ToPage): Promise<unknown> => {
    // As the frame does it: what is no JSON does not come through.
    posted.push(JSON.parse(JSON.stringify(message)) as ToPage);
    return arrive();
  };
  const channel = new PageChannel(source, post, {
    setTimer(call) {
      timers.push(call);
      return () => timers.splice(timers.indexOf(call), 1);
    },
  });
  return {
    channel,
    posted,
    warnings,
    panel,
    /** What was told since it was asked last. */
    news: async () => {
      await settle();
      return posted.splice(0);
    },
    runTimers: () => timers.splice(0).forEach((call) => call()),
    ask: (id: number, request: unknown) => channel.receive({ kind: 'request', id, request }),
    ready: () => channel.receive({ kind: 'ready' }),
  };
}

/** The same, with a page that is ready and has what there is. */
async function opened(...of: Parameters<typeof setUp>) {
  const set = setUp(...of);
  set.ready();
  await set.news();
  return set;
}

const kinds = (messages: readonly ToPage[]): string[] => messages.map(({ kind }) => kind);
const keysOf = (messages: readonly ToPage[]): string[] =>
  messages.flatMap((message) =>
    message.kind === 'rows' ? message.rows.map(({ key }) => key) : [],
  );

describe('messages to the page of the Log Explorer', () => {
  it('are sent when the page is ready', async () => {
    const { channel, panel, news, ready } = setUp();
    panel.records = records(2);
    channel.viewChanged();
    channel.replaced(panel.records);
    channel.showQuery('severity:error');
    assert.deepEqual(await news(), []);
    ready();
    const messages = await news();
    assert.deepEqual(kinds(messages), ['start', 'query', 'view', 'rows']);
    assert.deepEqual(keysOf(messages), ['event-0', 'event-1']);
  });

  it('are all sent again to a reloaded page', async () => {
    const { panel, news, ready, ask } = await opened({
      parse: () => new Promise(() => undefined),
    });
    panel.records = records(1);
    ready();
    assert.deepEqual(kinds(await news()), ['start', 'view', 'rows']);
    ask(1, { kind: 'parse', text: '' });
    assert.deepEqual(await news(), []);
  });

  it(`do not pile up for a page that takes none, which gets all rows in the end ${covers('F37', 'unit')}`, async () => {
    let deliver = (): void => undefined;
    const isTaken = new Promise<void>((resolve) => (deliver = resolve));
    const { channel, panel, news, ready, runTimers } = setUp({}, () => isTaken);
    ready();
    for (let count = 1; count <= 3000; count++) {
      panel.records = [...panel.records, ...records(1, count)];
      channel.added('newer', panel.records.slice(-1), 0);
      channel.viewChanged();
      runTimers();
    }
    await news();
    deliver();
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
    const { news, ask } = await opened({
      parse: ({ text }: { text: string }) => ({ text }),
      save: () => Promise.reject(new Error('no')),
      back() {
        throw new Error('never');
      },
    });
    ask(7, { kind: 'parse', text: 'x' });
    ask(8, { kind: 'save', text: 'x' });
    ask(9, { kind: 'back' });
    assert.sameDeepMembers(await news(), [
      { kind: 'answer', id: 7, value: { text: 'x' } },
      { kind: 'refusal', id: 8, message: 'because Error: no' },
      { kind: 'refusal', id: 9, message: 'because Error: never' },
    ]);
  });

  it('do not answer requests of an earlier page', async () => {
    let resolve: (value: null) => void = () => undefined;
    const { news, ready, ask } = await opened({
      save: () => new Promise((done) => (resolve = done)),
    });
    ask(1, { kind: 'save', text: '' });
    await news();
    ready();
    await news();
    resolve(null);
    assert.deepEqual(await news(), []);
  });

  it(`refuse an unknown request, and tell of a message that is none ${covers('F58', 'unit')}`, async () => {
    let calls = 0;
    const count = () => calls++;
    const { warnings, news, ask, channel } = await opened({ copyValue: count, parse: count });
    const requests: unknown[] = [
      { kind: 'constructor' },
      { kind: 'parse', text: 7 },
      { kind: 'parse', text: 'x'.repeat(65_537) },
      { kind: 'copyValue', key: 'k' },
      { kind: 'copyJson', key: 'k'.repeat(1025) },
      undefined,
    ];
    for (const one of requests) ask(7, one);
    const message = 'invalidMessage';
    assert.deepEqual(
      await news(),
      requests.map(() => ({ kind: 'refusal', id: 7, message })),
    );
    const others: unknown[] = [
      undefined,
      null,
      'ready',
      { kind: 'request', id: -1, request: { kind: 'parse', text: '' } },
      { kind: 'eval', code: '1' },
    ];
    for (const one of others) channel.receive(one);
    assert.deepEqual(
      await news(),
      others.map(() => ({ kind: 'problem', message })),
    );
    assert.lengthOf(warnings, requests.length + others.length);
    assert.equal(calls, 0);
    ask(1, { kind: 'parse', text: '' });
    assert.equal(calls, 1);
  });

  it('that cannot be made are told of, and the others come', async () => {
    const { channel, panel, warnings, news } = await opened();
    panel.breaksAt = 'event-3';
    panel.records = records(2500);
    channel.replaced(panel.records);
    channel.showQuery('x');
    const messages = await news();
    assert.deepEqual(kinds(messages), ['view', 'rows', 'problem', 'query']);
    assert.lengthOf(keysOf(messages), 2000);
    assert.deepEqual(messages[2], { kind: 'problem', message: 'notShown' });
    assert.deepEqual(warnings.map(String), ['Error: odd']);
    panel.breaksAt = '';
    channel.added('newer', records(1, 2500), 0);
    assert.deepEqual(keysOf(await news()), ['event-2500']);
  });

  it('to a new page are not dropped because they did not reach the old one', async () => {
    let fail = (): void => undefined;
    let arrive = (): Promise<unknown> =>
      new Promise((_, reject) => (fail = () => reject(new Error('gone'))));
    const { panel, news, ready } = setUp({}, () => arrive());
    panel.records = records(2500);
    ready();
    await news();
    arrive = () => Promise.resolve(true);
    ready();
    fail();
    assert.deepEqual(kinds(await news()), ['start', 'view', 'rows', 'rows']);
  });

  it('end when the page is gone, and begin again with the next one', async () => {
    for (const gone of [
      () => Promise.reject(new Error('gone')),
      () => {
        throw new Error('gone');
      },
    ]) {
      const { channel, panel, news, ready, warnings } = setUp({}, () => arrive());
      let arrive: () => Promise<unknown> = () => Promise.resolve(true);
      ready();
      await news();
      arrive = gone;
      panel.records = records(4500);
      channel.replaced(panel.records);
      await news();
      arrive = () => Promise.resolve(true);
      ready();
      assert.deepEqual(kinds(await news()), ['start', 'view', 'rows', 'rows', 'rows']);
      assert.isEmpty(warnings);
    }
  });

  it('contain at most 2,000 rows, the newest first, each once', async () => {
    const { channel, panel, news } = await opened();
    panel.epoch = 1;
    panel.records = records(4500);
    channel.replaced(panel.records);
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
    const { channel, news } = await opened();
    channel.added('newer', records(2500), 2400);
    const dropped = (await news()).map((message) => message.kind === 'rows' && message.dropped);
    assert.deepEqual(dropped, [2400, 0]);
    channel.replaced([]);
    const [, rows] = await news();
    assert.deepEqual(rows, { kind: 'rows', epoch: 0, change: 'replace', rows: [], dropped: 0 });
  });

  it('show the same rows differently, each once, without the ones of an earlier update', async () => {
    const { channel, panel, news, ready } = setUp();
    panel.records = records(4500);
    ready();
    await news();
    channel.updated(panel.records);
    channel.updated(panel.records);
    const messages = await news();
    assert.deepEqual(kinds(messages), ['view', 'view', 'rows', 'rows', 'rows']);
    const changes = messages.flatMap((one) => (one.kind === 'rows' ? [one.change] : []));
    assert.deepEqual(changes, ['update', 'update', 'update']);
    assert.lengthOf(new Set(keysOf(messages)), 4500);
  });

  it('contain the layout if the panel changed it', async () => {
    const { channel, news } = await opened();
    channel.layoutChanged();
    assert.deepEqual(await news(), [
      { kind: 'layout', layout: { ...defaultLayout, time: 'both' } },
    ]);
  });

  it('contain no rows of an older epoch', async () => {
    const { channel, panel, news } = await opened();
    channel.added('older', records(3), 0);
    panel.epoch = 1;
    channel.replaced([]);
    assert.deepEqual(keysOf(await news()), []);
  });

  it('contain the first view at once and later ones together', async () => {
    const { channel, panel, news, runTimers } = await opened();
    channel.viewChanged();
    assert.deepEqual(kinds(await news()), ['view']);
    for (const summary of ['1', '2', '3']) {
      panel.summary = summary;
      channel.viewChanged();
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
    const { channel, news, ask } = await opened({ save: () => null });
    channel.viewChanged();
    ask(1, { kind: 'save', text: '' });
    channel.dispose();
    channel.replaced(records(1));
    assert.deepEqual(await news(), []);
  });
});
