import { assert } from 'chai';
import * as v from 'valibot';
import { isOfKind } from '../../../../src/activity/entryKind';
import { cleanUpKind } from '../../../../src/actions/kinds/cleanUp';
import type { ActivityEntry } from '../../../../src/activity/activityEntry';
import { cleanupText } from '../../../../src/api/validateRequest';
import type { ControlPlaneClient } from '../../../../src/api/client';
import {
  candidatesOf,
  findOrphanCandidates,
  knownItems,
  knownWorkloads,
  listedOrphans,
  orphanKeys,
} from '../../../../src/actions/orphans';
import type { LogQueryRequest, LogRecord } from '../../../../src/api/types';
import { covers } from '../../covers';
import { fakeClock, type FakeClock, settle } from '../../fakeClock';
import { httpError, logAnswer, logRecord } from '../../data/fakeClient';
import { read, scene, uuid } from '../../trees/treeText';
import { wireClient } from '../../logs/wireClient';
import { accepted, cleanUpServer, network, over, running } from '../cleanUpServer';
import {
  connection,
  createDisk,
  type Disk,
  isOver,
  openedWindow,
  openWindow,
  progressOf,
  request,
  startedCleanUp,
  until,
  type Window,
} from '../../activity/windows';

const isUnknown = ({ progress }: ActivityEntry): boolean => progress.kind === 'unknown';

