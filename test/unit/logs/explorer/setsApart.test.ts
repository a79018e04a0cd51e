import { assert } from 'chai';
import { createRandom } from '../../../control-plane/random';
import type { LogRecord } from '../../../../src/api/types';
import { setsApart } from '../../../../src/logs/explorer/setsApart';
import { shortOrLong } from '../../long';
import { sampleRecord } from '../sampleRecord';

const pause = () => Promise.resolve();

function records(count: number, change: (index: number) => Partial<LogRecord>): LogRecord[] {
  return Array.from({ length: count }, (_, index) =>
    sampleRecord({ eventId: String(index), ...change(index) }),
  );
}

describe('what sets records apart', () => {
  it('is the value of each field that differs most, with both shares', async () => {
    const found = await setsApart(
      records(100, (index) => ({
        containerId: 'a',
        attributes: { region: index < 80 ? 'eu' : 'us' },
      })),
      records(1000, (index) => ({
        containerId: index % 4 === 0 ? 'a' : 'b',
        attributes: { region: ['eu', 'us', 'asia', 'africa', 'mars'][index % 5] ?? '' },
      })),
      pause,
    );
    assert.deepEqual(found, [
      { field: 'container', value: 'a', share: 1, otherShare: 0.25 },
      { field: 'attr.region', value: 'eu', share: 0.8, otherShare: 0.2 },
    ]);
  });

  it('can be that a field has any value, or lacks one', async () => {
    const chosen = records(50, (index) => ({ attributes: { retry: String(index) } }));
    const others = records(500, () => ({ attributes: { cached: 'yes' } }));
    assert.deepEqual(await setsApart(chosen, others, pause), [
      { field: 'attr.retry', value: undefined, share: 1, otherShare: 0 },
      { field: 'attr.cached', value: 'yes', share: 0, otherShare: 1 },
    ]);
  });

  it('is nothing if fields differ by chance only, as ids do', async () => {
    const random = createRandom(5);
    const some = (count: number) =>
      records(count, () => ({
        traceId: String(random.next()),
        attributes: { user: String(random.next()), region: random.next() < 0.5 ? 'eu' : 'us' },
      }));
    assert.deepEqual(await setsApart(some(30), some(2000), pause), []);
    assert.deepEqual(await setsApart([], some(10), pause), []);
  });

  it('has planted causes among the first three in 95 % of sets of 10,000 records', async () => {
    const sets = shortOrLong(20, 100);
    let found = 0;
    for (let seed = 1; seed <= sets; seed++) {
      const random = createRandom(seed);
      const pick = (most: number): number => random.int(most);
      // The cause has a value in most of the chosen records, and in few of the others.
      const share = 0.3 + 0.6 * random.next();
      const otherShare = 0.01 + 0.1 * random.next();
      const chosen = 50 + pick(3000);
      const planted =
        ['attr.flag', 'attr.region', 'server', 'container', 'deployment'][seed % 5] ?? '';
      const some = (count: number, causes: number) =>
        records(count, () => {
          const has = random.next() < causes;
          const value = (field: string, most: number): string =>
            field === planted && has ? `${field} planted` : `${field} ${pick(most)}`;
          return {
            serverId: value('server', 6),
            containerId: value('container', 40),
            deploymentId: value('deployment', 4),
            workloadId: `workload ${pick(8)}`,
            traceId: random.next() < 0.7 ? `trace ${pick(1e6)}` : null,
            attributes: {
              flag: value('attr.flag', 3),
              region: value('attr.region', 5),
              'user.id': String(pick(1e6)),
              duration: String(pick(2000)),
              'http.route': `/${pick(60)}`,
              ...(random.next() < 0.2 ? { tenant: String(pick(500)) } : {}),
            },
          };
        });
      const first = await setsApart(some(chosen, share), some(10_000 - chosen, otherShare), pause);
      const isThere = ({ field, value }: { field: string; value: string | undefined }): boolean =>
        field === planted && value === `${planted} planted`;
      if (first.slice(0, 3).some(isThere)) found++;
    }
    assert.isAtLeast(found, 0.95 * sets);
  }).timeout(60_000);
});
