import { assert } from 'chai';
import type { CallOptions, ControlPlaneClient } from '../../../src/api/client';
import { ApiError } from '../../../src/api/errors';
import type { LogQueryRequest } from '../../../src/api/types';
import { checkConnection, clockSkew, tryKey } from '../../../src/connection/checkConnection';
import { failure } from '../api/cannedAnswers';
import { covers } from '../covers';
import { fakeClock } from '../fakeClock';
import { fakeClient, httpError, logAnswer, logRecord } from '../data/fakeClient';
import { wireClient } from '../logs/wireClient';

const { signal } = new AbortController();

/** The lines of the report, one for each permission. */
async function check(
  given: Partial<ControlPlaneClient>,
): Promise<{ text: string; reachable: boolean }> {
  const report = await checkConnection(fakeClient(given), fakeClock(), signal);
  const lines = report.permissions.map(([permission, state]) =>
    state.kind === 'notTried' ? `${permission}: ${state.why}` : `${permission}: ${state.kind}`,
  );
  return { text: lines.join('\n'), reachable: report.reachable };
}

describe('Check Connection', () => {
  it('asks the server for all permissions, where it says them', async () => {
    const { text, reachable } = await check({
      getIdentity: () =>
        Promise.resolve({ capabilities: ['logs.read', 'repository.sync', 'deployment.create'] }),
    });
    assert.isTrue(reachable);
    assert.equal(
      text,
      [
        ...['logs.read: granted', 'server.remove: missing', 'alert.read: missing'],
        ...['repository.read: missing', 'secret.list: missing', 'repository.connect: missing'],
        ...['resource.read: missing', 'repository.sync: granted', 'integration.manage: missing'],
      ].join('\n'),
    );
  });

  it('tries a search with a key that may only read, which the control plane may refuse', async () => {
    const capabilities = ['logs.read', 'repository.read'];
    for (const [queryLogs, state] of [
      [() => Promise.reject(httpError(403, 'forbidden')), 'onlyReads'],
      [() => Promise.resolve(logAnswer([])), 'granted'],
    ] as const) {
      const { text } = await check({
        getIdentity: () => Promise.resolve({ capabilities }),
        ...wireClient({ queryLogs }),
      });
      assert.include(text, `logs.read: ${state}`);
      assert.include(text, 'repository.read: granted');
    }
  });

  it('uses one answer for the next request and tries every read permission', async () => {
    const asked: string[] = [];
    const { text, reachable } = await check({
      ...wireClient({
        queryLogs: () => Promise.resolve(logAnswer([logRecord({ serverId: 'server' })])),
      }),
      listAlertRules: ({ serverId }) => {
        asked.push(serverId);
        return Promise.resolve({ workloads: [{ id: 'w' }, { sourceId: 'source' }] });
      },
      listResources: ({ sourceId }) => {
        asked.push(sourceId);
        return Promise.resolve({ resources: [{}, { id: 'resource' }] });
      },
      listSecrets: ({ ownerId: sourceId }) => {
        asked.push(sourceId);
        return Promise.resolve({});
      },
      listDeployments: ({ resourceId }) => {
        asked.push(resourceId);
        return Promise.resolve({});
      },
      listRepositories: () => Promise.resolve({}),
      listIntegrations: () => Promise.resolve({}),
    });
    assert.isTrue(reachable);
    assert.deepEqual(asked, ['server', 'source', 'source', 'resource']);
    assert.equal(
      text,
      [
        'logs.read: granted',
        'alert.read: granted',
        'repository.read: granted',
        'secret.list: granted',
        'resource.read: granted',
        'repository.connect: granted',
        'integration.manage: granted',
        'repository.sync: changesThings',
        'server.remove: changesThings',
      ].join('\n'),
    );
  });

  it('names missing permissions, and what it could not try without them', async () => {
    const { text, reachable } = await check({ listIntegrations: () => Promise.resolve({}) });
    assert.isTrue(reachable);
    assert.equal(
      text,
      [
        'logs.read: missing',
        'alert.read: noServer',
        'repository.read: noSource',
        'secret.list: noSource',
        'resource.read: noResource',
        'repository.connect: missing',
        'integration.manage: granted',
        'repository.sync: changesThings',
        'server.remove: changesThings',
      ].join('\n'),
    );
  });

  it(`requests the configured sources and servers, and blames the key only if all are refused ${covers('F75', 'unit')}`, async () => {
    const asked: string[] = [];
    const listResources = ({ sourceId }: { sourceId: string }): Promise<object> => {
      asked.push(sourceId);
      return sourceId === 'shop'
        ? Promise.reject(httpError(403, 'forbidden'))
        : Promise.resolve({});
    };
    const refused = (): Promise<never> => Promise.reject(httpError(403, 'forbidden'));
    const client = fakeClient({ listResources, listSecrets: refused });
    const configured = { sources: ['shop', 'data', 'more'], servers: ['eu-1'] };
    const { permissions } = await checkConnection(client, fakeClock(), signal, configured);
    const states = new Map(permissions.map(([name, { kind }]) => [name, kind]));
    assert.equal(states.get('repository.read'), 'granted');
    assert.equal(states.get('secret.list'), 'missing');
    assert.equal(states.get('alert.read'), 'missing');
    assert.deepEqual(asked, ['shop', 'data']);
  });

  for (const [order, statuses] of [
    ['before', [403, 500]],
    ['after', [500, 403]],
  ] as const) {
    it(`names a permission missing if one object is refused ${order} another fails ${covers('F75', 'unit')}`, async () => {
      const left = [...statuses];
      const listResources = (): Promise<never> =>
        Promise.reject(httpError(left.shift() ?? 0, 'code'));
      const configured = { sources: ['shop', 'data'] };
      const client = fakeClient({ listResources });
      const { permissions } = await checkConnection(client, fakeClock(), signal, configured);
      assert.isEmpty(left, 'both are tried');
      assert.equal(new Map(permissions).get('repository.read')?.kind, 'missing');
    });
  }

  it('distinguishes a failing control plane from an unreachable one', async () => {
    const failing = await check({ queryLogs: () => Promise.reject(httpError(500, 'internal')) });
    assert.isTrue(failing.reachable);
    assert.include(failing.text, 'logs.read: failed');
    const refused = (): Promise<never> =>
      Promise.reject(new ApiError({ kind: 'network', code: 'network', message: 'refused' }));
    const gone = await check({
      queryLogs: refused,
      listRepositories: refused,
      listIntegrations: refused,
    });
    assert.isFalse(gone.reachable);
  });

  it('ends at once when it is aborted', async () => {
    const controller = new AbortController();
    const client = fakeClient({
      queryLogs: () => {
        controller.abort();
        return Promise.reject(new Error('aborted'));
      },
    });
    const check = checkConnection(client, fakeClock(), controller.signal);
    assert.isDefined(await failure(check));
  });

  it('takes the time of the server from the first answer that has it', async () => {
    const clock = fakeClock();
    const report = ({ onDidRequest }: CallOptions, ...dates: (string | undefined)[]): void =>
      dates.forEach((date) =>
        onDidRequest?.({
          method: 'GET',
          path: '/',
          status: 200,
          milliseconds: 1,
          requestId: undefined,
          date,
          failure: undefined,
          leftOut: [],
        }),
      );
    const client = fakeClient({
      listIntegrations(_, options) {
        const ahead = new Date(clock.now() + 90_000).toUTCString();
        report(options, undefined, ahead, new Date(0).toUTCString());
        return Promise.resolve({});
      },
    });
    assert.equal((await checkConnection(client, clock, signal)).clockSkew, 90_000);
    assert.isUndefined((await checkConnection(fakeClient({}), clock, signal)).clockSkew);
  });

  it('reads the time of the server from the Date header', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    assert.equal(clockSkew('Fri, 20 Nov 2026 12:01:30 GMT', now), 90_000);
    assert.isUndefined(clockSkew('soon', now));
    assert.isUndefined(clockSkew(undefined, now));
  });
});

describe('Key trial', () => {
  const outcomes = [
    [401, 'invalid'],
    [403, 'withoutLogs'],
    [500, 'unknown'],
  ] as const;
  for (const [status, kind] of outcomes) {
    it(`returns ${kind} for ${status}`, async () => {
      const client = fakeClient({ queryLogs: () => Promise.reject(httpError(status, 'code')) });
      assert.equal((await tryKey(client, signal)).kind, kind);
    });
  }

  it('requests only one record', async () => {
    const limits: unknown[] = [];
    const client = wireClient({
      queryLogs: ({ limit }: LogQueryRequest) => {
        limits.push(limit);
        return Promise.resolve(logAnswer([]));
      },
    });
    assert.deepEqual(await tryKey(client, signal), { kind: 'valid' });
    assert.deepEqual(limits, [1]);
  });
});