describe('a clean-up', () => {
  let clock: FakeClock;
  let disk: Disk;

  beforeEach(() => {
    clock = fakeClock();
    disk = createDisk();
  });

  const openOn = (given: Partial<ControlPlaneClient>) => openedWindow(clock, disk, given);
  const start = (window: Window, wanted: (entry: ActivityEntry) => boolean) =>
    startedCleanUp(clock, window, wanted);

  it(`is saved with its key and its body before it is sent ${covers('F44', 'unit')}`, async () => {
    const saved: unknown[] = [];
    const { client } = cleanUpServer([accepted], [over]);
    const window = await openOn({
      ...client,
      cleanUpOrphans(given, options) {
        saved.push(...[...disk.files.values()].map((text) => JSON.parse(text) as unknown));
        return client.cleanUpOrphans!(given, options);
      },
    });
    const entry = await start(window, isOver);
    assert.lengthOf(saved, 1);
    const { id, idempotencyKey, at } = entry;
    assert.deepInclude(saved[0], {
      id,
      at,
      idempotencyKey,
      connection,
      kind: 'cleanUp',
      ...request,
      body: cleanupText(request.items),
      progress: { kind: 'sending' },
    });
    assert.notEqual(id, idempotencyKey);
  });

  describe('of items that the server lists', () => {
    const listed = [
      { kind: 'volume', name: 'data' },
      { kind: 'container', name: 'data' },
    ];
    const target = { ...request, items: ['data'], listed };
    const { operation } = accepted;

    it('has their kinds, and is watched by the same request where there is no other way', async () => {
      const { client, sent } = cleanUpServer([
        accepted,
        { operation: running, replayed: true },
        { operation: over, replayed: true },
      ]);
      const window = await openOn(client);
      const id = await clock.run(window.activity.start(cleanUpKind, target));
      const entry = await clock.run(until(window, id, isOver));
      assert.lengthOf(sent, 3);
      assert.deepEqual(sent[0]?.body, { items: listed });
      assert.lengthOf(new Set(sent.map((one) => JSON.stringify(one))), 1);
      assert(isOfKind(entry, cleanUpKind));
      assert.equal(entry.operation?.state, 'succeeded');
      assert.equal(entry.body, JSON.stringify({ items: listed }));
    });

    const gone = 'not listed as orphans any more';
    for (const [what, orphans, progress, words] of [
      ['has ended when none is listed any more', [{ kind: 'image', name: 'data' }], 'over', gone],
      [
        'is left when the list says nothing of them',
        [{ ...listed[1] }],
        'left noPolling',
        'running · removing',
      ],
      ['is left when there is no list', undefined, 'left noPolling', 'running · removing'],
    ] as const) {
      it(what, async () => {
        const { client, sent } = cleanUpServer([
          accepted,
          { operation: running, replayed: true },
          httpError(409, 'ORPHAN_SNAPSHOT_STALE'),
        ]);
        const listOrphans = () => Promise.resolve(orphans && { orphans: [...orphans] });
        const window = await openOn({ ...client, listOrphans });
        const id = await clock.run(window.activity.start(cleanUpKind, target));
        const isLeft = ({ progress: { kind } }: ActivityEntry): boolean =>
          ['over', 'left'].includes(kind);
        const entry = await clock.run(until(window, id, isLeft));
        assert.equal(progressOf(entry), progress);
        assert.lengthOf(sent, 3);
        assert(isOfKind(entry, cleanUpKind));
        assert.equal(cleanUpKind.words(entry, scene({}).context), words);
        assert.equal(cleanUpKind.status(entry).icon, words === gone ? 'pass-filled' : 'sync~spin');
      });
    }

    it('is not read from what was stored if it is not what was shown', () => {
      const valid = {
        ...{ id: uuid(1), kind: 'cleanUp', at: 1, connection, progress: { kind: 'sending' } },
        ...{ serverId: request.serverId, idempotencyKey: uuid(2), items: ['data'], listed },
        ...{ body: JSON.stringify({ items: listed }), operation },
      };
      const isRead = (change: object): boolean =>
        v.safeParse(cleanUpKind.schema, { ...valid, ...change }).success;
      assert.isTrue(isRead({}));
      const other = [...listed, { kind: 'volume', name: 'other' }];
      assert.isFalse(isRead({ listed: other, body: JSON.stringify({ items: other }) }));
      assert.isFalse(isRead({ body: cleanupText(['data']) }));
      assert.isFalse(isRead({ listed: [{ kind: '<b>', name: 'data' }] }));
    });
  });

  it('is not sent if it cannot be saved', async () => {
    const { client, sent } = cleanUpServer([accepted]);
    const window = await openOn(client);
    disk.failing = 1;
    const failure = await window.activity.start(cleanUpKind, request).catch(String);
    assert.equal(failure, 'Error: The disk is full.');
    await clock.advance(60_000);
    assert.isEmpty(sent);
    assert.isEmpty(window.activity.entries);
  });

  it('is watched until it ends, and shows each change', async () => {
    const result = { exitCode: 0, output: 'x'.repeat(100_000) };
    const { client } = cleanUpServer([accepted], [running, { ...over, result }]);
    const window = await openOn(client);
    const phases: (string | undefined)[] = [];
    window.activity.onDidChange((change) => {
      const { entry: now } = change ?? {};
      if (isOfKind(now, cleanUpKind)) phases.push(now.operation?.phase);
    });
    const entry = await start(window, isOver);
    await settle();
    assert.include(entry.operation?.result, { exitCode: 0 });
    assert.deepEqual([...new Set(phases)], [undefined, 'queued', 'removing', 'done']);
    const [text] = [...disk.files.values()];
    assert.include(text, '"state":"succeeded"');
    assert.isBelow(text!.length, 10_000, 'large texts are cut');
    assert.equal(window.activity.running, 0);
    assert.equal(clock.liveTimers, 0);
  });

  it(`is sent again with the same key and items, and says that it was replayed ${covers('F43', 'unit')}`, async () => {
    const { client, sent } = cleanUpServer([network(), { ...accepted, replayed: true }], [over]);
    const window = await openOn(client);
    const entry = await start(window, isOver);
    assert.lengthOf(sent, 2);
    assert.deepEqual(sent[0], sent[1]);
    assert.isTrue(entry.replayed);
    assert.isEmpty(window.asked);
  });

  it(`asks after three tries, and sends the same request again only if the user wants it ${covers('F43', 'unit')}`, async () => {
    const { client, sent } = cleanUpServer([network(), network(), network(), accepted], [over]);
    const window = await openOn(client);
    const entry = await start(window, isUnknown);
    await clock.advance(3_600_000);
    assert.lengthOf(sent, 3, 'the question is still open');
    assert.deepEqual(
      window.asked.map(({ id }) => id),
      [entry.id],
    );
    await window.activity.close();

    const next = openWindow(clock, disk, client);
    await clock.run(next.open());
    await clock.advance(60_000);
    assert.isEmpty(next.asked, 'asked once');
    next.activity.sendAgain(entry.id);
    await clock.run(until(next, entry.id, isOver));
    assert.lengthOf(sent, 4);
    assert.lengthOf(new Set(sent.map((one) => JSON.stringify(one))), 1);
  });

  it('stays unknown if it is refused when the user sends it again', async () => {
    const failures = [network(), network(), network()];
    const { client, sent } = cleanUpServer([...failures, httpError(403, 'forbidden')]);
    const window = await openOn(client);
    const { id } = await start(window, isUnknown);
    await settle();
    window.activity.sendAgain(id);
    await settle();
    assert.lengthOf(sent, 4);
    assert.equal(progressOf(window.activity.find(id)), 'unknown noAnswer');
  });

  it('can be sent again or removed from its row while the question is open', async () => {
    const failures = [network(), network(), network()];
    const { client, sent } = cleanUpServer([...failures, accepted, ...failures], [over]);
    const window = await openOn(client);
    const first = await start(window, isUnknown);
    await settle();
    window.activity.sendAgain(first.id);
    await clock.run(until(window, first.id, isOver));
    assert.lengthOf(sent, 4);
    const second = await start(window, isUnknown);
    await settle();
    await clock.run(window.activity.remove(second.id));
    assert.lengthOf(window.activity.entries, 1);
    await clock.advance(60_000);
    assert.lengthOf(sent, 7);
  });

  it('continues on the server when watching stops, and can be watched again', async () => {
    const all = cleanUpServer([accepted], [running, over]);
    const window = await openOn(all.client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'following');
    window.activity.stop(id);
    const left = await clock.run(until(window, id, ({ progress }) => progress.kind === 'left'));
    assert.equal(progressOf(left), 'left stopped');
    await clock.advance(60_000);
    assert.equal(all.polls, 0);
    await settle();
    window.activity.watchAgain(id);
    await clock.run(until(window, id, isOver));
  });

  it(`is accepted by a server without operation endpoint, which is detected once ${covers('F46', 'unit')}`, async () => {
    const noEndpoint = httpError(404, 'noErrorObject');
    const all = cleanUpServer([accepted], [noEndpoint]);
    const window = await openOn(all.client);
    const isLeft = ({ progress }: ActivityEntry): boolean => progress.kind === 'left';
    assert.equal(progressOf(await start(window, isLeft)), 'left noPolling');
    assert.equal(all.polls, 3);
    assert.equal(progressOf(await start(window, isLeft)), 'left noPolling');
    assert.equal(all.polls, 3);
  });
});

