import { assert } from 'chai';
import type { LogStreamItem } from '../../../../src/api/logStream';
import { numbers, searchServer, type SearchServer } from '../search/searchServer';
import { explored } from './explored';

/** A server that says of each page of a stream that it is not all. */
function partialStreams(): SearchServer {
  const server = searchServer();
  const { openLogStream } = server.client;
  async function* partial(
    items: AsyncIterable<readonly LogStreamItem[]>,
  ): AsyncGenerator<readonly LogStreamItem[]> {
    for await (const some of items) {
      yield some.map((item) =>
        item.kind === 'page' ? { ...item, page: { ...item.page, partial: true } } : item,
      );
    }
  }
  return Object.assign(server, {
    client: {
      ...server.client,
      openLogStream: async (...args: Parameters<typeof openLogStream>) =>
        partial(await openLogStream(...args)),
    },
  });
}

describe('What an explorer tells of the stream that it follows', () => {
  it('is that the server left something out of it (F29)', async () => {
    const e = explored(3, { server: partialStreams() });
    await e.run();
    assert.isFalse(e.explorer.state.partial);
    await e.after(() => e.explorer.follow());
    await e.after(() => e.server.append(2));
    assert.deepEqual(e.numbers(), numbers(0, 5));
    assert.isTrue(e.explorer.state.partial);
    assert.isTrue(e.states.at(-1)?.partial, 'it was told');
  });

  it('is nothing of its end after its time: it is live all along (F14)', async () => {
    const e = explored(3);
    await e.run();
    await e.after(() => e.explorer.follow());
    const { length } = e.states;
    for (let streams = 0; streams < 3; streams++) {
      await e.after(() => e.server.append(2));
      e.server.endStreams();
      for (let ms = 0; ms <= 1000; ms += 100) {
        await e.clock.advance(100);
        assert.equal(e.explorer.state.following?.state.kind, 'live');
      }
    }
    assert.lengthOf(e.server.connects, 4);
    assert.deepEqual(e.numbers(), numbers(0, 9));
    for (const { following } of e.states.slice(length)) assert.equal(following?.state.kind, 'live');
  });
});
