import { assert } from 'chai';
import type { LogQueryRequest } from '../../../src/api/types';
import { tryKey } from '../../../src/connection/check';
import { fakeClock } from '../fakeClock';
import { fakeClient, httpError, logAnswer } from '../inventory/fakeClient';
import { wireClient } from '../logs/wireClient';

const { signal } = new AbortController();

describe('key trial', () => {
  const outcomes = [
    [401, 'invalid'],
    [403, 'withoutLogs'],
    [500, 'unknown'],
  ] as const;
  for (const [status, kind] of outcomes) {
    it(`takes ${status} for ${kind}`, async () => {
      const client = fakeClient({ queryLogs: () => Promise.reject(httpError(status, 'code')) });
      assert.equal((await tryKey(client, fakeClock(), signal)).kind, kind);
    });
  }

  it('asks for one record and no more', async () => {
    const limits: unknown[] = [];
    const client = wireClient({
      queryLogs: ({ limit }: LogQueryRequest) => {
        limits.push(limit);
        return Promise.resolve(logAnswer([]));
      },
    });
    assert.deepEqual(await tryKey(client, fakeClock(), signal), { kind: 'valid' });
    assert.deepEqual(limits, [1]);
  });
});
