import { assert } from 'chai';
import fc from 'fast-check';
import {
  oldestFirst,
  PageCursor,
  queryPageOf,
  queryRequestOf,
  StreamCursor,
  streamPageOf,
  tailRequestOf,
} from '../../../src/api/cursors';
import type { LogQueryFilters, LogRecord } from '../../../src/api/types';
import { covers } from '../covers';
import { anyFilter } from '../logs/query/anyFilter';
import { sampleRecord } from '../logs/sampleRecord';
import { queryAnswer as answer } from './cannedAnswers';

const window = { from: '2026-11-20T11:00:00Z', to: '2026-11-20T12:00:00Z' };
const filters = anyFilter.map((filter): LogQueryFilters => ({ ...filter, ...window }));

describe('a cursor', () => {
  it(`is sent only with the filters that it was issued for ${covers('F71', 'unit')}`, () => {
    fc.assert(
      fc.property(filters, fc.constantFrom('older', 'newer'), fc.string(), (asked, way, text) => {
        const request = { filters: asked, direction: way } as const;
        const found = queryPageOf(request, { ...answer, hasMore: true, nextCursor: text });
        if (found.next === undefined) assert.fail('There is no cursor.');
        const others = { filters: { ...window, search: 'other' }, direction: 'newer' };
        const next = queryRequestOf({ ...others, cursor: found.next, limit: 7 });
        assert.deepEqual(next, { ...request, cursor: text, limit: 7 });
      }),
    );
  });

  it(`of a search is one of the stream only if that supports all of its filters ${covers('F71', 'unit')}`, () => {
    fc.assert(
      fc.property(filters, (asked) => {
        const { follow } = queryPageOf({ filters: asked }, { ...answer, followCursor: 'c' });
        const isOfStream = asked.stream === undefined && asked.conditionGroup === undefined;
        assert.equal(follow !== undefined, isOfStream);
        if (follow === undefined) return;
        assert.deepEqual(tailRequestOf({ cursor: follow }), { filters: asked, cursor: 'c' });
        const next = streamPageOf(follow.filters, { ...answer, followCursor: 'd' });
        assert.deepEqual(tailRequestOf({ cursor: next.follow }), { filters: asked, cursor: 'd' });
      }),
    );
  });

  it(`cannot be made of any text and filters ${covers('F71', 'unit')}`, () => {
    const found = PageCursor.of({ filters: window }, 'c');
    const stream = StreamCursor.of(window, 'c');
    /* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment, @typescript-eslint/no-misused-spread -- none of it compiles */
    type Sent = Parameters<typeof queryRequestOf>[0];
    type Opened = Parameters<typeof tailRequestOf>[0];
    // @ts-expect-error -- a text is not a cursor
    const text: Sent = { cursor: 'c' };
    // @ts-expect-error -- an object of the same form is not a cursor
    const likeness: Sent = { cursor: { ...found } };
    // @ts-expect-error -- a stream cursor cannot be used for a search
    const searched: Sent = { cursor: stream };
    // @ts-expect-error -- a page cursor cannot be used for a stream
    const opened: Opened = { cursor: found };
    /* eslint-enable */
    assert.lengthOf([text, likeness, searched, opened], 4);
  });

  it('is returned only if the server has more pages', () => {
    for (const [hasMore, nextCursor] of [
      [false, 'c'],
      [true, null],
      [false, null],
    ] as const) {
      const { next } = queryPageOf({ filters: window }, { ...answer, hasMore, nextCursor });
      assert.isUndefined(next);
    }
  });
});

describe('A page of records', () => {
  const at = (eventId: string, second: number): LogRecord =>
    sampleRecord({ eventId, timestamp: `2026-11-20T12:00:0${second}Z` });
  const ids = (records: readonly LogRecord[]): string[] => records.map(({ eventId }) => eventId);

  it('is oldest first, in whichever order it came', () => {
    for (const direction of ['older', 'newer'] as const) {
      assert.deepEqual(ids(oldestFirst([at('a', 1), at('b', 2)], direction)), ['a', 'b']);
      assert.deepEqual(ids(oldestFirst([at('b', 2), at('a', 1)], direction)), ['a', 'b']);
    }
  });

  it('is in the order of most of its records', () => {
    const late = [at('x', 9), at('a', 1), at('b', 2), at('c', 3), at('d', 4), at('y', 0)];
    assert.deepEqual(ids(oldestFirst(late, 'older')), ['x', 'a', 'b', 'c', 'd', 'y']);
    assert.deepEqual(ids(oldestFirst([...late].reverse(), 'newer')), [
      'x',
      'a',
      'b',
      'c',
      'd',
      'y',
    ]);
  });

  it('of one time is in the order of its direction', () => {
    const page = [at('x', 1), at('y', 1)];
    assert.deepEqual(ids(oldestFirst(page, 'older')), ['y', 'x']);
    assert.deepEqual(ids(oldestFirst(page, 'newer')), ['x', 'y']);
  });
});
