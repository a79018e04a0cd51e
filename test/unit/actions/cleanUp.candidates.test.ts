import { assert } from 'chai';
import { findOrphanCandidates, knownWorkloads, orphanKeys } from '../../../src/actions/cleanUp';
import type { ControlPlaneClient } from '../../../src/api/client';
import type { LogQueryRequest, LogRecord } from '../../../src/api/types';
import { httpError, logAnswer, logRecord } from '../data/fakeClient';
import { read, scene, uuid } from '../trees/treeText';
import { wireClient } from '../logs/wireClient';

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
        listResources: (id) =>
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
    assert.deepEqual(missing, [{ kind: 'resources', sourceId: uuid(6) }]);
  });

  it('is empty and says what is missing if nothing is loaded', () => {
    const { context } = scene({}, given);
    const { names, missing } = knownWorkloads(context, server);
    assert.equal(names.size, 0);
    assert.lengthOf(missing, 3);
  });
});
