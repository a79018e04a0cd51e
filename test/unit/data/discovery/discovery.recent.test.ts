import { assert } from 'chai';
import { recentWorkloads } from '../../../../src/data/discovery/discovery';
import type { LogQueryRequest } from '../../../../src/api/types';
import { wireClient } from '../../logs/wireClient';
import { logAnswer, logRecord } from '../fakeClient';

const { signal } = new AbortController();

describe('Recent workloads', () => {
  it('are collected with servers and deployments over pages, newest first', async () => {
    const cursors: unknown[] = [];
    const at = (second: number): string => `2026-11-20T12:00:0${second}.000Z`;
    const client = wireClient({
      queryLogs: ({ cursor }: LogQueryRequest) => {
        cursors.push(cursor);
        return Promise.resolve(
          cursor === undefined
            ? logAnswer(
                [
                  logRecord({ workloadId: 'a', workloadName: 'web', timestamp: at(3) }),
                  logRecord({ workloadId: 'a', workloadName: 'old name', timestamp: at(2) }),
                ],
                { nextCursor: 'next', hasMore: true },
              )
            : logAnswer([
                logRecord({
                  workloadId: 'b',
                  workloadName: 'job',
                  deploymentId: 'd',
                  serverId: 's',
                  timestamp: at(5),
                }),
              ]),
        );
      },
    });
    const seen = await recentWorkloads(client, signal);
    assert.deepEqual(cursors, [undefined, 'next']);
    assert.deepEqual(
      seen.workloads.map(({ name }) => name),
      ['job', 'web'],
    );
    assert.deepEqual(
      seen.servers.map(({ id }) => id),
      ['s', logRecord().serverId],
    );
    assert.deepEqual(seen.deployments, [{ id: 'd', name: 'job', lastSeen: at(5) }]);
  });

  it('take a limited number of pages', async () => {
    let pages = 0;
    const client = wireClient({
      queryLogs: () => {
        pages++;
        return Promise.resolve(logAnswer([], { nextCursor: `next ${pages}`, hasMore: true }));
      },
    });
    await recentWorkloads(client, signal);
    assert.equal(pages, 4);
  });
});
