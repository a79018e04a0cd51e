import { assert } from 'chai';
import { makeConnection } from '../../../src/connection/connections';
import { signInto, typedKey, type SignedInConnection } from '../../../src/connection/signedIn';
import { fakeClock } from '../fakeClock';
import { defaults } from '../api/cannedAnswers';

describe('A signed-in connection', () => {
  function signedIn(ahead: number): {
    connection: SignedInConnection;
    ask: () => Promise<unknown>;
  } {
    const clock = fakeClock();
    const connection = makeConnection('shop', 'https://shop.example')!;
    const date = new Date(clock.now() + ahead).toUTCString();
    const { signedIn: made } = signInto(connection, typedKey(connection, 'key'), {
      clock,
      random: () => 0.5,
      settings: () => defaults,
      fetch: () => Promise.resolve(Response.json({}, { headers: { date } })),
    });
    return {
      connection: made,
      ask: () => made.client.listIntegrations({ signal: new AbortController().signal }),
    };
  }

  it('knows how far the clock of the control plane is ahead or behind', async () => {
    for (const ahead of [-3_600_000, 0, 3_600_000]) {
      const { connection, ask } = signedIn(ahead);
      assert.equal(connection.clockAhead, 0, 'there was no answer yet');
      await ask();
      assert.closeTo(connection.clockAhead, ahead, 1000);
    }
  });

  it('ignores differences below the resolution of the header or the duration of an answer', async () => {
    const { connection, ask } = signedIn(-3000);
    await ask();
    assert.equal(connection.clockAhead, 0);
  });
});
