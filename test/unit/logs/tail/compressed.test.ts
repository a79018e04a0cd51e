import { assert } from 'chai';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createClient } from '../../../../src/api/createClient';
import { defaults } from '../../api/inMemoryServer';
import { loopbackServers } from '../../api/loopbackServers';
import { fastClock } from '../../api/realClock';
import { pageServer, pageText } from './pageServer';
import { recordTail } from './recordedTail';
import { seededRandom } from './seededRandom';
import { ids } from './simulatedServer';

/** What becomes of a compressed stream of which only the first bytes come. */
type Fate = 'ends' | 'breaks' | 'stalls' | 'was never compressed';

const fates: readonly Fate[] = ['ends', 'breaks', 'stalls', 'was never compressed'];
const streams = 150;

function send(response: ServerResponse, text: string, fate: Fate, share: number): void {
  const bytes = fate === 'was never compressed' ? Buffer.from(text) : gzipSync(text);
  const part = bytes.subarray(0, Math.floor(share * bytes.length));
  if (fate === 'ends' || fate === 'was never compressed') response.end(part);
  else if (fate === 'stalls') response.write(part);
  // What was written comes before the end of the connection.
  else response.write(part, () => response.socket?.end());
}

describe('Compressed streams on loopback', () => {
  const servers = loopbackServers();
  afterEach(() => servers.close());

  it('lose and repeat nothing where they are cut anywhere, stall or are none (F13)', async function () {
    this.timeout(60_000);
    const random = seededRandom(5);
    const counts: Partial<Record<Fate, number>> = {};
    let log = 0;
    let opened = 0;
    const server = pageServer(
      (response, cursor) => {
        log += 3;
        let text = '';
        for (let at = cursor; at < log; at++) text += pageText(at, 1);
        if (opened++ >= streams) {
          response.write(gzipSync(text));
          return;
        }
        const fate = fates[Math.floor(random() * fates.length)] ?? 'ends';
        counts[fate] = (counts[fate] ?? 0) + 1;
        send(response, text, fate, random());
      },
      { encoding: 'gzip' },
    );
    // A stream that stalls is given up after 90 s, and there are ten connects a minute.
    const clock = fastClock(3000);
    const client = createClient({
      baseUrl: `http://127.0.0.1:${await servers.listen(server)}`,
      token: () => Promise.resolve('key'),
      fetch: (request) => fetch(request),
      clock,
      random,
      settings: () => ({ ...defaults, timeoutSeconds: 30_000 }),
    });
    const recorded = recordTail({ client, clock, random, readKey: () => Promise.resolve('key') });
    const { tail } = recorded;
    try {
      tail.start();
      await recorded.until(() => opened > streams && recorded.ids.length >= log);
      assert.deepEqual(recorded.ids, ids(0, log));
      assert.equal(tail.counters.leftOut, 0);
      for (const fate of fates) assert.isAbove(counts[fate] ?? 0, streams / 8, fate);
    } finally {
      tail.stop();
    }
  });
});