const server = uuid(1);
const { signal } = new AbortController();
const nothing = { names: new Set<string>(), nameless: new Set<string>() };

function record(name: string, id: number, at: string): LogRecord {
  const timestamp = `2026-11-${at}Z`;
  return logRecord({ workloadName: name, workloadId: uuid(id), timestamp });
}

/** A server that computes a response from the request and the number of earlier requests. */
function logs(answer: (request: LogQueryRequest, before: number) => LogRecord[], hasMore = false) {
  const requests: LogQueryRequest[] = [];
  const client = wireClient({
    queryLogs(request: LogQueryRequest) {
      const records = answer(request, requests.length);
      requests.push(request);
      const isLast = !hasMore || records.length === 0;
      return Promise.resolve(
        logAnswer(records, {
          hasMore: !isLast,
          nextCursor: isLast ? null : `next ${requests.length}`,
        }),
      );
    },
  });
  return { client, requests };
}

const search = (client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>, known = nothing) =>
  findOrphanCandidates({ client, signal, serverId: server, known });

describe('findOrphanCandidates', () => {
  it('finds unknown names of the last seven days, the last seen first', async () => {
    const { client, requests } = logs(() => [
      record('web-api', 10, '20T11:00:00'),
      record('old-api', 11, '18T11:00:00'),
      record('tmp', 12, '19T11:00:00'),
      record('old-api', 13, '17T11:00:00'),
      record(' ', 14, '17T11:00:00'),
    ]);
    const known = { ...nothing, names: new Set(['web-api']) };
    const found = await search(client, known);
    assert.deepEqual(found, {
      candidates: [
        { name: 'tmp', lastSeen: '2026-11-19T11:00:00Z' },
        { name: 'old-api', lastSeen: '2026-11-18T11:00:00Z' },
      ],
      isWhole: true,
    });
    assert.deepEqual(requests[0]?.filters.serverIds, [server]);
    assert.equal(requests[0]?.filters.from, '2026-11-13T12:00:00.000Z');
    assert.equal(requests[0]?.filters.to, '2026-11-20T12:00:00.000Z');
  });

  it('compares names without case, and ids of known workloads without a name', async () => {
    const { client } = logs(() => [
      record('Web-API', 10, '20T11:00:00'),
      record('renamed', 11, '20T10:00:00'),
      record('gone', 12, '20T09:00:00'),
    ]);
    const known = { names: new Set(['web-api']), nameless: new Set([uuid(11)]) };
    const { candidates } = await search(client, known);
    assert.deepEqual(
      candidates.map(({ name }) => name),
      ['gone'],
    );
  });

  it('reads at most six pages, then searches for workloads that were not found yet', async () => {
    const { client, requests } = logs(({ filters }) => {
      const isFiltered = filters.conditionGroup !== undefined;
      const excluded = filters.conditionGroup?.conditions.map(({ value }) => value) ?? [];
      if (!isFiltered) return [record('web-api', 10, '20T11:00:00')];
      return excluded.includes(uuid(11)) ? [] : [record('quiet', 11, '14T11:00:00')];
    }, true);
    const found = await search(client);
    assert.lengthOf(requests, 8);
    assert.isUndefined(requests[0]?.cursor);
    assert.equal(requests[5]?.cursor, 'next 5');
    assert.deepEqual(requests[7]?.filters.conditionGroup, {
      match: 'and',
      conditions: [
        { field: 'workloadId', operator: 'not_equals', value: uuid(10) },
        { field: 'workloadId', operator: 'not_equals', value: uuid(11) },
      ],
    });
    assert.deepEqual(
      found.candidates.map(({ name }) => name),
      ['web-api', 'quiet'],
    );
    assert.isTrue(found.isWhole, 'all other workloads were found');
  });

  it('says that there may be more when the limit is reached', async () => {
    const fresh = logs((_, before) => [record(`w-${before}`, 100 + before, '20T11:00:00')], true);
    assert.isFalse((await search(fresh.client)).isWhole);
    assert.lengthOf(fresh.requests, 10);
    const loud = logs(
      () => Array.from({ length: 12 }, (_, index) => record(`w-${index}`, index, '20T11:00:00')),
      true,
    );
    assert.isFalse((await search(loud.client)).isWhole, 'more workloads than can be excluded');
    assert.lengthOf(loud.requests, 7);
    assert.lengthOf(loud.requests[6]?.filters.conditionGroup?.conditions ?? [], 8);
  });

  it('throws the error of the server', async () => {
    const refused = {
      serverNow: () => 0,
      queryLogs: () => Promise.reject(httpError(403, 'forbidden')),
    };
    const error: unknown = await search(refused).catch((one: unknown) => one);
    assert.include(error as object, { status: 403 });
  });
});

