import { assert } from 'chai';
import { Harness, nextPage } from './harness';

describe('The log stream of the embedded control plane', () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await Harness.start();
  });
  afterEach(() => harness.server.close());

  it('sends headers at once, then pages of at most 500 records in order', async () => {
    const tail = await harness.tail();
    assert.equal(tail.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const emitted = harness.server.admin.emit(1234);
    const pages = [await nextPage(tail), await nextPage(tail), await nextPage(tail)];
    assert.deepEqual(
      pages.map(({ records, hasMore }) => [records.length, hasMore]),
      [
        [500, true],
        [500, true],
        [234, false],
      ],
    );
    assert.deepEqual(
      pages.flatMap(({ records }) => records),
      emitted,
    );
    tail.close();
  });

  it('waits for a slow reader instead of making unused pages', async () => {
    let [given, before] = [0, -1];
    harness.server.on.page = (page) => {
      given += page.records.length;
      return page;
    };
    const tail = await harness.tail();
    harness.server.append(40_000);
    while (before < given) {
      before = given;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // Network buffers hold far less than 30 MB.
    assert.isAtLeast(given, 500);
    assert.isBelow(given, 30_000);
    tail.close();
  });
});
