import { assert } from 'chai';
import { hour, minute } from '../../../../src/base/clock';
import type { CallOptions } from '../../../../src/api/client';
import { ApiError } from '../../../../src/api/errors';
import { StatementLookups } from '../../../../src/logs/calls/statementLookups';
import { fakeClock } from '../../fakeClock';
import { clientOf, logServer, refusal } from '../logServer';
import { message } from './message';

const { signal } = new AbortController();

type Lookup = Parameters<StatementLookups['find']>[0];

function lookup() {
  return { message: message`order ${'id'} charged`, severity: undefined };
}

function lookupOfText(text: string) {
  return { message: [{ text }], severity: undefined };
}

function setup() {
  const clock = fakeClock();
  const server = logServer({ clock });
  const lookups = new StatementLookups(
    clientOf(server, clock),
    clock,
    () => clock.now(),
    () => [],
  );
  const find = (wanted: Lookup = lookup()) => lookups.find(wanted, signal, 'person');
  return { clock, server, lookups, find };
}

describe('Looking up the records of statements', () => {
  it('sends one request for the last hour, and uses its answer for five minutes', async () => {
    const { clock, server, lookups, find } = setup();
    server.admin.emit([{ body: 'order 1 charged' }, { body: 'charged order 2' }]);
    await clock.advance(1);
    assert.isUndefined(lookups.known(lookup()));
    const facts = await find();
    assert.deepEqual(facts?.count, 1);
    assert.equal(await find(), facts);
    assert.equal(lookups.known(lookup()), facts);
    const [query, ...more] = server.queries;
    assert.isEmpty(more);
    const { from = '', to = '', search } = query?.filters ?? {};
    assert.equal(Date.parse(to) - Date.parse(from), hour);
    assert.deepInclude({ search, limit: query?.limit }, { search: 'charged', limit: 500 });
    await clock.advance(5 * minute);
    assert.isUndefined(lookups.known(lookup()));
    await find();
    assert.lengthOf(server.queries, 2);
  });

  it('says that there are more records than were looked at', async () => {
    const { clock, server, find } = setup();
    server.admin.emit(Array.from({ length: 501 }, () => ({ body: 'order 1 charged' })));
    await clock.advance(1);
    assert.deepInclude((await find()) ?? {}, {
      count: 500,
      hasMore: true,
    });
  });

  it('sends nothing for a statement with too little text', async () => {
    const { server, lookups, find } = setup();
    assert.isUndefined(await find(lookupOfText('a')));
    assert.isUndefined(lookups.known(lookupOfText('a')));
    assert.isEmpty(server.queries);
  });

  it('shares a request that is on its way', async () => {
    const { server, find } = setup();
    const [first, second] = await Promise.all([find(), find()]);
    assert.equal(first, second);
    assert.lengthOf(server.queries, 1);
  });

  it('lets at most 20 requests a minute be sent that no one asked for', async () => {
    const { clock, lookups, find } = setup();
    for (let index = 0; index < 20; index++) {
      assert.equal(lookups.wait, 0);
      await find(lookupOfText(`message ${'x'.repeat(index)}`));
      await clock.advance(1000);
    }
    assert.equal(lookups.wait, 40_000);
    await clock.advance(40_000);
    assert.equal(lookups.wait, 0);
    await find(lookupOfText('another message'));
    assert.equal(lookups.wait, 1000);
  });

  it('waits for a minute after a failure, longer after more, and as long as the server asks', async () => {
    const { clock, server, lookups, find } = setup();
    const fail = async (status: number, seconds?: number): Promise<void> => {
      server.on.query = () => {
        throw refusal(status, seconds);
      };
      const asked = lookups.find(lookup(), signal, 'automatic');
      const error = await asked.catch((reason: unknown) => reason);
      assert.instanceOf(error, ApiError);
    };
    await fail(500);
    assert.lengthOf(server.queries, 1, 'nothing is retried');
    assert.equal(lookups.wait, minute);
    await clock.advance(minute);
    assert.equal(lookups.wait, 0);
    await fail(429, 300);
    assert.isAtLeast(lookups.wait, 5 * minute);
    await clock.advance(10 * minute);
    for (let index = 0; index < 10; index++) await fail(403);
    assert.equal(lookups.wait, 10 * minute);
    server.on.query = () => undefined;
    await find();
    await clock.advance(hour);
    assert.equal(lookups.wait, 0);
    await fail(403);
    assert.equal(lookups.wait, minute);
  });

  it('is as urgent as the most urgent of those who ask', () => {
    const asked: CallOptions[] = [];
    const lookups = new StatementLookups(
      {
        queryLogs(_query, options) {
          asked.push(options);
          return new Promise(() => undefined);
        },
      },
      fakeClock(),
      () => 0,
      () => [],
    );
    void lookups.find(lookup(), signal, 'automatic');
    void lookups.find(lookup(), signal, 'automatic');
    const isRaised = (): unknown[] =>
      asked.map(({ priority, raise }) => [priority, raise?.aborted]);
    assert.deepEqual(isRaised(), [['automatic', false]]);
    void lookups.find(lookup(), signal, 'person');
    assert.deepEqual(isRaised(), [['automatic', true]]);
  });

  it('ends with its signal, and can start again', async () => {
    const { server, lookups, find } = setup();
    const controller = new AbortController();
    const found = lookups.find(lookup(), controller.signal, 'person');
    controller.abort(new Error('no longer wanted'));
    const error = await found.catch((reason: unknown) => reason);
    assert.propertyVal(error, 'message', 'no longer wanted');
    assert.isUndefined(lookups.known(lookup()));
    assert.equal(lookups.wait, 0);
    assert.equal((await find())?.count, 0);
    assert.isAtMost(server.queries.length, 2);
  });

  it('continues for one who still waits when another one has left', async () => {
    const { clock, server, lookups, find } = setup();
    server.admin.emit([{ body: 'order 1 charged' }]);
    await clock.advance(1);
    const hover = new AbortController();
    const first = lookups.find(lookup(), hover.signal, 'person').catch(() => undefined);
    const second = find();
    hover.abort();
    const third = find();
    assert.deepEqual(
      (await Promise.all([first, second, third])).map((facts) => facts?.count),
      [undefined, 1, 1],
    );
  });

  it('keeps the newest 500 answers', async () => {
    const { lookups, find } = setup();
    const first = lookupOfText('the first message');
    await find(first);
    for (let index = 1; index <= 500; index++) {
      await find(lookupOfText(`message ${'x'.repeat(index)}`));
    }
    assert.isUndefined(lookups.known(first));
    assert.isDefined(lookups.known(lookupOfText('message x')));
  });
});