describe('knownWorkloads', () => {
  const source = uuid(5);
  const given = { sources: [{ id: source }, { id: uuid(6) }] };

  it('contains all names of the workloads of the server, the resources and their containers', async () => {
    const made = scene(
      {
        listAlertRules: () =>
          Promise.resolve(
            read('AlertListing', { workloads: [{ name: 'Web-API' }, { id: uuid(20) }, {}] }),
          ),
        listResources: ({ sourceId: id }) =>
          id === source
            ? Promise.resolve(
                read('ResourceListing', {
                  resources: [
                    {
                      id: uuid(21),
                      name: 'search',
                      config: { name: 'search-cfg' },
                      runtimeState: {
                        observedContainerName: 'search-7f',
                        ingressContainerName: 'edge-7f',
                      },
                    },
                    { id: uuid(22).toUpperCase() },
                  ],
                }),
              )
            : Promise.reject(httpError(404, 'not_found')),
      },
      given,
    );
    await made.load(...orphanKeys(made.context, server));
    const { names, nameless, missing } = knownWorkloads(made.context, server);
    assert.sameMembers([...names], ['web-api', 'search', 'search-cfg', 'search-7f', 'edge-7f']);
    assert.sameMembers([...nameless], [uuid(20), uuid(22)]);
    assert.deepEqual(missing, [{ kind: 'resources', id: uuid(6) }]);
    assert.deepEqual(
      knownItems(made.context, server, ['old-api', 'SEARCH', 'web-api', 'edge-7f']),
      [
        { name: 'SEARCH', source: { id: source } },
        { name: 'web-api', source: undefined },
        { name: 'edge-7f', source: { id: source } },
      ],
      'what is deployed or runs is no orphan',
    );
  });

  it('is empty and says what is missing if nothing is loaded', () => {
    const { context } = scene({}, given);
    const { names, missing } = knownWorkloads(context, server);
    assert.equal(names.size, 0);
    assert.lengthOf(missing, 3);
  });
});

/** Responses that leave open whether a clean-up with this idempotency key is running. */
const open = [httpError(409, 'request_in_progress'), httpError(422, 'unprocessable')];

