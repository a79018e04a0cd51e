import { assert } from 'chai';
import type { RequestEntry } from '../../../src/api/sendRequest';
import { covers } from '../covers';
import {
  bodyOf,
  broken,
  canary,
  failure,
  filters,
  harness,
  json,
  refusal,
  silent,
} from './cannedAnswers';
import { records } from './streamText';

describe('the lifetime of a client', () => {
  const reason = new Error('the connection was left');

  it(`ends an open stream ${covers('F63', 'unit')}`, async () => {
    const life = new AbortController();
    const stream = broken(bodyOf([records('c2')], 'stall'), {
      headers: { 'content-type': 'text/event-stream' },
    });
    const { client, signal } = harness(stream, { lifetime: life.signal });
    const opened = await client.openLogStream({ filters }, { signal, priority: 'person' });
    const read = failure(
      (async () => {
        for await (const items of opened) {
          assert.lengthOf(items, 1);
          life.abort(reason);
        }
      })(),
    );
    assert.strictEqual(await read, reason);
  });

  it(`reads no key and sends nothing after its end ${covers('F63', 'unit')}`, async () => {
    const life = new AbortController();
    let reads = 0;
    const { client, received, signal } = harness(json({}), {
      lifetime: life.signal,
      token: () => Promise.resolve(`${canary}${++reads}`),
    });
    life.abort(reason);
    assert.strictEqual(
      await failure(client.listIntegrations({ signal, priority: 'person' })),
      reason,
    );
    assert.lengthOf(received, 0);
    assert.equal(reads, 0);
  });

  it('does not end with a single call', async () => {
    const life = new AbortController();
    const answers = [silent, json({})];
    const { client, clock, signal, abort } = harness(answers, { lifetime: life.signal });
    const end = failure(client.listIntegrations({ signal, priority: 'person' }));
    await clock.advance(0);
    abort(reason);
    assert.strictEqual(await end, reason);
    await client.listIntegrations({ signal: new AbortController().signal, priority: 'person' });
  });

  it('reports the requests of a call to the call and to the client', async () => {
    const reported: RequestEntry[] = [];
    const { client, clock, entries, signal } = harness([refusal(500), json({})]);
    const onDidRequest = (entry: RequestEntry): void => void reported.push(entry);
    await clock.run(client.listIntegrations({ signal, priority: 'person', onDidRequest }));
    assert.deepEqual(
      reported.map(({ status }) => status),
      [500, 200],
    );
    await clock.run(client.listIntegrations({ signal, priority: 'person' }));
    assert.lengthOf(reported, 2);
    assert.lengthOf(entries, 3);
  });
});
