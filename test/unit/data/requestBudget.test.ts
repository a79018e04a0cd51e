import { assert } from 'chai';
import { Polling } from '../../../src/data/polling';
import { type CacheKey, Store } from '../../../src/data/store';
import { testClient } from '../api/testClient';
import { covers } from '../covers';
import { fakeClock, type FakeClock } from '../fakeClock';
import { uuid } from '../trees/treeText';

const minute = 60_000;

interface Window {
  readonly clock: FakeClock;
  readonly store: Store;
  readonly polling: Polling;
  /** When each request was sent, in milliseconds since the start, and its path. */
  readonly sent: { readonly at: number; readonly path: string }[];
}

/** A focused window with the real client of a control plane that answers like this. */
function open(answer: (clock: FakeClock, signal: AbortSignal) => Promise<Response>): Window {
  const clock = fakeClock();
  const start = clock.monotonic();
  const sent: Window['sent'] = [];
  const store = new Store(clock);
  store.reset(
    testClient({
      baseUrl: 'https://control-plane.example',
      fetch(request) {
        sent.push({ at: clock.monotonic() - start, path: new URL(request.url).pathname });
        return answer(clock, request.signal);
      },
      clock,
      random: () => 0.5,
    }),
  );
  const polling = new Polling(store, clock, () => 30);
  polling.setFocused(true);
  return { clock, store, polling, sent };
}

function after(clock: FakeClock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.setTimer(resolve, ms));
}

async function slow(clock: FakeClock): Promise<Response> {
  await after(clock, 10_000);
  return Response.json({});
}

/** An answer that never ends, a byte each 19 s. */
function dripping(clock: FakeClock): Promise<Response> {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await after(clock, 19_000);
      controller.enqueue(new TextEncoder().encode(' '));
    },
  });
  return Promise.resolve(new Response(body));
}

function deploymentsOf(count: number): readonly CacheKey[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'deployments',
    resourceId: uuid(1000 + index),
  }));
}

function mostInMinute(sent: Window['sent']): number {
  return Math.max(
    ...sent.map(({ at }) => sent.filter((one) => one.at >= at && one.at < at + minute).length),
  );
}

describe('What a person asks for', () => {
  for (const [how, answer] of Object.entries({ slow, dripping })) {
    it(`is sent at once while 250 rows are open and answers are ${how} ${covers('F84', 'unit')}`, async () => {
      const { clock, store, polling, sent } = open(answer);
      const rows = deploymentsOf(250);
      polling.watch('sources', rows);
      await clock.advance(minute);
      for (let index = 0; index < 5; index++) {
        const asked = sent.length;
        const key = { kind: 'resources', sourceId: uuid(index) } as const;
        void store.refresh(key, 'person');
        await clock.advance(1000);
        assert.include(
          sent.slice(asked).map(({ path }) => path),
          `/v1/api/sources/${uuid(index)}/resources`,
        );
      }
      polling.dispose();
    });

    it(`is sent at once if it was waiting behind 250 rows already, when answers are ${how} ${covers('F84', 'unit')}`, async () => {
      const { clock, store, polling, sent } = open(answer);
      const rows = deploymentsOf(250);
      polling.watch('sources', rows);
      await clock.advance(1000);
      const last = rows[249]!;
      const path = `/v1/api/resources/${uuid(1249)}/deployments`;
      assert.notInclude(
        sent.map((one) => one.path),
        path,
      );
      void store.refresh(last, 'person');
      void store.refresh(last, 'person');
      await clock.advance(1000);
      assert.lengthOf(
        sent.filter((one) => one.path === path),
        1,
      );
      polling.dispose();
    });
  }

  it(`never waits for ever: the rows behind answers that never end have their turn ${covers('F84', 'unit')}`, async () => {
    const { clock, polling, sent } = open(dripping);
    const rows = deploymentsOf(20);
    polling.watch('sources', rows);
    await clock.advance(10 * minute);
    assert.lengthOf(new Set(sent.map(({ path }) => path)), 20);
    polling.dispose();
  });

  it(`is sent at once while all rows are refreshed at a wish, too ${covers('F84', 'unit')}`, async () => {
    const { clock, store, polling, sent } = open(slow);
    const rows = deploymentsOf(250);
    polling.watch('sources', rows);
    void store.refreshAll(rows);
    await clock.advance(minute);
    const asked = sent.length;
    void store.refresh({ kind: 'resources', sourceId: uuid(1) }, 'person');
    await clock.advance(1000);
    assert.isAbove(sent.length, asked);
    polling.dispose();
  });
});

describe('The budget of a connection', () => {
  it(`is not exceeded by 50 sources, 50 servers and 600 rows at the first look ${covers('F85', 'unit')}`, async () => {
    const { clock, store, polling, sent } = open(() => Promise.resolve(Response.json({})));
    const keys = Array.from({ length: 50 }, (_, index): CacheKey[] => [
      { kind: 'resources', sourceId: uuid(index) },
      { kind: 'secrets', sourceId: uuid(index) },
      { kind: 'alerts', serverId: uuid(100 + index) },
    ]).flat();
    polling.watch('sources', [...keys, ...deploymentsOf(600)]);
    await clock.advance(4 * minute);
    assert.isAtMost(mostInMinute(sent), 240);
    const all = [...keys, ...deploymentsOf(600)];
    assert.isTrue(all.every((key) => store.entry(key).value !== undefined));
    polling.dispose();
  });

  it(`is not exceeded in an outage with 200 rows, retries counted ${covers('F85', 'unit')}`, async () => {
    const { clock, store, polling, sent } = open(() =>
      Promise.resolve(new Response('', { status: 503 })),
    );
    const rows = deploymentsOf(200);
    polling.watch('sources', rows);
    await clock.advance(5 * minute);
    assert.isAtMost(mostInMinute(sent), 240);
    void store.refreshAll(rows);
    await clock.advance(5 * minute);
    // One more is on its way for each of the four that are sent at a time.
    assert.isAtMost(mostInMinute(sent), 244);
    polling.dispose();
  });

  it(`counts what a person asks for, and does not hold it back ${covers('F85', 'unit')}`, async () => {
    const { clock, store, polling, sent } = open(() => Promise.resolve(Response.json({})));
    for (let index = 0; index < 300; index++) {
      void store.refresh({ kind: 'alerts', serverId: uuid(index) }, 'person');
      await clock.advance(100);
    }
    assert.lengthOf(sent, 300);
    polling.watch('sources', deploymentsOf(10));
    await clock.advance(10_000);
    assert.lengthOf(sent, 300, 'what nobody asked for waits');
    await clock.advance(35_000);
    assert.lengthOf(sent, 310);
    polling.dispose();
  });
});