describe('a clean-up whose response leaves its outcome open', () => {
  let clock: FakeClock;
  let disk: Disk;

  beforeEach(() => {
    clock = fakeClock();
    disk = createDisk();
  });

  const start = (window: Window, wanted: (entry: ActivityEntry) => boolean) =>
    startedCleanUp(clock, window, wanted);

  for (const error of open) {
    const name = `${error.status} ${error.code}`;

    it(`is looked up with the same key after ${name} ${covers('F45', 'unit')}`, async () => {
      const { client, sent } = cleanUpServer([error, error, accepted], [over]);
      const window = await openedWindow(clock, disk, client);
      await start(window, isOver);
      assert.lengthOf(sent, 3);
      assert.lengthOf(new Set(sent.map((one) => JSON.stringify(one))), 1);
      assert.isEmpty(window.asked);
    });

    it(`is asked about, never shown as refused, after a lost response and ${name} ${covers('F45, F65', 'unit')}`, async () => {
      const { client, sent } = cleanUpServer([network(), error]);
      const window = await openedWindow(clock, disk, client);
      const reported: string[] = [];
      window.activity.onDidChange((change) => {
        if (change?.entry) reported.push(progressOf(change.entry));
      });
      const from = clock.monotonic();
      const { id, progress } = await start(window, isUnknown);
      assert.isAtLeast(clock.monotonic() - from, 30_000, 'it may be in progress');
      assert.isAtMost(clock.monotonic() - from, 60_000);
      assert.deepInclude('problem' in progress ? progress.problem : {}, { code: error.code });
      assert.deepEqual([...new Set(reported)], ['sending', 'unknown noAnswer']);
      assert.lengthOf(window.asked, 1);
      const tries = sent.length;
      await clock.advance(3_600_000);
      assert.lengthOf(sent, tries, 'until the user decides');
      window.activity.sendAgain(id);
      await clock.advance(60_000);
      assert.isAbove(sent.length, tries);
      assert.lengthOf(new Set(sent.map((one) => JSON.stringify(one))), 1);
    });
  }

  for (const [step, failure] of [
    ['looked up', httpError(409, 'in_progress')],
    ['tried again', network()],
  ] as const) {
    it(`that is stopped while it is ${step} is unknown, and asked about at once ${covers('F87', 'unit')}`, async () => {
      const { client, sent } = cleanUpServer([failure, accepted], [over]);
      const window = await openedWindow(clock, disk, client);
      const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
      await settle();
      window.activity.stop(id);
      const stopped = await clock.run(until(window, id, isUnknown));
      assert.equal(progressOf(stopped), 'unknown stopped');
      assert.lengthOf(sent, 1);
      await settle();
      assert.deepEqual(
        window.asked.map((entry) => progressOf(entry)),
        ['unknown stopped'],
      );
      // The next start asks in the same words: the window was not closed meanwhile.
      await window.activity.close();
      const next = await openedWindow(clock, disk, client);
      await clock.advance(60_000);
      assert.deepEqual(
        next.asked.map((entry) => progressOf(entry)),
        ['unknown stopped'],
      );
    });
  }

  it(`that was stopped is sent again with its key if the user wants it, and can be stopped again ${covers('F87', 'unit')}`, async () => {
    const { client, sent } = cleanUpServer([network(), network(), accepted], [over]);
    const window = await openedWindow(clock, disk, client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
    await settle();
    window.activity.stop(id);
    await clock.run(until(window, id, isUnknown));
    window.activity.sendAgain(id);
    await settle();
    assert.lengthOf(sent, 2);
    window.activity.stop(id);
    await clock.run(until(window, id, isUnknown));
    window.activity.sendAgain(id);
    await clock.run(until(window, id, isOver));
    assert.lengthOf(sent, 3);
    assert.lengthOf(new Set(sent.map(({ parameters }) => parameters['Idempotency-Key'])), 1);
  });
});

describe('orphans that a server lists', () => {
  const { signal } = new AbortController();

  it('are candidates, one for each name, with what the server says of them', async () => {
    const orphans = await listedOrphans(
      {
        listOrphans: () =>
          Promise.resolve({
            orphans: [
              { kind: 'volume', name: 'data', reason: 'no workload owns it' },
              { kind: 'container', name: 'data' },
              ...[{ name: 'no kind' }, { kind: 'image' }, { kind: '<b>', name: 'odd' }, {}],
            ],
          }),
      },
      uuid(1),
      signal,
    );
    assert.deepEqual(candidatesOf(orphans!), {
      candidates: [{ name: 'data', listed: 'volume · no workload owns it, container' }],
      isWhole: true,
      isListed: true,
    });
  });

  it('are unknown if it does not describe that it lists them', async () => {
    const client = { listOrphans: () => Promise.resolve(undefined) };
    assert.isUndefined(await listedOrphans(client, uuid(1), signal));
  });
});
