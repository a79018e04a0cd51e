import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import {
  csv,
  ndjson,
  loadedRecords,
  writeExport,
  type WriteRequest,
} from '../../../../src/logs/explorer/writeExport';
import type { ExportEnd } from '../../../../src/logs/explorer/exportRecords';
import { sampleRecord } from '../sampleRecord';

const record = (body: string): LogRecord => sampleRecord({ eventId: body, body });

async function* pages(
  bodies: readonly (readonly string[])[],
  end: ExportEnd | Error,
): AsyncGenerator<readonly LogRecord[], ExportEnd> {
  for (const page of bodies) yield await Promise.resolve(page.map(record));
  if (end instanceof Error) throw end;
  return end;
}

function setup(room = Infinity) {
  let text = '';
  let isEnded = false;
  const controller = new AbortController();
  const run = (
    batches: WriteRequest['batches'],
    more: Partial<WriteRequest> = {},
  ): ReturnType<typeof writeExport> =>
    writeExport({
      format: ndjson,
      batches,
      sink: {
        write(piece) {
          const fits = text.length + piece.length <= room;
          if (fits) text += piece;
          return Promise.resolve(fits);
        },
        end(piece) {
          text += piece;
          isEnded = true;
          return Promise.resolve();
        },
      },
      signal: controller.signal,
      describe: (outcome, error) =>
        error instanceof Error ? `${outcome}: ${error.message}` : outcome,
      now: () => '2026-11-20T12:00:00Z',
      ...more,
    });
  return {
    run,
    controller,
    isEnded: () => isEnded,
    text: () => text,
    lines: () =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe('writeExport', () => {
  it('writes the records of all pages', async () => {
    const { run, lines, isEnded } = setup();
    assert.deepEqual(await run(pages([['a', 'b'], ['c']], 'complete')), {
      outcome: 'complete',
      records: 3,
    });
    assert.deepEqual(
      lines().map(({ body }) => body),
      ['a', 'b', 'c'],
    );
    assert.isTrue(isEnded());
  });

  it('starts with the head of the format', async () => {
    const { run, text } = setup();
    await run(pages([], 'complete'), { format: csv });
    assert.equal(text(), csv.head);
  });

  for (const end of ['bound', 'partial', 'accessChanged', 'stuck'] as const) {
    it(`notes in the file why it is incomplete: ${end}`, async () => {
      const { run, lines } = setup();
      assert.deepEqual(await run(pages([['a']], end)), { outcome: end, records: 1 });
      assert.deepInclude(lines().at(-1), { partial: true, why: end });
    });
  }

  it('keeps the records before a failure and says why it failed', async () => {
    const { run, lines, isEnded } = setup();
    const error = new Error('no more');
    const exported = await run(pages([['a'], ['b']], error));
    assert.deepEqual(exported, { outcome: 'failed', records: 2, error });
    assert.lengthOf(lines(), 3);
    assert.deepInclude(lines().at(-1), { partial: true, why: 'failed: no more' });
    assert.isTrue(isEnded());
  });

  it('keeps the records before one that cannot be written, and says why it failed', async () => {
    const { run, text, isEnded } = setup();
    let deep: object = {};
    for (let level = 0; level < 50_000; level++) deep = { deep };
    const format = {
      ...ndjson,
      record: (one: LogRecord) => ndjson.record(one.body === 'c' ? { ...one, ...deep } : one),
    };
    const { outcome, records, error } = await run(pages([['a'], ['b', 'c', 'd']], 'complete'), {
      format,
    });
    assert.deepEqual([outcome, records], ['failed', 2]);
    assert.instanceOf(error, RangeError);
    const lines = text().trimEnd().split('\n');
    assert.lengthOf(lines, 3);
    assert.include(lines[2], 'failed');
    assert.isTrue(isEnded());
  });

  it('keeps the records before it is cancelled', async () => {
    const { run, lines, controller } = setup();
    const all = Array.from({ length: 1500 }, (_, index) => record(`${index}`));
    const pause = (): Promise<void> => {
      controller.abort();
      return Promise.resolve();
    };
    const loaded = loadedRecords(all, false, pause, controller.signal);
    assert.deepEqual(await run(loaded), { outcome: 'cancelled', records: 1000 });
    assert.lengthOf(lines(), 1001);
    assert.deepInclude(lines().at(-1), { partial: true, why: 'cancelled' });
  });

  it('ends when the file is full, without further requests', async () => {
    const { run, lines } = setup(JSON.stringify(record('a')).length + 10);
    let asked = 0;
    async function* counted(): AsyncGenerator<readonly LogRecord[], ExportEnd> {
      for (const body of ['a', 'b', 'c']) {
        asked++;
        yield await Promise.resolve([record(body)]);
      }
      return 'complete';
    }
    assert.deepEqual(await run(counted()), { outcome: 'full', records: 1 });
    assert.deepInclude(lines().at(-1), { partial: true, why: 'full' });
    assert.equal(asked, 2);
  });

  it('fails if the file cannot be written', async () => {
    const { run } = setup();
    const broken = {
      write: () => Promise.reject(new Error('disk full')),
      end: () => Promise.resolve(),
    };
    const error = await run(pages([['a']], 'complete'), { sink: broken }).catch((e: unknown) => e);
    assert.instanceOf(error, Error);
    assert.equal(error.message, 'disk full');
  });
});

describe('loadedRecords', () => {
  it('returns pieces, so that other tasks run', async () => {
    const { run, lines, controller } = setup();
    let pauses = 0;
    const all = Array.from({ length: 2001 }, (_, index) => record(`${index}`));
    const pause = (): Promise<void> => {
      pauses++;
      return Promise.resolve();
    };
    const { signal } = controller;
    const exported = await run(loadedRecords(all, false, pause, signal));
    assert.deepEqual(exported, { outcome: 'complete', records: 2001 });
    assert.deepEqual(
      lines().map(({ body }) => body),
      all.map(({ body }) => body),
    );
    assert.equal(pauses, 3);
  });

  it('is partial if the control plane left out records', async () => {
    const { run, lines, controller } = setup();
    const pause = (): Promise<void> => Promise.resolve();
    const loaded = loadedRecords([record('a')], true, pause, controller.signal);
    assert.equal((await run(loaded)).outcome, 'partial');
    assert.deepInclude(lines().at(-1), { partial: true });
  });
});
